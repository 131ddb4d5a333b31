// The way out where a change cannot be made in the text alone: `yaml` writes the whole front matter from its document, which keeps
// comments and styles of its own, but not every blank. It is taken for properties in braces and for values that others refer to.

import type { Alias, Document, Node, Pair, YAMLSeq } from 'yaml';
import { lateYaml } from './late-yaml.ts';
import type { PropertyChange } from './property-text.ts';
import { type Parsed, scalarOf, textOf } from './read-yaml.ts';

export function byDocument({ text, links }: Parsed, change: PropertyChange, newline: string): string | undefined {
  const { parseDocument, isMap, isScalar } = lateYaml();
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  if (!isMap(document.contents) || links.size > 0) return undefined;
  const map = document.contents;
  const pair = map.items.find(({ key }) => isScalar(key) && textOf(key) === change.key) as Pair<Node, Node> | undefined;
  if (pair?.value) freeAliases(document, pair.value);
  if (change.texts === undefined && change.value === undefined) {
    map.items = map.items.filter((each) => each !== pair);
    const left = [pair?.key.commentBefore, pair?.value?.commentBefore, pair?.value?.comment, document.comment];
    document.comment = left.filter((each) => each).join('\n') || null;
  } else if (pair) pair.value = commented(valueFor(document, pair.value, change), pair.value);
  else document.set(change.key, change.texts ?? change.value);
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: !/\{\S/.test(text) });
  return newline === '\n' ? written : written.replaceAll('\n', newline);
}

/** What refers to a part of this value gets it for itself. */
function freeAliases(document: Document, value: Node): void {
  const { visit } = lateYaml();
  const inside = new Set<Node>();
  visit(value, { Node: (_, node) => void inside.add(node) });
  visit(document, {
    Alias: (_, alias: Alias) => {
      const target = alias.resolve(document);
      if (!target || !inside.has(target) || inside.has(alias)) return undefined;
      const copy = target.clone() as Node;
      visit(copy, {
        Node: (__, node) => {
          node.comment = null;
          node.commentBefore = null;
          if ('anchor' in node) delete node.anchor;
        },
      });
      return copy;
    },
  });
}

function valueFor(document: Document, old: Node | null, change: PropertyChange): Node {
  const { isSeq, isScalar } = lateYaml();
  if (change.texts === undefined && !Array.isArray(change.value)) return document.createNode(change.value) as Node;
  const list = document.createNode(change.texts ?? change.value) as YAMLSeq;
  if (!isSeq(old)) return list;
  if (old.flow !== undefined) list.flow = old.flow;
  list.items = list.items.map((made) => {
    const { value } = made as { value: unknown };
    return (
      old.items.find((each) => {
        const item = isScalar(each) ? scalarOf(each) : undefined;
        return item !== undefined && (change.texts ? item.text === value : Object.is(item.value, value));
      }) ?? made
    );
  });
  return list;
}

function commented(made: Node, old: Node | null): Node {
  if (old?.comment) made.comment = old.comment;
  if (old?.commentBefore) made.commentBefore = old.commentBefore;
  return made;
}

/** Every comment with its place. */
export function commentsOf(text: string): { offset: number; source: string }[] {
  const { Lexer } = lateYaml();
  const found: { offset: number; source: string }[] = [];
  let [offset, isScalar] = [0, false];
  for (const source of new Lexer().lex(text)) {
    if (!isScalar && SIGNS.includes(source)) {
      isScalar = source === SCALAR;
      continue;
    }
    if (!isScalar && source.startsWith('#')) found.push({ offset, source });
    isScalar = false;
    offset += source.length;
  }
  return found;
}

/** What the lexer puts between the parts of the text. */
const SCALAR = '\u001f';
const SIGNS = ['\u0002', '\u0018', SCALAR];
