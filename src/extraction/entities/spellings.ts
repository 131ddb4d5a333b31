// Tables of names: one after the other on lines or behind semicolons, other ways to say each behind commas. A hook makes them for one prompt, so they are made plainly.

/** Every way to write each name → the name. */
export function aliasesIn(lines: string): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const entry of lines.replaceAll('; ', '\n').split('\n')) {
    if (entry === '') continue;
    const names = entry.split(', ');
    for (const name of names) for (const spelling of spellings(name)) made.set(spelling, names[0] ?? name);
  }
  return made;
}

/** `github actions` is also written `github-actions` and `GithubActions`. */
export function spellings(name: string): string[] {
  if (!name.includes(' ') && !name.includes('-')) return [name];
  const apart = name.replaceAll('-', ' ');
  return [name, apart, apart.replaceAll(' ', '-'), apart.replaceAll(' ', '')];
}
