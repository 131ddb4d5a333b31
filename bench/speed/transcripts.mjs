// Conversations as the client writes them, made up for measuring, of any length.
import { closeSync, openSync, writeSync } from 'node:fs';

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
  /** `full`: with a conclusion, a decision and a question in it, which one turn in several has. */
  const turn = (full = false) => {
    const at = number;
    const part = PARTS[at % PARTS.length];
    const other = PARTS[(at * 7 + 3) % PARTS.length];
    const thing = (place) => THINGS[scattered(at * 16 + place) % THINGS.length];
    const has = (share) => full || scattered(at * 16 + share) % share === 0;
    let lines = said(
      `The ${thing(1)} of the ${part} is slow since the change of the ${other} in step ${at}. Find out why, and fix it.`,
    );
    for (let step = 0; step < 6; step++) lines += printed((3_000 + ((number * 977) % 7_000)) * (sparse ? 10 : 1));
    lines += answered(
      textPart(
        [
          `I looked at the ${part} and at the ${thing(2)} of the ${other}.\n`,
          ...(has(6) ? [`- The root cause was a ${thing(3)} without an index in \`src/${part}/query-${at}.ts\`.`] : []),
          `- The ${thing(4)} reads each ${thing(5)} twice, once for every row of the ${thing(6)} in step ${at}.`,
          `- The ${other} keeps its ${thing(7)} in \`src/${other}/${thing(8)}.ts\`, beside the ${thing(9)}.`,
          `- Each ${thing(12)} is written by the ${thing(11)} before the ${part} has seen its ${thing(2)} in step ${at}, and the ${thing(5)} waits for it.`,
          `- Fixed by adding an index on the ${thing(10)} that the ${other} sorts by in table ${at}.`,
          ...(has(9)
            ? [`- We decided to keep the ${thing(11)} of the ${part}, because the ${thing(12)} needs it in step ${at}.`]
            : []),
          `- The ${thing(13)} fails when the ${other} has no ${thing(14)} at step ${at}.`,
          '\nNext steps:\n',
          `1. TODO: measure the ${part} with the ${thing(15)} of step ${at}`,
          `2. TODO: remove the old ${thing(0)} ${at} of the ${other}`,
          ...(has(20) ? [`\nShould the ${other} get the same index as the ${thing(3)} of step ${at}?`] : []),
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

/** What is talked about: as many words as keep two statements from being the same by chance. */
const THINGS = (
  'header footer column cursor socket payload timer handler buffer record filter bucket worker listener migration snapshot tenant ' +
  'voucher receipt currency address profile session cookie permission webhook template attachment thread channel deadline calendar ' +
  'shard replica partition checksum manifest artifact pipeline container registry secret certificate balancer throttle retry ' +
  'histogram metric dashboard alert incident invoice line discount refund ledger-entry batch offset watermark schema validator ' +
  'renderer layout widget tooltip dialog shortcut locale currency-table glossary parser lexer token-stream syntax-tree formatter'
).split(' ');

/** Numbers in a row, out of order. */
const scattered = (seed) => (Math.imul(seed ^ (seed >>> 7), 0x9e3779b1) >>> 8) % 1_000_003;

function printedText(seed, size) {
  const lines = [];
  for (let length = 0, at = 0; length < size; at++) {
    const each = `✓ src/${PARTS[(seed + at) % PARTS.length]}/part-${at}.test.ts (${(seed * 31 + at * 17) % 90} tests) ${(at * 7919 + seed) % 1000}ms  expected "${at}" to equal ${seed % 97}`;
    lines.push(each);
    length += each.length;
  }
  return lines.join('\n');
}
