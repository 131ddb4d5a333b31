// When somebody looked last, so that the first page can tell what is new since then. This browser keeps it; a look of half an hour is
// one visit, however often the page is loaded.

const KEY = 'cairn-visits';
const VISIT_MS = 30 * 60_000;
type Visit = { readonly before: number | null; readonly now: number };

/** The end of the visit before this one; null at the first. */
export function lastVisit(project: string, now = Date.now()): number | null {
  const visits = read();
  const known = visits[project];
  const visit: Visit = !known
    ? { before: null, now }
    : now - known.now > VISIT_MS
      ? { before: known.now, now }
      : { before: known.before, now };
  write({ ...visits, [project]: visit });
  return visit.before;
}

function read(): { readonly [project: string]: Visit } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as { [project: string]: Visit }) : {};
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

function write(visits: { readonly [project: string]: Visit }): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(visits));
  } catch {
    // every visit is the first one then
  }
}
