// The names of a user's own: `pg=PostgreSQL` in the settings means that both are one thing.

const MAX_NAME = 60;

/** Entries that are no pair of names are passed over: one slip must not take the others with it. */
export function aliasTable(entries: readonly string[]): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const entry of entries) {
    const at = entry.indexOf('=');
    const alias = entry.slice(0, at).trim().toLowerCase().replace(/\s+/g, ' ');
    const name = entry.slice(at + 1).trim();
    if (at > 0 && alias !== '' && name !== '' && alias.length <= MAX_NAME && name.length <= MAX_NAME)
      table.set(alias, name);
  }
  return table;
}
