// What statements begin with that say that work was done: whoever writes one, and whoever knows one again, calls it the same.

export const COMMITTED = 'Committed: ';
export const PULL_REQUEST = 'Pull request: ';
export const TAKEN_BACK = 'Taken back: ';

/** Names what was made in one line. */
export const namesWork = (text: string): boolean => text.startsWith(COMMITTED) || text.startsWith(PULL_REQUEST);
