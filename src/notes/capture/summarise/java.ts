// Java: public types with their public methods and constants, Javadoc, imports.

import { type Declaration, parametersAt, walkBlocks } from './blocks.ts';
import { Collector, type Extract } from './extract.ts';
import { endAfter, quotedEnd, type Syntax } from './mask.ts';
import { docSentence, headerPurpose, tidySignature } from './prose.ts';
import { commentAbove, type Source, sourceOf } from './source.ts';

const SYNTAX: Syntax = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/' }],
  quotes: '\'"',
  literalEnd: (text, at) => (text.startsWith('"""', at) ? endAfter(text, '"""', at + 3) : quotedEnd(text, at)),
};

type Container = { name: string; isInterface: boolean; exported: boolean };

const TYPE =
  /^(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?<kind>class|interface|enum|record|@interface)\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;
const MODIFIER = /^(?:public|protected|private|static|final|abstract|synchronized|native|default|strictfp)\s+/;
const NO_METHOD = /^(?:if|for|while|switch|catch|return|new|throw|synchronized|try|else|do|assert|super|this|case)$/;
const ATTRIBUTE = /^\s*@/;

export function extractJava(text: string): Extract {
  const source = sourceOf(text, SYNTAX);
  const found = new Collector();
  walkBlocks<Container>(source, (declaration, containers) => {
    const own = withoutAnnotations(declaration);
    const container = containers.at(-1);
    const imported = container ? undefined : /^import\s+(static\s+)?([\w.*]+)/.exec(own.code);
    if (imported) {
      found.import(imported[1] ? imported[2]!.replace(/\.[\w*]+$/, '') : imported[2]!);
      return undefined;
    }
    const type = TYPE.exec(own.code)?.groups;
    if (type && declaration.end === '{') return typeIn(own, type, container, { source, found });
    if (container) memberOf(own, container, { source, found });
    return undefined;
  });
  const first = source.code.findIndex((code) => code.trim() !== '' && !/^\s*(?:package|import)\b/.test(code));
  return found.extract(purposeOf(source, first === -1 ? source.code.length : first));
}

type Reading = { source: Source; found: Collector };

function typeIn(
  declaration: Declaration,
  groups: { [name: string]: string },
  container: Container | undefined,
  { source, found }: Reading,
): Container {
  const isPublic = /\bpublic\b/.test(declaration.code.slice(0, 80)) || (container?.isInterface ?? false);
  const exported = isPublic && (container?.exported ?? true);
  const doc = docSentence(commentAbove(source, declaration.line, ATTRIBUTE));
  if (!container || isPublic) {
    found.define({
      name: groups.name!,
      signature: tidySignature(declaration.text.replace(/^public\s+/, '')),
      line: declaration.line + 1,
      exported,
      ...(container ? { owner: container.name } : {}),
      ...(doc ? { doc } : {}),
    });
  }
  const isInterface = groups.kind === 'interface' || groups.kind === '@interface';
  return { name: groups.name!, isInterface, exported };
}

function memberOf(declaration: Declaration, container: Container, { source, found }: Reading): void {
  const isPublic = container.isInterface
    ? !/^private\b/.test(declaration.code)
    : /^(?:\w+ )*?public\b/.test(declaration.code.slice(0, 80));
  if (!isPublic) return;
  const at = parametersAt(declaration.code);
  const constant = /^(?:\w+ )*?static final (?<type>[^=;]*?)(?<name>\w+)\s*=/.exec(declaration.code)?.groups;
  let name: string | undefined;
  let text = declaration.text;
  if (at > 0) {
    name = /([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(declaration.code.slice(0, at))?.[1];
    if (!name || NO_METHOD.test(name)) return;
  } else if (constant) {
    name = constant.name;
    text = declaration.text.slice(0, declaration.code.indexOf('='));
  }
  if (!name) return;
  while (MODIFIER.test(text)) text = text.replace(MODIFIER, '');
  const doc = docSentence(commentAbove(source, declaration.line, ATTRIBUTE));
  found.define(
    {
      name,
      signature: tidySignature(text, 120),
      line: declaration.line + 1,
      exported: container.exported,
      owner: container.name,
      ...(doc ? { doc } : {}),
    },
    'signature',
  );
}

/** `@Override @Path("/x") public …`: the annotations say how, not what. */
function withoutAnnotations(declaration: Declaration): Declaration {
  const { code } = declaration;
  let at = 0;
  while (code[at] === '@' && !code.startsWith('@interface', at)) {
    at++;
    while (at < code.length && /[\w.$]/.test(code[at]!)) at++;
    if (code[at] === ' ' && code[at + 1] === '(') at++;
    if (code[at] === '(') {
      let depth = 0;
      do {
        if (code[at] === '(') depth++;
        else if (code[at] === ')') depth--;
        at++;
      } while (at < code.length && depth > 0);
    }
    while (code[at] === ' ') at++;
  }
  return { ...declaration, text: declaration.text.slice(at), code: code.slice(at) };
}

/** What stands at the top of the file, else the documentation of its first type. */
function purposeOf(source: Source, first: number): string {
  const header = headerPurpose(source.groups, first);
  return (
    header || headerPurpose(source.groups.filter((group) => group.last >= first - 1).slice(0, 1), source.code.length)
  );
}
