// One name for all spellings of a thing: what the store knows an entity by, and what a query looks it up by. `feedPrivateKeyEncrypted`
// and `feed_private_key_encrypted`, NuShell and Nushell, STATE.md and state.md are one each.

/**
 * Names of so many letters are written as one word by some and in parts by others (TideTable, tide-table, tidetable; userId, userid), so
 * they become one word. Longer ones nobody runs together, and they stay readable: `feed private key encrypted`.
 */
const SHORT = 12;
const SIMPLE = /^[a-z]+$/;
const MARKS = /[\s_-]+/g;
const IN_PARTS = /^[\w\s-]+$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s_-]+/;

/** Of everything but files. Names that hold more than words and what joins them (`@scope/name`, `v1.1`) only lose their case and joints. */
export function foldName(written: string): string {
  if (SIMPLE.test(written)) return written;
  if (!IN_PARTS.test(written)) return foldMixed(written);
  const joined = written.replace(MARKS, '');
  if (joined.length <= SHORT) return joined.toLowerCase() || written;
  return written
    .split(HUMP)
    .filter((part) => part !== '')
    .join(' ')
    .toLowerCase();
}

function foldMixed(written: string): string {
  const plain = written.replace(MARKS, (marks) => (marks.includes(' ') ? ' ' : '')).toLowerCase();
  return plain.trim() || written;
}

/** Of a path: systems differ in whether case matters, and people write `claude.md`. */
export const foldFile = (path: string): string => path.toLowerCase();
