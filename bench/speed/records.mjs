// Records: one write, and a rebuild of the whole index, as the memory grows.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurns, removeFolder } from './measure.mjs';

export const title = 'Records';
const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../dist/faces/cli/main.js');
const FOLDERS = {
  decision: 'decisions',
  runbook: 'runbooks',
  constraint: 'constraints',
  tech_debt: 'tech-debt',
  preference: 'preferences',
};

export async function measure(say) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  try {
    const rows = [];
    for (const size of [100, 1_000, 10_000]) {
      say(`${size} records`);
      const project = path.join(base, String(size));
      makeRecords(project, size);
      const cairn = (...args) => [binary, ...args];
      const input = path.join(base, `input-${size}.json`);
      const [bare, ...measured] = inTurns(
        [
          {
            what: `\`cairn index --rebuild\`, ${size} records`,
            argv: cairn('index', '--rebuild'),
            before: () => rmSync(path.join(project, '.claude/memory/index.md'), { force: true }),
            ...(size === 10_000 ? { budget: 15 } : {}),
          },
          {
            what: `\`cairn write --action create\` beside ${size} records`,
            argv: cairn(
              'write',
              '--action',
              'create',
              '--category',
              'decision',
              '--target',
              '.claude/memory/decisions/new-one.json',
              '--input',
              input,
            ),
            before: () => {
              rmSync(path.join(project, '.claude/memory/decisions/new-one.json'), { force: true });
              writeFileSync(input, JSON.stringify(record('decision', 'new-one', size)));
            },
          },
        ],
        {
          cwd: project,
          env: { CAIRN_HOME: path.join(base, 'home'), CAIRN_MAX_MEMORIES_PER_CATEGORY: '0' },
          runs: size === 10_000 ? 7 : 11,
        },
      );
      if (rows.length === 0) rows.push(bare);
      rows.push(...measured);
    }
    return rows;
  } finally {
    removeFolder(base);
  }
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
