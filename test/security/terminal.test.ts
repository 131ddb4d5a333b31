// A clone brings titles, tags, file names and settings from anybody. Whatever a person runs to look at them, a terminal must find
// nothing in the output that it obeys.

import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';

const EVIL = '\x1b[31m\u202eEVIL';

/** Commands that tell of conversations. */
const SAID = /^(?:topics|stats|remember Redis|reindex|export|doctor)/;

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
  const evil = sampleRecord('decision', {
    id: 'evil',
    title: `${EVIL} title`,
    tags: [`${EVIL}tag`],
    related_files: [EVIL],
  });
  put(cli.file('decisions/evil'), { ...evil, changes: [{ date: '2026-01-01T00:00:00Z', summary: EVIL }] });
  put(cli.file('decisions/gone'), {
    ...evil,
    id: 'gone',
    record_status: 'retired',
    retired_reason: EVIL,
    retired_at: new Date().toISOString(),
  });
  put(cli.file(`decisions/torn${EVIL}`), '{');
  put(
    path.join(cli.root, 'index.md'),
    `# Memory Index\n\n- [DECISION] ${EVIL} -> .claude/memory/decisions/${EVIL}.json #tags:${EVIL}\n`,
  );
  cli.configure({ retrieval: { max_inject: EVIL }, categories: { decision: { description: EVIL } }, [EVIL]: 1 });
  put(
    path.join(cli.root, 'nodes/tasks/task-evil.md'),
    `---\nid: task-evil\ntype: task\nstatus: ${EVIL}\ntags: ["${EVIL}"]\n---\n\n# Task: ${EVIL}\n\n${EVIL} [[${EVIL}]] #${EVIL}\n`,
  );
  const line = {
    uuid: 'u',
    sessionId: `s1${EVIL}`,
    cwd: cli.project,
    gitBranch: EVIL,
    timestamp: '2026-04-02T10:00:00Z',
  };
  const content = `We decided to use ${EVIL} Redis because ${EVIL} it is fast. What about ${EVIL}?`;
  put(
    path.join(cli.home, '.claude/projects/p/s1.jsonl'),
    `${JSON.stringify({ type: 'user', ...line, message: { role: 'user', content } })}\n`,
  );
  put(path.join(cli.home, '.claude/projects/p', `${EVIL}.jsonl`), `{"cwd":${JSON.stringify(cli.project)}}\n{torn\n`);
  put(path.join(cli.project, 'adr', `${EVIL}.md`), `# ${EVIL}\n\nStatus: accepted\n\n## Decision\n${EVIL}\n`);
});

describe('a terminal finds nothing to obey in what is printed by', () => {
  it.each([
    ['list --all'],
    ['status'],
    ['search evil --include-retired --explain'],
    ['index --query EVIL'],
    ['index --validate'],
    ['index --health'],
    ['index --rebuild'],
    ['graph'],
    ['graph --check'],
    ['graph --dot'],
    ['query'],
    ['query --format full'],
    ['config list'],
    ['config get categories.decision.description'],
    ['trust --show'],
    ['note show task-evil'],
    ['show note:task-evil'],
    ['show record:decisions/evil'],
    ['remember evil --explain'],
    ['export'],
    ['doctor'],
    ['redact'],
    ['stats'],
    ['topics'],
    ['remember Redis --explain'],
    ['reindex'],
    ['import --markdown adr --dry-run'],
    ['import --markdown adr'],
    ['retire evil'],
    ['candidate --category decision --new-info EVIL'],
    ['backfill'],
    ['feedback record:decisions/evil useful'],
    ['note rm task-evil'],
  ])('cairn %s', async (line) => {
    if (SAID.test(line)) await cli.run(['backfill'], { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } });
    const { out, err } = await cli.run(line.split(' '), { env: { PATH: '', CAIRN_EMBEDDINGS_PROVIDER: 'none' } });
    expect(out + err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]/);
    expect((out + err).length).toBeGreaterThan(0);
  });
});
