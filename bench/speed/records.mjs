// Records: one write, and a rebuild of the whole index, as the memory grows.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary, inTurns, removeFolder, withFolder } from './measure.mjs';

export const title = 'Records';
const FOLDERS = {
  decision: 'decisions',
  runbook: 'runbooks',
  constraint: 'constraints',
  tech_debt: 'tech-debt',
  preference: 'preferences',
};

const SEARCH_MS = 150;
const RUNS = { 1000: 11, 10000: 7, 100000: 3 };

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const rows = [];
    const growth = [
      { what: '`cairn index --rebuild`', values: {} },
      { what: '`cairn write --action create`', values: {} },
      { what: '`cairn search`', values: {} },
    ];
    for (const size of quick ? [100, 300] : [1_000, 10_000, 100_000]) {
      say(`${size} records`);
      const project = path.join(base, String(size));
      makeRecords(project, size);
      const env = { CAIRN_HOME: path.join(base, 'home'), CAIRN_MAX_MEMORIES_PER_CATEGORY: '0' };
      const [bare, ...measured] = inTurns(cases(base, project, size), {
        cwd: project,
        env,
        runs: quick ? 2 : RUNS[size],
      });
      if (rows.length === 0) rows.push(bare);
      rows.push(...measured);
      for (const [at, { ms }] of measured.entries()) growth[at].values[size] = ms;
      removeFolder(project);
    }
    return { rows, growth };
  });

function cases(base, project, size) {
  const input = path.join(base, `input-${size}.json`);
  const target = '.claude/memory/decisions/new-one.json';
  const beside = `${size.toLocaleString('en')} records`;
  return [
    {
      what: `\`cairn index --rebuild\`, ${beside}`,
      argv: [binary, 'index', '--rebuild'],
      before: () => rmSync(path.join(project, '.claude/memory/index.md'), { force: true }),
      ...(size === 10_000 ? { budget: 15 } : {}),
    },
    {
      what: `\`cairn write --action create\` beside ${beside}`,
      argv: [binary, 'write', '--action', 'create', '--category', 'decision', '--target', target, '--input', input],
      before: () => {
        rmSync(path.join(project, target), { force: true });
        writeFileSync(input, JSON.stringify(record('decision', 'new-one', size)));
      },
    },
    {
      what: `\`cairn search\`, ${beside}`,
      argv: [binary, 'search', 'storage', 'part-42'],
      ...(size === 10_000 ? { clock: SEARCH_MS } : {}),
      cause: 'a word that stands in every record makes all of them be scored; the rest is starting.',
    },
  ];
}

function makeRecords(project, size) {
  const categories = Object.keys(FOLDERS);
  for (const folder of Object.values(FOLDERS))
    mkdirSync(path.join(project, '.claude/memory', folder), { recursive: true });
  for (let at = 0; at < size; at++) {
    const category = categories[at % categories.length];
    const id = `record-${at}`;
    const text = `${JSON.stringify(record(category, id, at), null, 2)}\n`;
    writeFileSync(path.join(project, '.claude/memory', FOLDERS[category], `${id}.json`), text);
  }
}

const CONTENT = {
  decision: {
    status: 'accepted',
    context: 'The service must survive a restart.',
    decision: 'Keep the state in one file.',
    rationale: ['one file is easy to back up', 'no server to run'],
  },
  runbook: {
    trigger: 'The worker does not start',
    steps: ['read the log', 'free the port', 'start it again'],
    verification: 'The health page answers',
  },
  constraint: {
    kind: 'limitation',
    rule: 'At most ten calls a second',
    impact: ['batch the calls'],
    severity: 'medium',
    active: true,
  },
  tech_debt: {
    status: 'open',
    priority: 'low',
    description: 'Two parsers do the same',
    reason_deferred: 'the release came first',
  },
  preference: { topic: 'formatting', value: 'two spaces', reason: 'the house style', strength: 'strong' },
};

function record(category, id, at) {
  return {
    schema_version: '1.0',
    category,
    id,
    title: `Record ${at} about ${['storage', 'login', 'builds', 'search', 'queues'][at % 5]} and part ${at % 97}`,
    record_status: 'active',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    tags: ['bench', `part-${at % 97}`],
    confidence: 0.8,
    content: CONTENT[category],
    changes: [],
    times_updated: 0,
  };
}
