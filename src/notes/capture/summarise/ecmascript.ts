// TypeScript and JavaScript: exports of both module systems, classes with their public methods, imports. Template
// literals, regular expressions and JSX are looked through as far as brackets and quotes need it.

import { Collector, type Definition, type Extract } from './extract.ts';
import { quotedEnd, type Syntax, withFailureLimit } from './mask.ts';
import { docSentence, headerPurpose, tidySignature } from './prose.ts';
import { commentAbove, literalIn, type Source, type Statement, sourceOf, statementFrom } from './source.ts';

const NAME = String.raw`[\p{ID_Continue}$]+`;
const DECORATORS = String.raw`(?:@[\w.]+(?:\([^()]*\))?\s+)*`;
const DECLARATION = new RegExp(
  String.raw`^\s*${DECORATORS}(?<lead>(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?)` +
    String.raw`(?<kind>function\b\s*\*?|class\b|interface\b|type\b|enum\b|const\s+enum\b|const\b|let\b|var\b|namespace\b|module\b)` +
    String.raw`\s*(?<name>${NAME})?`,
  'du',
);
const NAMESPACE = /^\s*(?:export\s+)?(?:declare\s+)?(?:(?:module|namespace)\s+[\u0001\w.$]+|global)\s*\{\s*$/;
const MEMBER = new RegExp(
  String.raw`^\s*${DECORATORS}(?<lead>(?:(?:public|static|async|override|abstract|get|set)\s+)*)\*?\s*(?<name>${NAME})\s*(?=[(<])`,
  'du',
);
const NOT_A_MEMBER =
  /^(?:constructor|if|for|while|switch|catch|return|super|function|new|await|typeof|throw|do|else|with|yield|delete|void|import)$/;
const COMMON_JS = new RegExp(
  String.raw`^\s*(?:module\.exports|exports)(?:\.(?<name>${NAME}))?\s*=(?!=)\s*(?<value>.*)`,
  'u',
);
const FUNCTION_VALUE = /^\s*(?:async\b\s*)?(?:function\b|\(|<|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>)/u;

/** Made anew for each text: once a template is not closed, none behind it is taken for one, which keeps the search linear. */
function syntax(): Syntax {
  let broken = false;
  const template = (text: string, at: number): number => {
    const end = broken ? -1 : templateEnd(text, at);
    broken ||= end === -1;
    return end === -1 ? at : end;
  };
  const regex = withFailureLimit(regexEnd);
  return {
    lineComments: ['//'],
    blockComments: [{ open: '/*', close: '*/' }],
    quotes: '\'"`/',
    literalEnd: (text, at, before) => {
      if (text[at] === '`') return template(text, at);
      if (text[at] !== '/') return quotedEnd(text, at);
      return BEFORE_REGEX.test(before) ? regex(text, at, before) : at;
    },
  };
}

/** With the expressions in it, which may hold templates again. -1 if it never ends. */
function templateEnd(text: string, start: number): number {
  const stack: number[] = [-1]; // -1 is a template; otherwise the braces open in an expression
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const top = stack.at(-1)!;
    if (char === 92) at++;
    else if (top === -1) {
      if (char === 96) {
        stack.pop();
        if (stack.length === 0) return at + 1;
      } else if (char === 36 && text.charCodeAt(at + 1) === 123) {
        stack.push(0);
        at++;
      }
    } else if (char === 96) stack.push(-1);
    else if (char === 123) stack[stack.length - 1] = top + 1;
    else if (char === 125) {
      if (top === 0) stack.pop();
      else stack[stack.length - 1] = top - 1;
    } else if (char === 39 || char === 34) at = Math.max(at, quotedEnd(text, at) - 1);
  }
  return -1;
}

/** A slash begins a regular expression where no value stands before it. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))$/;
const MAX_REGEX = 1_000;

/** The end of a regular expression, which has to be on its line; `at` if there is none. */
export function regexEnd(text: string, at: number): number {
  let inClass = false;
  for (let index = at + 1; index < Math.min(text.length, at + MAX_REGEX); index++) {
    const char = text[index];
    if (char === '\n') return at;
    if (char === '\\') index++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return index + 1;
  }
  return at;
}

/** What the outside calls it, and where that is said. */
type Late = { name: string; line: number };

type Reading = {
  source: Source;
  found: Collector;
  /** Names that an `export { … }` or `module.exports` lists. */
  exported: Map<string, Late>;
  /** Variables of the module: its own business, unless something exports them. */
  values: Map<string, Definition>;
  /** The line up to which classes were looked into. */
  seen: number;
};

export function extractEcmaScript(text: string): Extract {
  const source = sourceOf(text, syntax());
  const reading: Reading = { source, found: new Collector(), exported: new Map(), values: new Map(), seen: 0 };
  let firstCode = source.code.length;
  const spaces: number[] = []; // how deep the insides of open modules and namespaces lie: they count as the top
  for (let line = 0; line < source.code.length && !reading.found.full; line++) {
    const code = source.code[line]!;
    if (code.trim() === '') continue;
    if (firstCode > line && !/^[\u0001;\s]*$|^#!/.test(code)) firstCode = line;
    calledModules(reading, line);
    while (spaces.length > 0 && source.depth[line]! < spaces.at(-1)!) spaces.pop();
    // A line at the margin is at the top even if brackets were miscounted above it.
    if (source.depth[line] !== (spaces.at(-1) ?? 0) && !/^[\p{ID_Start}@]/u.test(code)) continue;
    if (NAMESPACE.test(code)) spaces.push(source.depth[line]! + 1);
    if (/^\s*import\b(?!\s*[(.])/.test(code)) importFrom(reading, line);
    else if (/^\s*export\s*(?:type\s*)?[{*]/.test(code)) exportList(reading, line);
    else if (/^\s*(?:module\.)?exports\b/.test(code)) commonJs(reading, line);
    else declarationOn(reading, line);
  }
  for (const [own, late] of reading.exported) exportLate(reading, own, late);
  return reading.found.extract(headerPurpose(source.groups, firstCode));
}

function exportLate({ found, values }: Reading, own: string, { name, line }: Late): void {
  if (!found.export(own)) found.define({ ...(values.get(own) ?? { name, signature: name, line }), exported: true });
}

function calledModules({ source, found }: Reading, line: number): void {
  for (const match of source.code[line]!.matchAll(/\b(?:require|import)\s*\(\s*(?=\u0001)/g))
    found.import(literalIn(source, line, match.index) ?? '');
}

/** The specifier is the first literal of the statement, perhaps some lines below. */
function importFrom({ source, found }: Reading, line: number): void {
  for (let at = line; at < Math.min(source.code.length, line + 60); at++) {
    const spec = literalIn(source, at);
    if (spec !== undefined) found.import(spec);
    if (spec !== undefined || source.code[at]!.trimEnd().endsWith(';')) return;
  }
}

function exportList({ source, found, exported }: Reading, line: number): void {
  found.tried();
  const { text, code } = statementFrom(source, line, 0, (char) => char === ';' || char === '\n');
  const from = /\bfrom\s*(\u0001+)/.exec(code);
  const spec = from && text.slice(from.index, from.index + from[0].length).replace(/^from\s*['"]?|['"]$/g, '');
  if (spec) found.import(spec);
  const list = /\{([^{}]*)\}/.exec(code)?.[1];
  if (list === undefined && spec) {
    const signature = tidySignature(text.replace(/^\s*export\s+/, ''));
    found.define({ name: signature, signature, line: line + 1, exported: true });
  }
  for (const item of list?.split(',').slice(0, 200) ?? []) {
    const [own = '', other = own] = item
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/);
    if (own !== '') exported.set(spec ? other : own, { name: other === 'default' ? own : other, line: line + 1 });
  }
}

function declarationOn(reading: Reading, line: number): void {
  const { source, found, values } = reading;
  const code = source.code[line]!;
  const match = DECLARATION.exec(code);
  if (!match?.groups) {
    if (/^\s*export\s+default\b|^\s*export\s*=/.test(code)) defaultExport(reading, line);
    return;
  }
  const { lead = '', name } = match.groups;
  const kind = match.groups.kind!.replace(/\s+/g, ' ').replace(/ ?\*$/, '*');
  const rest = code.slice(match[0].length);
  if (/^(?:type|namespace|module)$/.test(kind) && (!name || !/^\s*(?:[=<{]|$)/.test(rest))) return; // `type = 5`
  const column = match.indices!.groups![lead === '' ? 'kind' : 'lead']![0];
  const statement = signatureOf(source, line, column, kind);
  const isDefault = /\bdefault\b/.test(lead);
  const title = name ?? (isDefault ? 'default' : new RegExp(NAME, 'u').exec(rest)?.[0]);
  if (!title) return;
  const definition = {
    name: title,
    signature: tidySignature(statement.text.replace(/^export\s+(?:default\s+)?(?:declare\s+)?/, '')),
    line: line + 1,
    exported: /\bexport\b/.test(lead),
    ...docOf(source, line),
  };
  const isValue = /^(?:const|let|var)$/.test(kind) && !/=>|\bfunction\b/.test(statement.code);
  if (isValue && !definition.exported) {
    if (values.size < 2_000) values.set(title, definition);
  } else found.define(definition);
  if (kind === 'class') members(reading, { line, statement, owner: title, exported: definition.exported });
}

const docOf = (source: Source, line: number): { doc?: string } => {
  const doc = docSentence(commentAbove(source, line));
  return doc === '' ? {} : { doc };
};

/** A brace that opens a type and not a body. */
const opensType = (code: string): boolean => /(?:[:|&<,(=]|=>|\b(?:extends|is|keyof))\s*$/.test(code.slice(-12));

/** Up to the body; for a variable up to its value, unless that is a function. */
function signatureOf(source: Source, line: number, column: number, kind: string): Statement {
  if (kind === 'type') return statementFrom(source, line, column, (char) => char === '=' || char === ';');
  if (!/^(?:const|let|var)$/.test(kind))
    return statementFrom(source, line, column, (char, code) => char === ';' || (char === '{' && !opensType(code)));
  const short = statementFrom(source, line, column, (char) => char === ';' || char === '=');
  const value = (source.code[short.line] ?? '').slice(short.column + 1) + (source.code[short.line + 1] ?? '');
  if (!FUNCTION_VALUE.test(value)) return short;
  const whole = statementFrom(source, line, column, (char, code) => {
    if (char === ';' || code.endsWith('=>') || code.endsWith('=> ')) return true;
    return char === '{' && !opensType(code);
  });
  return /=>|\bfunction\b/.test(whole.code) ? { ...whole, text: whole.text.replace(/=>\s?$/, '') } : short;
}

function defaultExport({ source, found, exported }: Reading, line: number): void {
  const { text } = statementFrom(source, line, 0, (char) => ';\n{('.includes(char));
  const value = tidySignature(text.replace(/^\s*export\s*(?:default\b|=)\s*/, ''));
  if (found.named(value)) exported.set(value, { name: value, line: line + 1 });
  else {
    const signature = `default ${value || 'object'}`;
    found.define({ name: 'default', signature, line: line + 1, exported: true, ...docOf(source, line) });
  }
}

type ClassBody = { line: number; statement: Statement; owner: string; exported: boolean };

function members(reading: Reading, body: ClassBody): void {
  const { source, found } = reading;
  const outer = source.depth[body.line]!;
  const start = Math.max(body.statement.line + 1, reading.seen);
  for (let line = start; line < source.code.length && source.depth[line]! > outer && !found.full; line++) {
    reading.seen = line;
    if (source.depth[line] !== outer + 1) continue;
    const match = MEMBER.exec(source.code[line]!);
    if (!match?.groups || NOT_A_MEMBER.test(match.groups.name!) || match.groups.name!.startsWith('_')) continue;
    const column = match.indices!.groups![match.groups.lead === '' ? 'name' : 'lead']![0];
    const { text } = statementFrom(
      source,
      line,
      column,
      (char, code) => char === ';' || (char === '{' && !opensType(code)),
    );
    found.define({
      name: match.groups.name!,
      signature: tidySignature(text.replace(/^(?:(?:public|override|abstract)\s+)+/, ''), 120),
      line: line + 1,
      exported: body.exported,
      owner: body.owner,
      ...docOf(source, line),
    });
  }
}

/** `module.exports = { a, b }`, `module.exports = name`, `exports.name = …` */
function commonJs({ source, found, exported }: Reading, line: number): void {
  const match = COMMON_JS.exec(source.code[line]!);
  if (!match?.groups) return;
  const { name, value = '' } = match.groups;
  found.tried();
  const late = (named: string): Late => ({ name: named, line: line + 1 });
  if (name) {
    const { text } = statementFrom(
      source,
      line,
      0,
      (char, code) => char === ';' || (char === '{' && !/[(,]$/.test(code)),
    );
    const signature = FUNCTION_VALUE.test(value) ? text.replace(/^\s*(?:module\.)?exports\./, '') : name;
    if (found.named(name)) exported.set(name, late(name));
    else
      found.define({
        name,
        signature: tidySignature(signature),
        line: line + 1,
        exported: true,
        ...docOf(source, line),
      });
  } else if (value.startsWith('{')) {
    for (const key of keysOf(source, line)) exported.set(key, late(key));
  } else {
    const own = new RegExp(`^(?:new\\s+)?(${NAME})`, 'u').exec(value)?.[1];
    if (own && !/^(?:require|function|class|async)$/.test(own)) exported.set(own, late(own));
  }
}

function keysOf(source: Source, line: number): string[] {
  const keys: string[] = [];
  const column = source.code[line]!.indexOf('{');
  const { code } = statementFrom(source, line, column, (_char, soFar) => soFar.endsWith('}'));
  let depth = 0;
  let key = '';
  for (const char of code.slice(1)) {
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth < 0 || (depth === 0 && char === ',')) {
      const own = new RegExp(`^(?:async\\s+)?\\*?(${NAME})`, 'u').exec(key.trim())?.[1];
      if (own) keys.push(own);
      key = '';
    } else if (depth === 0) key += char;
  }
  return keys;
}
