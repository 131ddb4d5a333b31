// Rust: inner documentation, public items, the public methods of impl blocks and the methods of traits, `use` and `mod`.

import { type Declaration, walkBlocks } from './blocks.ts';
import { Collector, type Extract } from './extract.ts';
import { endAfter, longQuotedEnd, type Syntax } from './mask.ts';
import { docSentence, headerPurpose, paragraphsOf, purposeText, tidySignature } from './prose.ts';
import { commentAbove, type Source, sourceOf } from './source.ts';

const SYNTAX: Syntax = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/', nested: true }],
  quotes: '\'"',
  literalEnd: (text, at) => (text[at] === "'" ? charEnd(text, at) : stringEnd(text, at)),
};

/** `'a'` is a character, `'a` is a lifetime. */
function charEnd(text: string, at: number): number {
  if (text[at + 1] === '\\') {
    const end = text.indexOf("'", at + 3);
    return end !== -1 && end - at <= 12 ? end + 1 : at;
  }
  const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
  return text[at + 1 + width] === "'" && text[at + 1] !== "'" ? at + width + 2 : at;
}

/** `r#"…"#` ends with as many signs as it began with, and knows no escapes. */
function stringEnd(text: string, at: number): number {
  let hashes = 0;
  while (text[at - 1 - hashes] === '#') hashes++;
  const isRaw = text[at - 1 - hashes] === 'r' && !/[\w]/.test((text[at - 2 - hashes] ?? ' ').replace(/[bc]/, ' '));
  return isRaw ? endAfter(text, `"${'#'.repeat(hashes)}`, at + 1) : longQuotedEnd(text, at);
}

type Container = { owner?: string; kind: 'impl' | 'trait' | 'mod'; exported: boolean };

const ATTRIBUTE = /^\s*#!?\[/;
const ITEM =
  /^(?<lead>(?:pub(?:\s*\([^)]*\))?\s+)?)(?:(?:default|unsafe|async|const|extern)\s+(?:\u0001+\s+)?)*(?<kind>fn|struct|enum|trait|union|type|mod|static|const|macro_rules!)\s+(?:mut\s+)?(?<name>[\p{L}_][\p{L}\p{N}_]*)/u;
const USE = /^(?:#\[[^\]]*\]\s*)*(?:pub(?:\s*\([^)]*\))?\s+)?use\s/;
const IMPL = /^(?:unsafe\s+)?impl\b/;

export function extractRust(text: string): Extract {
  const source = sourceOf(text, SYNTAX);
  const found = new Collector();
  walkBlocks<Container>(
    source,
    (declaration, containers) => {
      const own = withoutAttributes(declaration);
      if (USE.test(own.code)) {
        for (const path of usedPaths(own.code)) found.import(path);
        return undefined;
      }
      const crate = /^extern\s+crate\s+(\w+)/.exec(own.code)?.[1];
      if (crate) found.import(crate);
      if (declaration.end === '{' && IMPL.test(own.code))
        return { kind: 'impl', owner: implemented(own.code), exported: true };
      return item(own, containers.at(-1), { source, found });
    },
    { inline: (code) => USE.test(code) },
  );
  return found.extract(purposeOf(source));
}

/** `#[derive(Debug)] pub struct …` stands in one declaration. */
function withoutAttributes(declaration: Declaration): Declaration {
  let at = 0;
  let line = declaration.line;
  while (/^#!?\[/.test(declaration.code.slice(at, at + 3))) {
    let depth = 0;
    do {
      if (declaration.code[at] === '[') depth++;
      else if (declaration.code[at] === ']') depth--;
      at++;
    } while (at < declaration.code.length && (depth > 0 || declaration.code[at - 1] !== ']'));
    while (declaration.code[at] === ' ') at++;
    line = declaration.line; // the documentation stands above the attributes
  }
  return { ...declaration, text: declaration.text.slice(at), code: declaration.code.slice(at), line };
}

function item(
  declaration: Declaration,
  container: Container | undefined,
  { source, found }: { source: Source; found: Collector },
): Container | undefined {
  const groups = ITEM.exec(declaration.code)?.groups;
  if (!groups) return undefined;
  const { lead = '', kind, name } = groups;
  const isPublic = lead.startsWith('pub') || kind === 'macro_rules!' || container?.kind === 'trait';
  if (kind === 'mod') {
    if (declaration.end === ';') found.import(`mod ${name}`);
    return declaration.end === '{' && name !== 'tests' && name !== 'test'
      ? { kind: 'mod', exported: isPublic }
      : undefined;
  }
  const above = commentAbove(source, declaration.line, ATTRIBUTE);
  const doc = /^\s*\/(?:\/\/|\*\*)/.test(above) ? docSentence(above) : '';
  const isMember = container !== undefined && container.kind !== 'mod';
  if (!isMember || isPublic) {
    found.define({
      name: name!,
      signature: tidySignature(signatureText(declaration, kind!), isMember ? 120 : 160),
      line: declaration.line + 1,
      exported: isPublic && (container?.exported ?? true),
      ...(isMember && container.owner ? { owner: container.owner } : {}),
      ...(doc ? { doc } : {}),
    });
  }
  return kind === 'trait' && declaration.end === '{' ? { kind: 'trait', owner: name!, exported: isPublic } : undefined;
}

function signatureText({ text, code }: Declaration, kind: string): string {
  const plain = text.replace(/^pub\s+/, '');
  if (kind !== 'const' && kind !== 'static' && kind !== 'type') return plain;
  const value = code.indexOf('=');
  return value === -1 ? plain : text.slice(0, value).replace(/^pub\s+/, '');
}

/** The type of `impl<T: Clone> fmt::Display for Stack<T> where …` */
function implemented(code: string): string {
  const rest = code.replace(IMPL, '').trim();
  const type = / for (?!<)(.*)$/.exec(rest)?.[1] ?? (rest.startsWith('<') ? behindAngles(rest) : rest);
  return /^[&\s]*(?:'\w+\s+)?(?:mut\s+|dyn\s+)?(?:\w+::)*(\w+)/.exec(type.trim())?.[1] ?? 'impl';
}

function behindAngles(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '<') depth++;
    else if (text[at] === '>' && text[at - 1] !== '-' && --depth === 0) return text.slice(at + 1);
  }
  return text;
}

/** `use crate::{store::Store, model}` names two paths; names of packages are kept without what is taken from them. */
function usedPaths(code: string): string[] {
  const tree = code
    .replace(/^(?:pub(?:\s*\([^)]*\))?\s+)?use\s+/, '')
    .replace(/^::/, '')
    .replace(/\s+as\s+\w+/g, '');
  const prefix = /^[\w:\s]*/.exec(tree)![0].replace(/\s/g, '').replace(/::$/, '');
  const root = prefix.split('::')[0] ?? '';
  if (!/^(?:crate|self|super)$/.test(root)) {
    const roots = prefix === '' ? [...tree.matchAll(/[{,]\s*(\w+)/g)].map((match) => match[1]!) : [root];
    return roots.slice(0, 20);
  }
  if (!tree.includes('{')) return [prefix];
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of tree.slice(tree.indexOf('{') + 1)) {
    if (char === '{') depth++;
    else if (char === '}') depth--;
    if (depth < 0 || (depth === 0 && char === ',')) {
      const own = /^\s*([\w:]+)/.exec(part)?.[1]?.replace(/::$/, '');
      if (own) parts.push(own === 'self' ? prefix : `${prefix}::${own}`);
      part = '';
      if (depth < 0) break;
    } else part += char;
  }
  return parts.slice(0, 20);
}

/** `//!` is about the file itself. */
function purposeOf(source: Source): string {
  const inner = source.comments.filter((comment) => /^\/(?:\/|\*)!/.test(comment.text)).slice(0, 50);
  const lines = inner
    .flatMap((comment) => comment.text.split('\n'))
    .map((line) =>
      line
        .trim()
        .replace(/^(?:\/\/!|\/\*!|\*(?!\/))\s?/, '')
        .replace(/\*\/$/, '')
        .trim(),
    );
  const own = purposeText(paragraphsOf(lines).find((each) => !each.startsWith('#')) ?? '');
  if (own !== '') return own;
  const first = source.code.findIndex((code) => code.trim() !== '' && !ATTRIBUTE.test(code));
  return headerPurpose(source.groups, first === -1 ? source.code.length : first);
}
