// The report of `npm run bench`: a page that is measured again replaces its own section and nothing else.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

type Facts = { [name: string]: string | number };
type Report = {
  sectionText(page: string, title: string, result: unknown, facts: Facts): string;
  putSection(report: string, page: string, text: string, order: readonly string[]): string;
  verdicts(report: string): { met: { what: string }[]; missed: { what: string; measured: string; budget: string }[] };
};

const file = path.resolve(import.meta.dirname, '../../bench/report.mjs');
const { sectionText, putSection, verdicts } = (await import(pathToFileURL(file).href)) as Report;

const ORDER = ['hooks', 'recall', 'peers'];
const facts = (more: Facts = {}): Facts => ({
  date: '2026-01-02 03:04',
  commit: 'abc1234',
  node: 'v20',
  system: 'linux',
  cores: '2 × x',
  memory: '8 GB',
  busy: 0,
  seconds: 7,
  ...more,
});
const hooks = (ratio: number, commit = 'abc1234') =>
  sectionText('hooks', 'Command hooks', [{ what: 'guard | check', ms: 50, ratio, budget: 1.3 }], facts({ commit }));
const recall = sectionText(
  'recall',
  'Recall',
  {
    rows: [{ what: 'one recall', shown: '22.1 ms', wanted: '≤ 15 ms', met: false }],
    growth: [{ what: 'recall', values: { 1000: 2, 100000: 8 } }],
    tables: [{ title: 'On the disk', head: ['what', 'size'], lines: [['all', '3 MB']] }],
    notes: ['A note.'],
  },
  facts(),
);

it('keeps the order of the pages, whichever was measured first', () => {
  const report = putSection(putSection('', 'recall', recall, ORDER), 'hooks', hooks(1.2), ORDER);
  expect(report.indexOf('## Command hooks')).toBeLessThan(report.indexOf('## Recall'));
  expect(report).toContain('Not measured yet: peers.');
});

it('replaces one section and leaves the others as they were', () => {
  const before = putSection(putSection('', 'recall', recall, ORDER), 'hooks', hooks(1.2), ORDER);
  const after = putSection(before, 'hooks', hooks(1.5, 'def5678'), ORDER);
  expect(after).toContain('commit def5678');
  expect(after.split('<!-- page hooks -->')).toHaveLength(2);
  expect(after).toContain(recall.trimEnd());
  expect(putSection(after, 'hooks', hooks(1.5, 'def5678'), ORDER)).toBe(after);
});

it('lists every budget on top, the missed ones first', () => {
  const report = putSection(putSection('', 'recall', recall, ORDER), 'hooks', hooks(1.2), ORDER);
  expect(report).toContain('1 met, 1 missed.');
  const { met, missed } = verdicts(report);
  expect(missed).toEqual([expect.objectContaining({ what: 'one recall', measured: '22.1 ms', budget: '≤ 15 ms' })]);
  expect(met).toEqual([expect.objectContaining({ what: 'guard | check', measured: '1.20 × (50 ms)' })]);
});

it('says how much ten times the size costs', () => {
  expect(recall).toContain('| recall | 2.0 ms | 8.0 ms | 2.00 × |');
});

it('gives the cause of a missed budget, and of no other', () => {
  const rows = (ratio: number) => [{ what: 'guard', ms: 50, ratio, budget: 1.3, cause: 'it reads too much' }];
  expect(sectionText('hooks', 'Hooks', rows(2), facts())).toContain('- Missed, guard: it reads too much');
  expect(sectionText('hooks', 'Hooks', rows(1), facts())).not.toContain('it reads too much');
});

it('says when the machine was busy', () => {
  const rows = [{ what: 'x', shown: '1' }];
  expect(sectionText('hooks', 'Hooks', rows, facts({ busy: 0.6 }))).toContain('60 % of the processor');
  expect(sectionText('hooks', 'Hooks', rows, facts())).not.toContain('of the processor');
});

it('drops what was not written by it', () => {
  expect(putSection('# Old\n\n## Hooks\n\nmy own words\n', 'hooks', hooks(1), ORDER)).not.toContain('my own words');
});
