// Conversations as the client writes them, made up for measuring, of any length.
import { closeSync, openSync, writeSync } from 'node:fs';
import { random } from '../../test/store/made-up.mjs';
import { statement, subjects } from './made-up-talk.mjs';

/**
 * With the proportions of real ones: about eighty statements a megabyte, of which few are decisions and conclusions, the rest is what
 * tools print, what files hold, and what the client notes about itself. `sparse`: ten times as much is printed for each statement.
 */
export function writeTranscript(file, bytes, { session, cwd, sparse = false }) {
  const descriptor = openSync(file, 'w');
  const talk = conversation({ session, cwd, sparse });
  let written = 0;
  while (written < bytes) written += writeSync(descriptor, talk.turn());
  closeSync(descriptor);
  return talk;
}

/** { said, answered, printed, turn }: lines of one conversation, each later than the one before. */
export function conversation({ session, cwd, sparse = false }) {
  // No two conversations say the same, or they would share their vectors.
  let [number, time] = [seedOf(session), Date.UTC(2026, 0, 5, 9)];
  const line = (value) => {
    time += 7_000;
    const more = {
      sessionId: session,
      cwd,
      gitBranch: 'main',
      version: '2.1.325',
      timestamp: new Date(time).toISOString(),
    };
    return `${JSON.stringify({ parentUuid: `p${number}`, isSidechain: false, userType: 'external', ...more, ...value, uuid: `u${number++}` })}\n`;
  };
  const said = (text) => line({ type: 'user', message: { role: 'user', content: text } });
  const answered = (...content) =>
    line({
      type: 'assistant',
      requestId: `r${number}`,
      message: {
        id: `m${number}`,
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        usage: { input_tokens: 9, output_tokens: 9 },
      },
    });
  const printed = (size) => {
    const id = `t${number}`;
    const content = printedText(number, size);
    return (
      answered({ type: 'tool_use', id, name: 'Bash', input: { command: `npm test -- part-${number}` } }) +
      line({ type: 'progress', data: { type: 'bash_progress', output: content.slice(0, 2_000) } }) +
      line({
        type: 'user',
        message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
        toolUseResult: { stdout: content, stderr: '' },
      })
    );
  };
  const edited = (next) => {
    const [id, file_path] = [`t${number}`, `${cwd}/${subjects(next).file()}`];
    const [old_string, new_string] = [0, 40].map((more) => printedText(number + more, 600));
    return (
      answered({ type: 'tool_use', id, name: 'Edit', input: { file_path, old_string, new_string } }) +
      line({
        type: 'user',
        message: {
          role: 'user',
          content: [{ tool_use_id: id, type: 'tool_result', content: `The file ${file_path} has been updated.` }],
        },
        toolUseResult: { filePath: file_path, originalFile: printedText(number, 9_000), oldString: old_string },
      })
    );
  };
  /** `full`: with a conclusion, a decision and a question in it, which one turn in several has. */
  const turn = (full = false) => {
    const next = random(number ^ 0x9e3779b9);
    const some = (kind, count) => Array.from({ length: count }, () => `- ${statement(kind, next)}`);
    const maybe = (kind, share) => some(kind, full || next() < share ? 1 : 0);
    let lines = said(statement('prompt', next));
    for (let step = 0; step < 6; step++)
      lines += step % 3 === 1 ? edited(next) : printed((3_000 + ((number * 977) % 7_000)) * (sparse ? 10 : 1));
    lines += answered(
      textPart(
        [
          ...some('remark', 3),
          ...some('problem', 1),
          ...maybe('conclusion', 0.25),
          ...some('solution', 1),
          ...maybe('decision', 0.2),
          '\nWhat is left:\n',
          ...some('task', 2),
          ...maybe('question', 0.1).map((text) => `\n${text.slice(2)}`),
        ].join('\n'),
      ),
    );
    return lines;
  };
  return { said, answered, printed, turn };
}

/** 0 … 10 million. */
function seedOf(text) {
  let seed = 7;
  for (let at = 0; at < text.length; at++) seed = (Math.imul(seed, 31) + text.charCodeAt(at)) >>> 0;
  return (seed % 1_000) * 10_000;
}

export const textPart = (text) => ({ type: 'text', text });

const PARTS = [
  'gateway',
  'ledger',
  'invoice',
  'search',
  'login',
  'export',
  'queue',
  'cache',
  'report',
  'scheduler',
  'mailer',
];

function printedText(seed, size) {
  const lines = [];
  for (let length = 0, at = 0; length < size; at++) {
    const each = `✓ src/${PARTS[(seed + at) % PARTS.length]}/part-${at}.test.ts (${(seed * 31 + at * 17) % 90} tests) ${(at * 7919 + seed) % 1000}ms  expected "${at}" to equal ${seed % 97}`;
    lines.push(each);
    length += each.length;
  }
  return lines.join('\n');
}
