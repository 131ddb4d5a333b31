// Each call of the file system fails, on the writing paths of records and settings.

import { eachCallFails } from './each-call-fails.ts';
import { HALVES } from './writing-paths.ts';

eachCallFails(HALVES[0]!, 'errno, records and settings');
