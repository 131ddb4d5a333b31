import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { defaultSettings } from '../config/settings/settings.ts';
import { Kinds } from '../model/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import { matchTitleTags } from './title-tags.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
let recordStore: RecordStore;

beforeEach(() => {
  const projectRoot = temporaryFolder();
  const root = path.join(projectRoot, '.claude/memory');
  for (const folder of ['decisions', 'sessions']) fs.mkdirSync(path.join(root, folder), { recursive: true });
  const rules = defaultSettings();
  recordStore = { root, projectRoot, deletedCopies: '', kinds: new Kinds(rules.categories), rules, now: () => NOW };
});

const PROMPT = 'alpha beta gamma delta epsilon';

function find(
  lines: readonly string[],
  options: { prompt?: string; limit?: number; decision?: string } = {},
): string[] {
  const { prompt = PROMPT, limit = 5, decision = '' } = options;
  return matchTitleTags(recordStore, lines.join('\n'), { prompt, limit, descriptions: { decision } }).map(
    ({ entry, score }) => `${path.basename(entry.path, '.json')} ${score}`,
  );
}

/** Writes a record and returns its index line. */
function record(slug: string, title: string, fields: { [key: string]: unknown } = {}, tags = ''): string {
  const { category = 'decision', ...rest } = fields;
  const folder = category === 'decision' ? 'decisions' : 'sessions';
  const data = { category, id: slug, title, record_status: 'active', updated_at: '2026-01-01T00:00:00Z', ...rest };
  fs.writeFileSync(path.join(recordStore.root, folder, `${slug}.json`), JSON.stringify(data));
  const end = tags === '' ? '' : ` #tags:${tags}`;
  return `- [${String(category).toUpperCase()}] ${title} -> .claude/memory/${folder}/${slug}.json${end}`;
}

const named = (slug: string, title: string) => `- [DECISION] ${title} -> .claude/memory/decisions/${slug}.json`;

describe('the text', () => {
  it('scores 2 for a word of the title, 3 for a tag, 1 for a beginning, and both for a word in title and tags', () => {
    expect(
      find([
        record('title', 'Alpha note'),
        record('tag', 'Other', {}, 'alpha'),
        record('begun', 'Alphabet'),
        record('both', 'Alpha', {}, 'alpha'),
        record('none', 'Nothing'),
      ]),
    ).toEqual(['both 5', 'tag 3', 'title 2', 'begun 1']);
  });

  it('lets a word begin another in one direction only, from four letters on', () => {
    expect(find([named('x', 'Configuration')], { prompt: 'conf files please' })).toEqual(['x 1']);
    expect(find([named('x', 'Config')], { prompt: 'about the configuration' })).toEqual([]);
    expect(find([named('x', 'Apidoc')], { prompt: 'the api of this thing' })).toEqual([]);
  });

  it('has no words in a prompt of stop words and short ones', () => {
    expect(find([named('x', 'This is how we do it')], { prompt: 'how do we do this in go?' })).toEqual([]);
  });

  it('orders equal scores by category, unknown categories last, then as in the index', () => {
    const lines = ['POEM', 'SESSION_SUMMARY', 'DECISION', 'CONSTRAINT', 'DECISION'].map(
      (display, at) => `- [${display}] Alpha -> .claude/memory/decisions/${at}.json`,
    );
    expect(find(lines)).toEqual(['2 2', '4 2', '3 2', '1 2', '0 2']);
  });
});

describe('the description of a category', () => {
  it('adds a point for a word and a half for a beginning, rounded down, two at most', () => {
    const lines = [named('x', 'Unrelated')];
    expect(find(lines, { decision: 'alphabet' })).toEqual([]);
    expect(find(lines, { decision: 'alphabet betamax' })).toEqual(['x 1']);
    expect(find(lines, { decision: 'alpha betamax' })).toEqual(['x 1']);
    expect(find(lines, { decision: 'alpha beta gamma' })).toEqual(['x 2']);
  });
});

describe('the record', () => {
  it('gets a point if it changed in the last 30 days, however its time is written', () => {
    const recent = ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00+02:00', '2026-06-01T00:00:00', '2026-06-01'];
    for (const updated_at of [...recent, '2026-06-01 10:00:00.123456+00:00', '2026-05-15T13:00:00Z', '2027-01-01'])
      expect(find([record('x', 'Alpha', { updated_at })]), updated_at).toEqual(['x 3']);
    for (const updated_at of ['2026-05-15T11:00:00Z', 'yesterday', '', null, 1_780_000_000, undefined])
      expect(find([record('x', 'Alpha', { updated_at })]), String(updated_at)).toEqual(['x 2']);
  });

  it('is left out when it is retired or archived, and counts as active without a status', () => {
    const lines = [
      record('retired', 'Alpha beta', { record_status: 'retired' }),
      record('archived', 'Alpha beta', { record_status: 'archived' }),
      record('plain', 'Alpha', { record_status: undefined }),
    ];
    expect(find(lines)).toEqual(['plain 2']);
  });

  it('is shown without the point when it is missing, broken, odd or no file', () => {
    fs.writeFileSync(path.join(recordStore.root, 'decisions/broken.json'), '{');
    fs.writeFileSync(path.join(recordStore.root, 'decisions/list.json'), '[]');
    fs.writeFileSync(path.join(recordStore.root, 'decisions/number.json'), '7');
    fs.mkdirSync(path.join(recordStore.root, 'decisions/folder.json'));
    const slugs = ['broken', 'list', 'number', 'folder', 'missing'];
    expect(find(slugs.map((slug) => named(slug, 'Alpha')))).toEqual(slugs.map((slug) => `${slug} 2`));
  });

  it('is known as retired even where a byte of it is not UTF-8', () => {
    const file = path.join(recordStore.root, 'decisions/bytes.json');
    fs.writeFileSync(file, Buffer.from('{"record_status":"retired","title":"\xff"}', 'latin1'));
    expect(find([named('bytes', 'Alpha')])).toEqual([]);
  });

  it('outside the memory root is never read nor shown, by path or by link', () => {
    const outside = path.join(recordStore.projectRoot, 'secret.json');
    fs.writeFileSync(outside, '{}');
    fs.symlinkSync(outside, path.join(recordStore.root, 'decisions/link.json'));
    fs.mkdirSync(path.join(recordStore.projectRoot, 'elsewhere'));
    fs.writeFileSync(path.join(recordStore.projectRoot, 'elsewhere/x.json'), '{}');
    fs.symlinkSync('../../elsewhere', path.join(recordStore.root, 'runbooks'));
    const paths = [
      '.claude/memory/runbooks/x.json',
      '../../etc/passwd',
      '/etc/passwd',
      'secret.json',
      '.claude/memory/../../secret.json',
    ];
    const lines = [...paths, '.claude/memory/decisions/link.json'].map((each) => `- [DECISION] Alpha -> ${each}`);
    expect(find(lines)).toEqual([]);
  });

  it('may be named by an absolute path inside the root', () => {
    const line = record('x', 'Alpha').replace('.claude', `${recordStore.projectRoot}/.claude`);
    expect(find([line])).toEqual(['x 2']);
  });

  it('is shown once, however often the index names it', () => {
    const line = record('x', 'Alpha');
    expect(find([line, line, line.replace('Alpha', 'Alpha beta')])).toEqual(['x 4']);
  });
});

describe('the second pass', () => {
  const many = (count: number, fields: (at: number) => { [key: string]: unknown } = () => ({})) =>
    Array.from({ length: count }, (_, at) => record(`e${at + 1}`, 'Alpha', fields(at + 1)));

  it('gives the bonus to the first twenty only', () => {
    const lines = many(25, (at) => (at >= 20 ? { updated_at: '2026-06-10T00:00:00Z' } : {}));
    expect(find(lines, { limit: 2 })).toEqual(['e20 3', 'e1 2']);
  });

  it('looks on behind the first twenty until enough live ones are found', () => {
    const lines = many(60, (at) => (at <= 50 && at !== 3 ? { record_status: 'retired' } : {}));
    expect(find(lines, { limit: 4 })).toEqual(['e3 2', 'e51 2', 'e52 2', 'e53 2']);
  });

  it('lets the bonus lift a weaker match beside a better one, where the category decides', () => {
    const lines = [
      record('session', 'Alpha beta', { category: 'session_summary' }),
      record('decision', 'Other', { updated_at: '2026-06-10T00:00:00Z' }, 'alpha'),
    ];
    expect(find(lines)).toEqual(['decision 4', 'session 4']);
  });

  it('gives no more than was asked for', () => {
    expect(find(many(30), { limit: 20 })).toHaveLength(20);
    expect(find(many(30), { limit: 0 })).toEqual([]);
  });
});

describe('a category that is switched off', () => {
  it('is not searched', () => {
    recordStore.rules.categories.decision!.enabled = false;
    expect(find([record('x', 'Alpha'), record('s', 'Alpha', { category: 'session_summary' })])).toEqual(['s 2']);
  });
});
