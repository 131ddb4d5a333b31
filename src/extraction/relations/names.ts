// Names in a text that are so particular that whoever writes one means that very thing: `consolidateFiles()`, `share_keys`, `--force`.

const MARKED = /`([^`\n]{3,80})`|"([^"\n]{4,60})"|“([^”\n]{4,60})”/g;
/** Put together of parts. In small letters or capitals alone, or like the name of a product, it need not be the name of one thing. */
const COMPOUND = /\b(?:[a-z]+[A-Z][A-Za-z\d]+|[A-Za-z\d]+_[A-Za-z\d_]+)\b/g;
const PARTS = /[a-z\d][A-Z]|[A-Za-z\d][\s_-]+[A-Za-z\d]|^--?[a-z]/;
const PATH = /[\\/]|\.(?:[a-z]{1,4})$|^\W*$/i;
const MOST = 12;

/** As they are written, without brackets and arguments. Files and commands are none: many things are done to one file. */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const match of text.matchAll(MARKED)) add(names, match[1] ?? match[2] ?? match[3] ?? '');
  for (const [name] of text.matchAll(COMPOUND)) add(names, name);
  return names;
}

function add(names: Set<string>, written: string): void {
  const name = written.replace(/\(.*\)$|[<>/]+|[:;,.]+$/g, '').trim();
  if (name.length >= 5 && PARTS.test(name) && names.size < MOST && !PATH.test(name) && !/^[\d\s.,:-]+$/.test(name))
    names.add(name);
}
