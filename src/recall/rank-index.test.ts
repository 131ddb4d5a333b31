import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIndexLine } from '../records/index-line.ts';
import { type CategoryRank, type RankedEntry, rankIndex } from './rank-index.ts';

/** The definition, without any thought of speed. */
function rankSimply(
  text: string,
  words: ReadonlySet<string>,
  categories: ReadonlyMap<string, CategoryRank>,
): RankedEntry[] {
  return text
    .split('\n')
    .flatMap((line) => parseIndexLine(line) ?? [])
    .map((entry) => {
      const { enabled, priority, points } = categories.get(entry.display) ?? { enabled: true, priority: 10, points: 0 };
      return { entry, enabled, priority, score: points + scoreSimply(words, entry) };
    })
    .filter((each) => each.score > 0 && each.enabled)
    .sort((a, b) => b.score - a.score || a.priority - b.priority)
    .map(({ entry, score, priority }) => ({ entry, score, priority }));
}

function scoreSimply(words: ReadonlySet<string>, entry: { title: string; tags: string[] }): number {
  const title = new Set((entry.title.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((each) => each.length > 2));
  for (const stop of ['would', 'the', 'about']) title.delete(stop); // the stop words of the vocabulary below
  const tags = new Set(entry.tags.map((tag) => tag.toLowerCase()));
  const exactTitle = [...words].filter((word) => title.has(word));
  const exactTags = [...words].filter((word) => tags.has(word));
  const others = [...words].filter((word) => !exactTitle.includes(word) && !exactTags.includes(word));
  const begun = others.filter(
    (word) => word.length >= 4 && [...title, ...tags].some((target) => target.startsWith(word)),
  );
  return 2 * exactTitle.length + 3 * exactTags.length + begun.length;
}

const CATEGORIES: ReadonlyMap<string, CategoryRank> = new Map([
  ['DECISION', { enabled: true, priority: 1, points: 0 }],
  ['RUNBOOK', { enabled: true, priority: 4, points: 0 }],
  ['PREFERENCE', { enabled: false, priority: 3, points: 2 }],
  ['SESSION_SUMMARY', { enabled: true, priority: 6, points: 0 }],
]);

const WORDS = [
  'alpha',
  'alphabet',
  'alph',
  'beta',
  'beta2',
  'memory',
  'json',
  'decision',
  'k8s',
  'woul',
  'abi',
  'docker',
];
const VOCABULARY = [
  ...['Alpha', 'alphabet', 'ALPHABETICAL', 'alpha-beta', 'Beta', 'beta2', 'memory', 'json', 'would', 'the', 'about'],
  ...['\u212a8s', 'ABİ', 'abi', 'docker-compose', 'compose', 'tech_debt', 'über', '日本', '->', '[x]', '#tags:', '...'],
];

const word = fc.constantFrom(...VOCABULARY);
const title = fc.array(word, { minLength: 1, maxLength: 6 }).map((each) => each.join(' '));
const tags = fc.array(fc.oneof(word, title), { maxLength: 4 });
const display = fc.constantFrom('DECISION', 'RUNBOOK', 'PREFERENCE', 'SESSION_SUMMARY', 'POEM', 'decision');
const blank = fc.constantFrom(' ', '  ', '\t', '');
const entryLine = fc
  .tuple(display, title, fc.option(tags), blank, fc.constantFrom('', ' ', '\r', '   -'))
  .map(([category, text, list, gap, edge]) => {
    const end = list ? `${gap}#tags:${list.join(` ,${gap}`)}` : '';
    return `${edge.trim()}- [${category}] ${text}${gap || ' '}->${gap || ' '}.claude/memory/decisions/json.json${end}${edge}`;
  });
const plainLine = fc
  .tuple(fc.constantFrom('DECISION', 'RUNBOOK', 'SESSION_SUMMARY'), title, tags)
  .map(
    ([category, text, list]) =>
      `- [${category}] ${text} -> .claude/memory/x/${list.length}.json #tags:${list.join(',')}`,
  );
const line = fc.oneof({ weight: 3, arbitrary: plainLine }, entryLine, title, fc.string());
const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join('\n'));
const words = fc.subarray(WORDS, { minLength: 1 }).map((each) => new Set(each));
/** From how many occurrences on a word counts as common; the answer must not depend on it. */
const often = fc.constantFrom(1, 2, 3, 5, 1_000);
const manyWords = words.map((each) => new Set([...each, ...Array.from({ length: 70 }, (_, at) => `filler${at}`)]));

describe('rankIndex', () => {
  it('gives what parsing and scoring every line gives', () => {
    fc.assert(
      fc.property(text, fc.oneof(words, manyWords), often, (index, wanted, count) => {
        expect([...rankIndex(index, wanted, CATEGORIES, count)]).toEqual(rankSimply(index, wanted, CATEGORIES));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same where categories add points of their own', () => {
    const described = new Map([...CATEGORIES, ['RUNBOOK', { enabled: true, priority: 4, points: 2 }] as const]);
    fc.assert(
      fc.property(text, words, often, (index, wanted, count) => {
        expect([...rankIndex(index, wanted, described, count)]).toEqual(rankSimply(index, wanted, described));
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not count words of the category and of the path', () => {
    const index = '- [DECISION] Nothing here -> .claude/memory/decisions/alpha.json #tags:other';
    expect([...rankIndex(index, new Set(['decision', 'alpha', 'memory', 'json', 'claude']), CATEGORIES)]).toEqual([]);
  });

  it('passes over lines too long for an entry', () => {
    const index = `- [DECISION] ${'alpha '.repeat(200_000)} -> x.json #tags:${'alpha,'.repeat(200_000)}`;
    expect([...rankIndex(index, new Set(['alpha']), CATEGORIES)]).toEqual([]);
  });
});
