// Front matter as the `yaml` package reads it: what it says of the properties that Cairn knows how to use, a scalar or a list of
// them. Everything else is kept and not looked into; an alias stands for one value and never for more, so no file can make this grow.

import type { Alias, Document, Node, Pair, Scalar as ScalarNode, YAMLMap, YAMLSeq } from 'yaml';
import { lateYaml } from './late-yaml.ts';
import { type Item, listOf, MAX_ITEMS, type Property, wikiLinks } from './property-lines.ts';
import type { Scalar } from './property-text.ts';

export type Parsed = {
  readonly document: Document.Parsed;
  /** What was parsed: the source, with links that are no YAML put out of the parser's sight. */
  readonly text: string;
  readonly links: ReadonlyMap<number, string>;
};

const OPTIONS = {
  keepSourceTokens: true,
  uniqueKeys: false,
  logLevel: 'silent',
  prettyErrors: false,
} as const;

/** The properties by key, `undefined` for those that are neither a scalar nor a list of them; or why it is no YAML. */
export function readYaml(source: string): Map<string, Property | undefined> | string {
  const parsed = parseYaml(source);
  if (typeof parsed === 'string') return parsed;
  const found = new Map<string, Property | undefined>();
  for (const { key, value } of pairsOf(parsed)) found.set(key, value);
  return found;
}

export function parseYaml(source: string): Parsed | string {
  const plain = { text: source, links: new Map<number, string>() };
  const parsed = parseWhole(plain);
  if (typeof parsed !== 'string') return parsed;
  const masked = maskLinks(source);
  return masked.links.size > 0 ? parseWhole(masked) : parsed;
}

function parseWhole({ text, links }: Omit<Parsed, 'document'>): Parsed | string {
  try {
    const document = lateYaml().parseDocument(text, OPTIONS);
    const [error] = document.errors;
    if (!error) return checked({ document, text, links });
    // Counted in the file, whose first line is the one that opens the front matter.
    return `line ${text.slice(0, error.pos[0]).split('\n').length + 1}: ${error.message}`;
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deep';
    throw error;
  }
}

function checked(parsed: Parsed): Parsed | string {
  const { isMap } = lateYaml();
  const { contents } = parsed.document;
  return contents === null || isMap(contents) ? parsed : 'it holds no properties, but a list or a text';
}

/** `key: [[a]], [[b]]` as a quoted text of the same length: everything else keeps its place. */
function maskLinks(source: string): { text: string; links: Map<number, string> } {
  const links = new Map<number, string>();
  const text = source.replace(
    /^([^\n#:]{1,200}:[ \t]+)(\[\[[^[\]\n]+\]\](?:[ \t]*,[ \t]*\[\[[^[\]\n]+\]\])+)(?=[ \t]*(?:,[ \t]*)?(?:\r?\n|$|[ \t]#))/gm,
    (_, start: string, list: string, ...rest: unknown[]) => {
      const offset = rest.find((each): each is number => typeof each === 'number')! + start.length;
      links.set(offset, list);
      return `${start}"${'~'.repeat(list.length - 2)}"`;
    },
  );
  return { text, links };
}

export type PairOf = { readonly key: string; readonly pair: Pair; readonly value: Property | undefined };

export function pairsOf({ document, links }: Parsed): PairOf[] {
  const { isScalar } = lateYaml();
  const map = document.contents as unknown as YAMLMap | null;
  return (map?.items ?? []).flatMap((pair) => {
    if (!isScalar(pair.key)) return [];
    const hidden = links.get((pair.value as Node | null)?.range?.[0] ?? -1);
    const value = hidden === undefined ? propertyOf(pair.value as Node | null, document) : linkList(hidden);
    return [{ key: textOf(pair.key), pair, value }];
  });
}

const linkList = (text: string): Property => {
  const items = wikiLinks(text)!.map((each) => each.text);
  return { value: items, text: items };
};

export const textOf = (node: ScalarNode): string => node.source ?? String(node.value ?? '');

export function propertyOf(node: Node | null, document: Document): Property | undefined {
  const { isSeq } = lateYaml();
  const whole = isSeq(node) ? node : resolved(node, document);
  if (!isSeq(whole)) return scalarOf(whole);
  return listOf(flat(whole as YAMLSeq, document));
}

/** Lists in a list are links without quotes: `[[a], [b]]`. */
function flat(list: YAMLSeq, document: Document, depth = 0): Item[] | undefined {
  const { isSeq } = lateYaml();
  const items: Item[] = [];
  for (const each of list.items) {
    const inner = isSeq(each) && depth < 2 ? flat(each, document, depth + 1) : undefined;
    const own = isSeq(each) ? inner : scalarOf(resolved(each as Node | null, document));
    if (own === undefined || items.length >= MAX_ITEMS) return undefined;
    items.push(...(Array.isArray(own) ? own.map((item) => ({ ...item, nested: true })) : [own]));
  }
  return items;
}

/** An alias for what it stands for; never more than one step, so that nothing grows. */
const resolved = (node: Node | null, document: Document): Node | null | undefined =>
  lateYaml().isAlias(node) ? (node as Alias).resolve(document) : node;

export function scalarOf(node: Node | null | undefined): Item | undefined {
  if (node === null) return { value: null, text: '' };
  if (!lateYaml().isScalar(node) || !isPlainTag(node.tag)) return undefined;
  const { value } = node;
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  return { value: value as Scalar, text: textOf(node) };
}

/** A tag of YAML's own core; what another tag makes of a value is not known here. */
const isPlainTag = (tag: string | undefined): boolean =>
  tag === undefined || /^tag:yaml\.org,2002:(?:str|int|float|bool|null)$/.test(tag);
