// An open item without what only says that somebody begins to speak, or that a list follows which is shown under a heading of its own.

import { withoutLeadIn, withoutListName } from '../inject/shown-alone.ts';

export const plainWords = (text: string): string => withoutListName(withoutLeadIn(text));
