// Front matter that somebody else wrote, read and changed with the `yaml` package. A change is made in the text, at the places that
// the parser names, so that every other byte stays; then both texts are parsed and compared, comments included. Where that
// cannot be done, the parser writes the whole front matter; where that would lose something too, nothing is changed.

import { isDeepStrictEqual } from 'node:util';
import type { CST, Document, Node, YAMLMap } from 'yaml';
import { CairnError } from '../errors.ts';
import { lateYaml } from './late-yaml.ts';
import type { Item } from './property-lines.ts';
import {
  isShort,
  type PropertyChange,
  type PropertyValue,
  renderFlowList,
  renderProperty,
  renderScalar,
  type Scalar,
} from './property-text.ts';
import { type PairOf, type Parsed, pairsOf, parseYaml, propertyOf, scalarOf, textOf } from './read-yaml.ts';
import { byDocument, commentsOf } from './rewrite-yaml.ts';

export function editYaml(source: string, change: PropertyChange, newline: string): string {
  const before = parseYaml(source);
  if (typeof before === 'string') throw refused(`it is no valid YAML: ${before}`);
  const twice = pairsOf(before).filter(({ key }) => key === change.key);
  if (twice.length > 1) throw refused(`it has the property ${JSON.stringify(change.key)} ${twice.length} times`);
  if (change.texts && twice.length === 1 && twice[0]!.value === undefined)
    throw refused(`its property ${JSON.stringify(change.key)} is no plain list`);
  for (const attempt of [inPlace, byDocument]) {
    const text = orNothing(() => attempt(before, change, newline));
    if (text !== undefined && orNothing(() => keepsAllElse(before, text, change))) return text;
  }
  throw refused(`${JSON.stringify(change.key)} cannot be changed without changing something else`);
}

/** The parser throws at what it reads but cannot follow: an alias of nothing, too many of them. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const refused = (why: string): CairnError =>
  new CairnError('UPDATE_ERROR', `The front matter was left as it is: ${why}.`, {
    fix: 'Correct the front matter in an editor, or make this change there; then try again.',
  });

/** Both texts say the same of all other properties, in the same words and order, and no comment is gone. */
function keepsAllElse(before: Parsed, text: string, change: PropertyChange): boolean {
  const after = parseYaml(text);
  if (typeof after === 'string') return false;
  if (!isDeepStrictEqual(saidBesides(before, change.key), saidBesides(after, change.key))) return false;
  const comments = (parsed: Parsed): string[] =>
    commentsOf(parsed.text)
      .map(({ source }) => source.trimEnd())
      .sort();
  if (!isDeepStrictEqual(comments(before), comments(after))) return false;
  const now = pairsOf(after).filter(({ key }) => key === change.key);
  if (change.texts) return now.length === 1 && isDeepStrictEqual(now[0]!.value?.text, change.texts);
  if (change.value === undefined) return now.length === 0;
  return now.length === 1 && !now[0]!.value?.nested && isDeepStrictEqual(now[0]!.value?.value, change.value);
}

/** Values alone would not do: `1.10` is not `1.1`, and two large numbers may be the same to a computer. */
function saidBesides({ document, links }: Parsed, key: string): unknown[] {
  const { isScalar } = lateYaml();
  const map = document.contents as unknown as YAMLMap | null;
  return (map?.items ?? []).flatMap((pair) => {
    if (isScalar(pair.key) && textOf(pair.key) === key) return [];
    const texts = textsBelow(pair.value as Node | null, document);
    const value = pair.value as Node | null;
    const hidden = links.get(value?.range?.[0] ?? -1);
    return [[(pair.key as Node | null)?.toJS(document), hidden ?? value?.toJS(document, { mapAsMap: true }), texts]];
  });
}

/** Each scalar as it is written, also where an alias stands for it. */
function textsBelow(node: Node | null | undefined, document: Document, texts: string[] = []): string[] {
  const { visit } = lateYaml();
  if (!node || texts.length > MAX_TEXTS) return texts;
  visit(node, {
    Scalar: (_, each) => void texts.push(textOf(each)),
    Alias: (_, each) => void textsBelow(each.resolve(document), document, texts),
  });
  return texts;
}

/** Aliases of aliases may stand for more than fits into memory; `toJS` refuses those. */
const MAX_TEXTS = 20_000;

type Cut = { readonly from: number; readonly to: number; readonly by: string };
type MapItem = CST.BlockMap['items'][number];

function inPlace(parsed: Parsed, change: PropertyChange, newline: string): string | undefined {
  const map = (parsed.document.contents as unknown as YAMLMap | null)?.srcToken;
  if (map && map.type !== 'block-map') return undefined;
  const items = (map?.items ?? []) as MapItem[];
  const at = pairsOf(parsed).find(({ key }) => key === change.key);
  const wanted = change.texts ?? change.value;
  const source = withLinks(parsed);
  if (!at) {
    if (wanted === undefined) return source;
    const first = items[0]?.key;
    const indent = first ? source.slice(lineStart(source, startOf(first)), startOf(first)) : '';
    const open = source === '' || source.endsWith('\n') ? source : source + newline;
    return open + indented(renderProperty(change.key, wanted as PropertyValue, newline), indent);
  }
  const item = items.find(({ key }) => key && startOf(key) === (at.pair.key as Node).range![0]);
  const colon = item?.sep?.find(({ type }) => type === 'map-value-ind');
  if (!item?.key || !colon) return undefined;
  const span = { from: colon.offset + 1, to: valueEnd(item.value) ?? lastOf(item.sep!)! };
  const line = lineStart(source, startOf(item.key));
  if (wanted === undefined) {
    const end = pastComments(source, lineEnd(source, span.to));
    return spliced(source, [{ from: line, to: end, by: commentLines(parsed.text, { from: line, to: end }, newline) }]);
  }
  const cuts = Array.isArray(wanted) ? listCuts(parsed, item, { at, change, newline }) : undefined;
  const whole = cuts ?? [{ ...span, by: ` ${rendered(parsed, at, { change, newline, line })}` }];
  const comments = whole.map((cut) => (cut.from < cut.to ? commentLines(parsed.text, cut, newline) : '')).join('');
  return spliced(source, [
    { from: line, to: line, by: indented(comments, source.slice(line, startOf(item.key))) },
    ...whole,
  ]);
}

/** The value from after the colon; items that are there already with their own text. */
function rendered(parsed: Parsed, at: PairOf, how: { change: PropertyChange; newline: string; line: number }): string {
  const { change, newline } = how;
  if (change.texts === undefined && !Array.isArray(change.value)) return renderScalar(change.value!);
  const written = writtenItems(parsed, at);
  const list: readonly Scalar[] = change.texts ?? (change.value as Scalar[]);
  const texts = list.map(
    (item) => written.find((each) => isSame(each.item, item, change))?.source ?? renderScalar(item),
  );
  const simple = isShort(list) && texts.every((text) => /^[^\s,[\]{}:#]*$|^"[^"]*"$/.test(text));
  if (simple || list.length === 0) return texts.length === 0 ? renderFlowList([]) : `[${texts.join(', ')}]`;
  const indent = ' '.repeat(column(parsed.text, (at.pair.key as Node).range![0]) + 2);
  return `${newline}${texts.map((text) => `${indent}- ${text}`).join(newline)}`;
}

const isSame = (item: Item, wanted: Scalar, change: PropertyChange): boolean =>
  change.texts ? item.text === wanted : Object.is(item.value, wanted);

/** Scalars on one line, with the text that stands there. */
function writtenItems({ text }: Parsed, { pair }: PairOf): { item: Item; source: string }[] {
  const { isSeq, isScalar } = lateYaml();
  const nodes = isSeq(pair.value) ? pair.value.items : [pair.value];
  return nodes.flatMap((node) => {
    if (!isScalar(node) || node.anchor || node.tag || !node.range || node.range[0] === node.range[1]) return [];
    const source = text.slice(node.range[0], node.range[1]);
    const item = scalarOf(node);
    return item && !/[\n\r]/.test(source) && !/^[|>~]/.test(source) ? [{ item, source }] : [];
  });
}

/** A list that only loses and gains items keeps all others, with the comments between them; `undefined` if that is not enough. */
function listCuts(
  parsed: Parsed,
  item: MapItem,
  how: { at: PairOf; change: PropertyChange; newline: string },
): Cut[] | undefined {
  const { isSeq } = lateYaml();
  const { at, change, newline } = how;
  const { value } = item;
  const list = at.pair.value;
  if (!isSeq(list) || list.anchor || !value || !('items' in value)) return undefined;
  const tokens = (value.items as CST.BlockSequence['items']).filter(isItem);
  const nodes = list.items.map((node) => propertyOf(node as Node | null, parsed.document));
  if (tokens.length !== nodes.length) return undefined;
  const wanted: readonly Scalar[] = change.texts ?? (change.value as Scalar[]);
  let next = 0;
  const kept = nodes.map((node) => {
    const texts = node && (Array.isArray(node.text) ? node.text : [node.text]);
    const stays =
      texts?.length === 1 &&
      (change.texts !== undefined || !Array.isArray(node!.text)) &&
      next < wanted.length &&
      isSame({ value: [node!.value].flat()[0]!, text: texts[0]! }, wanted[next]!, change);
    if (stays) next++;
    return stays;
  });
  const last = kept.lastIndexOf(true);
  if (last === -1) return undefined;
  const more = wanted.slice(next).map(renderScalar);
  const places = { parsed, tokens, kept, last, more, newline };
  return value.type === 'block-seq' ? blockCuts(places) : flowCuts(places);
}

type Places = {
  parsed: Parsed;
  tokens: CST.BlockSequence['items'];
  kept: boolean[];
  last: number;
  more: string[];
  newline: string;
};

function blockCuts({ parsed: { text }, tokens, kept, last, more, newline }: Places): Cut[] {
  const dash = (at: number): number => tokens[at]!.start.find(({ type }) => type === 'seq-item-ind')!.offset;
  const endOf = (at: number): number => valueEnd(tokens[at]!.value) ?? lastOf(tokens[at]!.start)!;
  const gone = tokens.flatMap((_, at) =>
    kept[at] ? [] : [{ from: lineStart(text, dash(at)), to: lineEnd(text, endOf(at)), by: '' }],
  );
  const end = lineEnd(text, endOf(last));
  const indent = text.slice(lineStart(text, dash(0)), dash(0));
  const added = more.map((each) => `${indent}- ${each}${newline}`).join('');
  return added === '' ? gone : [...gone, { from: end, to: end, by: added }];
}

function flowCuts({ tokens, kept, last, more }: Places): Cut[] {
  const beginning = (at: number): number => {
    const sign = tokens[at]!.start.find(({ type }) => type === 'anchor' || type === 'tag');
    return sign?.offset ?? startOf(tokens[at]!.value!);
  };
  const endOf = (at: number): number => valueEnd(tokens[at]!.value)!;
  const gone = kept.flatMap((stays, at) =>
    stays || at > last ? [] : [{ from: beginning(at), to: beginning(at + 1), by: '' }],
  );
  const added = more.map((each) => `, ${each}`).join('');
  return [...gone, { from: endOf(last), to: endOf(tokens.length - 1), by: added }];
}

/** In a list, what is no item holds comments only. */
const isItem = (item: {
  readonly start: readonly CST.SourceToken[];
  readonly value?: CST.Token | undefined;
}): boolean => item.value !== undefined || item.start.some(({ type }) => type === 'seq-item-ind');

/** Where a value ends, without the blanks, comments and line ends behind it. */
function valueEnd(token: CST.Token | undefined): number | undefined {
  if (!token) return undefined;
  const { CST: cst } = lateYaml();
  if (token.type === 'block-scalar') {
    const whole = cst.stringify(token);
    const keeps = token.props.some((each) => each.type === 'block-scalar-header' && each.source.includes('+'));
    return startOf(token) + (keeps ? whole.replace(/\r?\n$/, '') : whole.trimEnd()).length;
  }
  if (token.type === 'flow-collection')
    return token.end.find(({ type }) => type === 'flow-seq-end' || type === 'flow-map-end')!.offset + 1;
  if (token.type === 'block-seq' || token.type === 'block-map') {
    const item = token.items.findLast((each) => each.value || ('key' in each && each.key) || isItem(each));
    return item && (valueEnd(item.value) ?? lastOf([...(item.start ?? []), ...(item.sep ?? [])]));
  }
  return 'source' in token ? token.offset + token.source.length : undefined;
}

/** The end of the last token that says something. */
function lastOf(tokens: readonly CST.SourceToken[]): number | undefined {
  const last = tokens.findLast(({ type }) => !['space', 'comment', 'newline', 'comma'].includes(type));
  return last && last.offset + last.source.length;
}

const startOf = (token: CST.Token): number => token.offset;
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const column = (text: string, at: number): number => at - lineStart(text, at);
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', Math.max(0, at));
  return end === -1 ? text.length : end + 1;
}

/** Indented comments below a value that goes would become part of the text above it. */
function pastComments(text: string, at: number): number {
  const comments = /(?:[ \t]+#[^\n]*(?:\n|$))*/y;
  comments.lastIndex = at;
  return at + (comments.exec(text)?.[0].length ?? 0);
}

function spliced(text: string, cuts: readonly Cut[]): string {
  return [...cuts]
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((rest, { from, to, by }) => rest.slice(0, from) + by + rest.slice(to), text);
}

const indented = (lines: string, indent: string): string =>
  indent === '' ? lines : lines.replace(/^(?=[^\n])/gm, indent);

/** The comments of a part of the text that goes, on lines of their own. */
function commentLines(text: string, { from, to }: { from: number; to: number }, newline: string): string {
  return commentsOf(text)
    .filter(({ offset }) => offset >= from && offset < to)
    .map(({ source }) => `${source}${newline}`)
    .join('');
}

function withLinks({ text, links }: Parsed): string {
  return spliced(
    text,
    [...links].map(([offset, list]) => ({ from: offset, to: offset + list.length, by: list })),
  );
}
