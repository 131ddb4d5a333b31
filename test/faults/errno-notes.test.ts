// Each call of the file system fails, on the writing paths of notes, conversations and what is made from them.

import { eachCallFails } from './each-call-fails.ts';
import { HALVES } from './writing-paths.ts';

eachCallFails(HALVES[1]!, 'errno, notes, conversations and what is made from them');
