// A conversation as Claude Code keeps it: what `npm run demo` reads, and what the commands in README are tried on.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SESSION = '0b1d6f0e-5c1f-4d0c-9d0f-1c6a6c1d2e3f';
const SAID = [
  ['user', 'Logging out does not end a session on the other devices. What can we do about it?'],
  [
    'assistant',
    'The root cause is that the tokens are signed and never looked up: nothing can revoke one before it expires.',
  ],
  ['user', 'Then let us keep the sessions in Redis instead of in signed tokens.'],
  [
    'assistant',
    'We decided to keep the sessions in Redis, because a session must end at once when somebody logs out. Signed tokens stay for the public API only.',
  ],
  ['user', 'How long may a session of the mobile app live? We still have to ask the mobile team.'],
  ['assistant', 'Until they answer it is 30 days, in src/session.ts.'],
];

/** Writes it below `home`, as one of a week ago in `project`. */
export function writeConversation(home, project) {
  const folder = path.join(home, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  const day = new Date();
  day.setDate(day.getDate() - 7);
  const start = day.setHours(12, 0, 0, 0); // at noon: an hour more than a week ago is eight days ago just after midnight
  const lines = SAID.map(([type, text], at) =>
    JSON.stringify({
      type,
      uuid: `line-${at}`,
      sessionId: SESSION,
      cwd: project,
      timestamp: new Date(start + at * 60_000).toISOString(),
      message: { role: type, id: `msg-${at}`, content: type === 'user' ? text : [{ type: 'text', text }] },
    }),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
}
