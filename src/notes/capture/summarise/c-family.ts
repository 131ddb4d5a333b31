// C and C++: functions and types that other files can see, classes with their public methods, macros of headers,
// includes. Directives are taken out first: the branches of an #if would otherwise open the same brace twice.

import { type Declaration, parametersAt, walkBlocks } from './blocks.ts';
import { Collector, type Extract } from './extract.ts';
import { endAfter, LITERAL, quotedEnd, type Syntax } from './mask.ts';
import { docSentence, headerPurpose, tidySignature } from './prose.ts';
import { commentAbove, type Source, sourceOf } from './source.ts';

const SYNTAX: Syntax = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/' }],
  quotes: '\'"',
  literalEnd: (text, at) => {
    if (text[at] === '"') return text[at - 1] === 'R' ? rawEnd(text, at) : quotedEnd(text, at);
    // 1'000'000 is a number
    return /[0-9a-fA-F]/.test(text[at - 1] ?? '') && /[0-9a-fA-F]/.test(text[at + 1] ?? '') ? at : quotedEnd(text, at);
  },
};

/** R"mark( … )mark" */
function rawEnd(text: string, at: number): number {
  const mark = /^"([^()\\\s]{0,16})\(/.exec(text.slice(at, at + 20))?.[1];
  return mark === undefined ? quotedEnd(text, at) : endAfter(text, `)${mark}"`, at + 1);
}

type Container = { kind: 'namespace' | 'class'; name: string; visible: boolean };

const TYPE =
  /^(?:typedef\s+)?(?:template\s*<.*>\s*)?(?:(?:export|static|inline)\s+)*(?<kind>class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:[A-Z_]+\s+|alignas\([^)]*\)\s+|\[\[[^\]]*\]\]\s*)?(?<name>[\p{L}_][\p{L}\p{N}_:]*)(?<rest>.*)$/u;
const NO_FUNCTION =
  /^(?:if|for|while|switch|return|sizeof|catch|do|else|defined|alignof|decltype|static_assert|using|typedef|throw|new|delete|__attribute__|__declspec|assert)$/;

export function extractCFamily(text: string): Extract {
  const whole = sourceOf(text, SYNTAX);
  const found = new Collector();
  const source = withoutDirectives(whole, found);
  const reading: Reading = { source, found };
  walkBlocks<Container>(source, (declaration, containers) => visit(declaration, containers.at(-1), reading), {
    label: (name, container) => {
      const access = /^(public|protected|private)(?:\s+\w+)?$/.exec(name)?.[1];
      if (access === undefined || container === undefined) return false;
      container.visible = access === 'public';
      return true;
    },
  });
  const first = source.code.findIndex((code) => code.trim() !== '');
  return found.extract(headerPurpose(whole.groups, first === -1 ? whole.code.length : first));
}

type Reading = {
  source: Source;
  found: Collector;
  /** `typedef struct {` was read: its name stands behind the closing brace. */
  typedef?: Declaration | undefined;
};

/** Blanks every directive; of an #if, only the first branch is left in (of `#if 0` the second). */
function withoutDirectives(source: Source, found: Collector): Source {
  const code: string[] = [];
  const branches: ('shown' | 'hidden' | 'zero')[] = [];
  const isHeader = source.code.some((line) => /^\s*#\s*(?:pragma\s+once|ifndef\s+\w+_H\w*)/.test(line));
  let hidden = 0; // branches that are not shown
  let continues = false;
  for (const [line, text] of source.code.entries()) {
    const directive = continues ? '' : /^\s*#\s*(\w+)/.exec(text)?.[1];
    code.push(directive !== undefined || hidden > 0 ? '' : text);
    if (directive === undefined) continue;
    const last = branches.length - 1;
    if (/^(?:include|import)$/.test(directive)) includeOn(source, line, found);
    else if (/^if/.test(directive)) {
      branches.push(/^\s*#\s*if\s+0\b/.test(text) ? 'zero' : 'shown');
      if (branches.at(-1) !== 'shown') hidden++;
    } else if (directive === 'endif') {
      if ((branches.pop() ?? 'shown') !== 'shown') hidden--;
    } else if (/^el/.test(directive) && last >= 0) {
      hidden += branches[last] === 'shown' ? 1 : branches[last] === 'zero' ? -1 : 0;
      branches[last] = branches[last] === 'zero' ? 'shown' : 'hidden';
    } else if (directive === 'define' && isHeader) macroOn(source, line, found);
    continues = text.trimEnd().endsWith('\\');
  }
  return { ...source, code };
}

function includeOn(source: Source, line: number, found: Collector): void {
  const name = /^\s*#\s*\w+\s*(<[^>]*>|"[^"]*")/.exec(source.raw[line]!)?.[1];
  if (name) found.import(name);
}

/** A macro with parameters is used like a function. */
function macroOn(source: Source, line: number, found: Collector): void {
  const match = /^\s*#\s*define\s+((\w+)\([^)]*\))/.exec(source.raw[line]!);
  if (!match || match[2]!.startsWith('_')) return;
  const doc = docSentence(commentAbove(source, line));
  found.define({
    name: match[2]!,
    signature: `#define ${tidySignature(match[1]!)}`,
    line: line + 1,
    exported: true,
    ...(doc ? { doc } : {}),
  });
}

function visit(whole: Declaration, container: Container | undefined, reading: Reading): Container | undefined {
  const declaration = withoutMacros(whole);
  const { code, end } = declaration;
  const space = /^(?:inline\s+)?namespace\b\s*([\w:]*)/.exec(code);
  if (space && end === '{') {
    const visible =
      space[1] !== '' && !/(?:^|::)(?:detail|impl|internal)s?$/.test(space[1]!) && (container?.visible ?? true);
    return { kind: 'namespace', name: space[1]!, visible };
  }
  if (end === '{' && new RegExp(`^extern\\s+${LITERAL}+$`).test(code))
    return { kind: 'namespace', name: '', visible: true };
  if (reading.typedef) namedBehind(declaration, reading);
  if (end === '{' && /^typedef\b/.test(code)) reading.typedef = declaration;
  const type = TYPE.exec(code)?.groups;
  if (type && end === '{' && !/^\s*[^:]*\(/.test(type.rest!)) return typeIn(declaration, type, container, reading);
  if (/^(?:typedef|using)\b/.test(code) && end === ';' && container?.kind !== 'class')
    aliasOn(declaration, container, reading);
  else functionIn(declaration, container, reading);
  return undefined;
}

function typeIn(
  declaration: Declaration,
  groups: { [name: string]: string },
  container: Container | undefined,
  { source, found }: Reading,
): Container | undefined {
  const exported = container?.visible ?? true;
  const doc = docSentence(commentAbove(source, declaration.line));
  if (container?.kind !== 'class' || exported) {
    found.define({
      name: groups.name!,
      signature: tidySignature(declaration.text),
      line: declaration.line + 1,
      exported,
      ...(container?.kind === 'class' ? { owner: container.name } : {}),
      ...(doc ? { doc } : {}),
    });
  }
  if (groups.kind!.startsWith('enum')) return undefined;
  return { kind: 'class', name: groups.name!, visible: groups.kind !== 'class' };
}

/** `BEGIN_DECLS template <class T> class Stack`: a macro without a semicolon runs into what follows. */
function withoutMacros(declaration: Declaration): Declaration {
  const macros = /^(?:[A-Z_][A-Z0-9_]+\s+)+(?=(?:template|class|struct|enum|union|typedef)\b)/.exec(declaration.code);
  const at = macros?.[0].length ?? 0;
  return at === 0
    ? declaration
    : { ...declaration, text: declaration.text.slice(at), code: declaration.code.slice(at) };
}

/** `typedef struct { … } Point;` */
function namedBehind(declaration: Declaration, reading: Reading): void {
  const typedef = reading.typedef!;
  const name = /^\**\s*(\w+)\s*(?:,.*)?$/.exec(declaration.code)?.[1];
  if (declaration.end !== ';' || !name) return;
  reading.typedef = undefined;
  const doc = docSentence(commentAbove(reading.source, typedef.line));
  const signature = tidySignature(`${typedef.text} ${name}`);
  reading.found.define({ name, signature, line: typedef.line + 1, exported: true, ...(doc ? { doc } : {}) });
}

function aliasOn(declaration: Declaration, container: Container | undefined, { source, found }: Reading): void {
  const { code } = declaration;
  const name =
    /^using\s+(\w+)\s*=/.exec(code)?.[1] ??
    /^typedef\b.*?\(\s*\*\s*(\w+)\s*\)/.exec(code)?.[1] ??
    /^typedef\b.*?(\w+)$/.exec(code)?.[1];
  if (!name) return;
  const doc = docSentence(commentAbove(source, declaration.line));
  found.define({
    name,
    signature: tidySignature(declaration.text),
    line: declaration.line + 1,
    exported: container?.visible ?? true,
    ...(doc ? { doc } : {}),
  });
}

function functionIn(declaration: Declaration, container: Container | undefined, { source, found }: Reading): void {
  const at = parametersAt(declaration.code);
  if (at <= 0) return;
  const before = declaration.code.slice(0, at).trimEnd();
  const name =
    /((?:[\p{L}_][\p{L}\p{N}_]*(?:<[^<>]*>)?::)*(?:~?[\p{L}_][\p{L}\p{N}_]*|operator\s*\S{1,3}|operator\s+\w+))$/u.exec(
      before.slice(-200),
    )?.[1];
  if (!name || NO_FUNCTION.test(name) || name.startsWith('__')) return;
  const isMember = container?.kind === 'class';
  const lead = before.slice(0, before.length - name.length).trim();
  if (lead === '' && !name.includes('::')) return; // a macro or a constructor
  if (isMember && (!container.visible || name.startsWith('~') || name === container.name)) return;
  if (/\b(?:return|else|goto)\b/.test(lead)) return;
  const doc = docSentence(commentAbove(source, declaration.line));
  const text = signatureOf(declaration, at);
  found.define(
    {
      name,
      signature: tidySignature(text, isMember ? 120 : 160),
      line: declaration.line + 1,
      exported: (container?.visible ?? true) && !/\bstatic\b/.test(isMember ? '' : lead),
      ...(isMember ? { owner: container.name } : {}),
      ...(doc ? { doc } : {}),
    },
    'signature',
  );
}

/** Without attributes, initialisers and words for the compiler around it. */
function signatureOf({ text, code }: Declaration, at: number): string {
  let end = at;
  for (let depth = 0; end < code.length; end++) {
    if (code[end] === '(') depth++;
    else if (code[end] === ')' && --depth === 0) break;
  }
  const tail = /^\)(?:\s*(?:const|noexcept|override|final|&&?|->\s*[^={]*))*/.exec(text.slice(end))?.[0] ?? '';
  return (text.slice(0, end) + tail).replace(/^(?:(?:extern(?:\s+"[^"]*")?|__\w+)\s+)+/, '');
}
