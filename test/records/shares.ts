// The numbers that the writer program and the tests that start it have in common.

/** Places that a crashing writer uses again and again. */
export const SLOTS = 6;

/** The record that racing writers all change, and what each of them does. Their entries together fit into one history. */
export const SHARED = 'shared';
export const WRITERS = 16;
export const UPDATES = 3;
export const CREATES = 4;
