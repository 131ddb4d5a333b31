// Ruby: classes and modules with their public methods, attributes, requires. Indentation tells what belongs to what:
// Ruby's `end` cannot be counted without parsing everything that may carry one.

import { regexEnd } from './ecmascript.ts';
import { Collector, type Extract } from './extract.ts';
import { quotedEnd, type Syntax, withFailureLimit } from './mask.ts';
import { docSentence, headerPurpose, tidySignature } from './prose.ts';
import { commentAbove, literalIn, type Source, sourceOf, statementFrom } from './source.ts';

const BEFORE_REGEX = /(?:^|[(,=~|&!{[;\n]|\b(?:if|unless|when|and|or|not|return|while|until|elsif|in))$/;
const BEFORE_PERCENT = /(?:^|[(,=|&![{;\n]|\b(?:return|in|when|puts))$/;
const CLOSING: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}', '<': '>' };

function syntax(): Syntax {
  const regex = withFailureLimit(regexEnd);
  const percent = withFailureLimit(percentEnd);
  return {
    lineComments: ['#'],
    blockComments: [],
    quotes: '\'"`/%',
    literalEnd: (text, at, before) => {
      if (text[at] === '/') return BEFORE_REGEX.test(before) ? regex(text, at, before) : at;
      if (text[at] === '%')
        return /^%[qQwWiIrsx]?[([{<|!/]/.test(text.slice(at, at + 3)) ? percent(text, at, before) : at;
      // ?' is a character; a # in front of a quote would be a comment already
      return text[at - 1] === '?' || text[at - 1] === '$' ? at : quotedEnd(text, at);
    },
  };
}

/** %w[a b], %q(…), %(…) */
function percentEnd(text: string, at: number, before: string): number {
  const open = /^%[qQwWiIrsx]?([([{<|!/])/.exec(text.slice(at, at + 3));
  if (!open || (open[0].length === 2 && !BEFORE_PERCENT.test(before))) return at;
  const close = CLOSING[open[1]!] ?? open[1]!;
  let depth = 0;
  for (let index = at + open[0].length - 1; index < Math.min(text.length, at + 4_000); index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === close && (close === open[1] ? index >= at + open[0].length : --depth === 0))
      return index + 1;
    else if (text[index] === open[1]) depth++;
  }
  return at;
}

const CONTAINER = /^(?<indent>\s*)(?<kind>class|module)\s+(?<name>[A-Z][\w:]*|<<\s*self)/;
const METHOD =
  /^(?<indent>\s*)(?<lead>(?:private|protected|public|module_function|private_class_method|memoize)\s+)?def\s+(?<name>(?:self\.)?[\p{L}_][\p{L}\p{N}_]*[?!=]?|(?:self\.)?[^\s\w(]{1,3})/u;
const ACCESS = /^\s*(private|protected|public)\s*$/;
const ATTRIBUTES = /^\s*(attr_(?:reader|writer|accessor))\b(.*)$/;

/** `body` is how far its own lines are indented; a `def` further in belongs to a method or a condition. */
type Container = { name: string; indent: number; body?: number; access: string; exported: boolean };

export function extractRuby(text: string): Extract {
  const source = sourceOf(withoutHereDocuments(withoutBlockComments(text)), syntax());
  const found = new Collector();
  const containers: Container[] = [];
  for (let line = 0; line < source.code.length && !found.full; line++) {
    const code = source.code[line]!;
    if (code.trim() === '' || source.depth[line] !== 0) continue;
    if (/^__END__\s*$/.test(code)) break;
    const indent = /^\s*/.exec(code)![0].length;
    while (containers.length > 0 && indent <= containers.at(-1)!.indent && !/^\s*(?:rescue|ensure)\b/.test(code))
      containers.pop();
    requireOn(source, line, found);
    const container = containers.at(-1);
    if (container) container.body ??= indent;
    const opened = CONTAINER.exec(code)?.groups;
    const access = ACCESS.exec(code)?.[1];
    if (opened) {
      if (containers.length < 60) containers.push(openContainer({ source, found }, line, opened, container));
    } else if (access && container) container.access = access;
    else if (indent === (container?.body ?? 0)) methodOn({ source, found }, line, container);
  }
  const first = source.code.findIndex((code) => code.trim() !== '');
  return found.extract(headerPurpose(source.groups, first === -1 ? source.code.length : first));
}

type Reading = { source: Source; found: Collector };

function openContainer(
  { source, found }: Reading,
  line: number,
  groups: { [name: string]: string },
  outer: Container | undefined,
): Container {
  const indent = groups.indent!.length;
  if (groups.name!.startsWith('<<')) return { name: outer?.name ?? 'self', indent, access: 'public', exported: true };
  const name = outer ? `${outer.name}::${groups.name}` : groups.name!;
  const { text } = statementFrom(source, line, indent, (char) => char === '\n' || char === ';');
  const doc = docSentence(commentAbove(source, line, /^\s*$/));
  found.define({ name, signature: tidySignature(text), line: line + 1, exported: true, ...(doc ? { doc } : {}) });
  return { name, indent, access: 'public', exported: true };
}

function methodOn({ source, found }: Reading, line: number, container: Container | undefined): void {
  const code = source.code[line]!;
  const attributes = container ? ATTRIBUTES.exec(code) : null;
  const groups = METHOD.exec(code)?.groups;
  if (!groups && !attributes) return;
  const access = groups?.lead?.trim() ?? container?.access ?? 'public';
  if (access === 'private' || access === 'protected' || access === 'private_class_method') return;
  const column = code.length - code.trimStart().length + (groups?.lead?.length ?? 0);
  // Without brackets the parameters end with the line; `def a = b` is a method in one line.
  const { text } = statementFrom(
    source,
    line,
    column,
    (char, soFar) => char === '\n' || char === ';' || (char === '=' && /^def \S.* $/.test(soFar)),
  );
  const name = groups?.name ?? attributes![0].trim();
  if (name === 'initialize' && !/\(|\s\w+\s\w/.test(text)) return;
  const doc = docSentence(commentAbove(source, line, /^\s*$/));
  found.define({
    name,
    signature: tidySignature(text, 120),
    line: line + 1,
    exported: container?.exported ?? true,
    ...(container ? { owner: container.name } : {}),
    ...(doc ? { doc } : {}),
  });
}

function requireOn(source: Source, line: number, found: Collector): void {
  const kind = /^\s*(require_relative|require|autoload)\b/.exec(source.code[line]!)?.[1];
  const spec = kind && literalIn(source, line);
  if (!spec) return;
  found.import(kind === 'require_relative' && !spec.startsWith('.') ? `./${spec}` : spec);
}

/** `=begin … =end` becomes a comment like any other. */
function withoutBlockComments(text: string): string {
  if (!/^=begin\b/m.test(text)) return text;
  let inside = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('=begin')) inside = true;
      const out = inside ? `# ${line.replace(/^=(?:begin|end)\b/, '')}` : line;
      if (line.startsWith('=end')) inside = false;
      return out;
    })
    .join('\n');
}

/** Blanks the lines of `<<~TEXT … TEXT`. The lines that can end one are looked up, so that no search runs twice. */
function withoutHereDocuments(text: string): string {
  if (!text.includes('<<')) return text;
  const lines = text.split('\n');
  const ends = new Map<string, { at: number[]; next: number }>();
  for (const [at, line] of lines.entries()) {
    const word = line.length < 80 ? line.trim() : '';
    if (!/^[A-Z_]\w*$/i.test(word)) continue;
    const known = ends.get(word);
    if (known) known.at.push(at);
    else ends.set(word, { at: [at], next: 0 });
  }
  for (let at = 0; at < lines.length; at++) {
    const mark = /(?<![\w<])<<[~-]?(["'`]?)([A-Z_]\w*)\1/.exec(lines[at]!.slice(0, 500))?.[2];
    const list = mark === undefined ? undefined : ends.get(mark);
    if (!list) continue;
    while (list.next < list.at.length && list.at[list.next]! <= at) list.next++;
    const end = list.at[list.next];
    if (end === undefined) continue;
    for (let inner = at + 1; inner <= end; inner++) lines[inner] = '';
    at = end;
  }
  return lines.join('\n');
}
