// Go: the package comment, exported functions, methods, types, constants and variables, imports. Go files end
// statements with lines, so they are read line by line.

import { Collector, type Extract } from './extract.ts';
import { endAfter, quotedEnd, type Syntax } from './mask.ts';
import { docSentence, headerPurpose, tidySignature } from './prose.ts';
import { commentAbove, literalIn, type Source, sourceOf, statementFrom } from './source.ts';

const SYNTAX: Syntax = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/' }],
  quotes: '\'"`',
  literalEnd: (text, at) => (text[at] === '`' ? endAfter(text, '`', at + 1) : quotedEnd(text, at)),
};

const FUNCTION = /^func\s+(?:\((?<receiver>[^)]*)\)\s*)?(?<name>[\p{L}_][\p{L}\p{N}_]*)/u;
const ITEM = /^\s*(?<name>[\p{L}_][\p{L}\p{N}_]*)(?<rest>.*)$/u;

export function extractGo(text: string): Extract {
  const source = sourceOf(text, SYNTAX);
  const found = new Collector();
  const packageLine = source.code.findIndex((code) => /^package\s+\w/.test(code));
  const isProgram = packageLine !== -1 && /^package\s+main\b/.test(source.code[packageLine]!);
  let block: { kind: string; depth: number } | undefined;
  for (let line = 0; line < source.code.length && !found.full; line++) {
    const code = source.code[line]!;
    if (block && source.depth[line]! < block.depth) block = undefined;
    if (block) {
      if (source.depth[line] !== block.depth) continue;
      if (block.kind === 'import') found.import(literalIn(source, line) ?? '');
      else itemOn(source, line, block.kind, found, isProgram);
      continue;
    }
    const keyword = /^(import|type|const|var)\b/.exec(code)?.[1];
    if (keyword && /^\w+\s*\(\s*$/.test(code)) block = { kind: keyword, depth: source.depth[line]! + 1 };
    else if (keyword === 'import') importsOn(source, line, found);
    else if (keyword) itemOn(source, line, keyword, found, isProgram);
    else if (code.startsWith('func')) functionOn(source, line, found, isProgram);
  }
  return found.extract(purposeOf(source, packageLine));
}

function importsOn(source: Source, line: number, found: Collector): void {
  for (let column = 0, count = 0; count < 50; count++) {
    const at = source.code[line]!.indexOf('\u0001', column);
    if (at === -1) return;
    found.import(literalIn(source, line, at) ?? '');
    column = at;
    while (source.code[line]![column] === '\u0001') column++;
  }
}

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

/** `interface{}` and `struct{}` are types; any other brace opens the body. */
const opensBody = (char: string, code: string): boolean =>
  char === '{' && !/\b(?:interface|struct)\s*$/.test(code.slice(-12));

function functionOn(source: Source, line: number, found: Collector, isProgram: boolean): void {
  const groups = FUNCTION.exec(source.code[line]!)?.groups;
  if (!groups || (!isExported(groups.name!) && !isProgram)) return;
  const { text } = statementFrom(source, line, 0, (char, code) => opensBody(char, code) || char === '\n');
  const owner = /(\w+)\s*(?:\[.*)?$/.exec(groups.receiver?.trim() ?? '')?.[1];
  const doc = docSentence(commentAbove(source, line));
  found.define({
    name: groups.name!,
    signature: tidySignature(text),
    line: line + 1,
    exported: isExported(groups.name!) && (owner === undefined || isExported(owner)),
    ...(owner ? { owner } : {}),
    ...(doc ? { doc } : {}),
  });
}

function itemOn(source: Source, line: number, kind: string, found: Collector, isProgram: boolean): void {
  const code = source.code[line]!;
  const column = new RegExp(`^(?:${kind}\\b)?`).exec(code)![0].length;
  const groups = ITEM.exec(code.slice(column))?.groups;
  if (!groups || (!isExported(groups.name!) && !(isProgram && kind === 'type'))) return;
  const { text } = statementFrom(
    source,
    line,
    column,
    (char) => char === '{' || char === '\n' || (char === '=' && kind !== 'type'),
  );
  const doc = docSentence(commentAbove(source, line));
  found.define({
    name: groups.name!,
    signature: tidySignature(`${kind} ${text.trim()}`),
    line: line + 1,
    exported: isExported(groups.name!),
    ...(doc ? { doc } : {}),
  });
}

/** The comment right above `package` is the package's; a build constraint or a licence stands apart from it. */
function purposeOf(source: Source, packageLine: number): string {
  if (packageLine <= 0) return headerPurpose(source.groups, source.code.length);
  const own = source.groupEndingAt.get(packageLine - 1);
  return (own && headerPurpose([own], own.first)) || headerPurpose(source.groups, packageLine);
}
