// `npm run replay` on conversations made up for it: what is a prompt, what came before what, which line of which conversation was
// told, and that a reader's judgements find their lines again.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

type Row = {
  what: string;
  session: string;
  line: number;
  text: string;
  prompt: string;
  user_next: string;
  of: string;
  of_line: number;
  told: number;
  came: number;
  judgement: string;
};

const bench = path.resolve(import.meta.dirname, '../../bench/quality');
const [EARLIER, LATER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const CAUSE = 'The invoice exporter fails because the ledger cursor is closed before the batch flush.';
const QUESTION = 'why does the invoice exporter fail in the night, has it to do with the ledger?';

/** A transcript of Claude Code; a text is a prompt, a list is what the model answered, anything else a line as it is. */
function transcript(session: string, day: string, lines: readonly (string | readonly string[] | object)[]): string {
  return lines
    .map((line, at) => {
      const common = { sessionId: session, cwd: '/somewhere/shop', gitBranch: 'main', uuid: `${session}-${at}` };
      const timed = { ...common, timestamp: `${day}T10:${String(at).padStart(2, '0')}:00.000Z`, isSidechain: false };
      if (typeof line === 'string') return { ...timed, type: 'user', message: { role: 'user', content: line } };
      if (!Array.isArray(line)) return { ...timed, ...line };
      const content = line.map((text) => ({ type: 'text', text }));
      return { ...timed, type: 'assistant', message: { id: `m${at}`, role: 'assistant', model: 'x', content } };
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

function replay(data: string, ...more: string[]): { report: string; rows: Row[]; all: Row[]; out: string } {
  const out = path.join(data, 'told.jsonl');
  const args = [path.join(bench, 'replay.mjs'), '--data', data, '--set', 'shop', '--quick', '--out', out, ...more];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: data },
  });
  expect(status, stderr).toBe(0);
  const read = (file: string): Row[] =>
    fs
      .readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  return { report: stdout, rows: read(out), all: read(`${out}.all`), out };
}

it('tells a prompt only what earlier conversations said, names the line, and knows a judgement again', () => {
  const data = temporaryFolder();
  const said = path.join(data, 'shop', 'transcripts');
  // The later one comes first by name and by path.
  put(
    path.join(said, 'a', `${LATER}.jsonl`),
    transcript(LATER, '2026-03-03', [
      QUESTION,
      ['Let me look.'],
      '[Request interrupted by user]',
      '<task-notification><task-id>1</task-id></task-notification>',
      ['Noted.'],
      'commit this',
      ['Committed.'],
    ]),
  );
  put(
    path.join(said, 'b', `${EARLIER}.jsonl`),
    transcript(EARLIER, '2026-03-02', [
      { type: 'file-history-snapshot' },
      `${QUESTION} I saw it yesterday.`,
      [CAUSE],
      'thank you, that will do for today',
      ['You are welcome.'],
    ]),
  );
  put(
    path.join(data, 'shop', 'questions.jsonl'),
    `${JSON.stringify({ query: QUESTION, type: 'prompt', gold: [{ session: EARLIER, line: 3 }] })}\n`,
  );
  put(
    path.join(data, 'labels', 'sessions.jsonl'),
    `${JSON.stringify({ session: EARLIER, decisions: [{ line: 3, text: 'Flush the batch first.' }] })}\n`,
  );

  const { report, rows, all, out } = replay(data);
  const asked = all.filter(({ what }) => what === 'asked');
  expect(asked.map(({ session, line }) => `${session.slice(0, 1)}:${line}`)).toEqual(['1:2', '1:4', '2:1', '2:6']);
  expect(asked.map(({ told }) => told > 0)).toEqual([false, false, true, false]);
  expect(asked[0]?.user_next).toBe('thank you, that will do for today');
  const told = rows.find(({ what, text }) => what === 'prompt' && text.includes(CAUSE));
  expect(told).toMatchObject({ session: LATER, line: 1, of: EARLIER, of_line: 3, judgement: '' });
  // A turn that was broken off does not stop; one that a note of the client began does.
  const stops = all.filter(({ what }) => what === 'stopped');
  expect(stops.map(({ session, line }) => `${session.slice(0, 1)}:${line}`)).toEqual(['1:3', '1:5', '2:5', '2:7']);
  expect(all.filter(({ what }) => what === 'started').map(({ told: lines }) => lines > 0)).toEqual([false, true]);
  expect(all.filter(({ what }) => what === 'decision')).toHaveLength(1);
  expect(all.find(({ what }) => what === 'gold')?.came).toBe(1);
  expect(report).toContain('4 prompts, spoken to 1 (25 %)');
  expect(report).toContain('with fewer than 3 telling words: 0 (0 %); with 3 or more: 1');

  const judged = put(path.join(data, 'judged.jsonl'), `${JSON.stringify({ ...told, judgement: 'useful' })}\n`);
  const again = replay(data, '--judged', judged);
  expect(again.rows.filter(({ judgement }) => judgement === 'useful')).toHaveLength(1);
  const lines = again.rows.filter(({ what }) => what === 'prompt').length;
  expect(again.report).toContain(
    `Judged lines: 1: useful 1 (100 %), on_topic 0 (0 %), noise 0 (0 %); not judged yet: ${lines - 1}.`,
  );
  expect(fs.readFileSync(out.replace('.jsonl', '.unjudged.jsonl'), 'utf8')).not.toContain('"judgement":"useful"');
});

it('counts the words that tell what a prompt is about', async () => {
  type Words = { tellingWords(prompt: string): string[] };
  const { tellingWords } = (await import(pathToFileURL(path.join(bench, 'telling-words.mjs')).href)) as Words;
  expect(tellingWords('ok, commit this and push it please')).toEqual([]);
  expect(tellingWords('see https://example.org/owner/shop/issues/7668')).toEqual([]);
  expect(tellingWords("Fix #7668: the exporter's ledger_cursor closes")).toEqual([
    '#7668',
    'exporter',
    'ledger_cursor',
    'closes',
  ]);
});
