// Notes and their graph at ten thousand notes: a rebuild, a change, a question.
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary, inTurns, removeFolder, withFolder } from './measure.mjs';

export const title = 'Notes and the graph';
const KINDS = [
  ['file-summary', 'files', 'file', 'Purpose'],
  ['decision', 'decisions', 'decision', 'Decision'],
  ['discovery', 'discoveries', 'discovery', 'Insight'],
  ['session', 'sessions', 'session', 'Summary'],
  ['task', 'tasks', 'task', 'Description'],
  ['error', 'errors', 'error', 'Solution'],
];

const cairn = (...args) => [binary, ...args];

export const measure = (say, { quick = false } = {}) =>
  withFolder(async (base) => {
    const sizes = quick ? [100, 300] : [1_000, 10_000, 100_000];
    const env = { CAIRN_HOME: path.join(base, 'home') };
    const growth = [
      { what: '`cairn query --related`', values: {} },
      { what: '`cairn graph --rebuild`', values: {} },
    ];
    for (const size of sizes) {
      say(`${size} notes`);
      const project = makeNotes(path.join(base, String(size)), size);
      const [, rebuilt, related] = inTurns(
        [
          { what: 'rebuild', argv: cairn('graph', '--rebuild') },
          { what: 'related', argv: cairn('query', '--related', idOf(4, size)) },
        ],
        { cwd: project, env, runs: size > 10_000 || quick ? 1 : 5 },
      );
      growth[0].values[size] = related.ms;
      growth[1].values[size] = rebuilt.ms;
      removeFolder(project);
    }
    return { rows: atSize(base, say, { size: quick ? 300 : 10_000, env, runs: quick ? 2 : 9 }), growth };
  });

/** One memory is only asked, one is changed: a young change makes the next question look twice. */
function atSize(base, say, { size, env, runs }) {
  say(`a change among ${size} notes`);
  const [calm, busy, large] = ['calm', 'busy', 'large'].map((name) => makeNotes(path.join(base, name), size));
  const many = size.toLocaleString('en');
  return inTurns(
    [
      {
        what: `\`cairn query --related\`, ${many} notes`,
        argv: cairn('query', '--related', idOf(4, size)),
        cwd: calm,
        budget: 2,
      },
      {
        what: `\`cairn query --type error --recent\`, ${many} notes`,
        argv: cairn('query', '--type', 'error', '--recent'),
        cwd: calm,
      },
      {
        what: `\`cairn query --recent\` when one of ${many} notes was written anew`,
        argv: cairn('query', '--recent'),
        cwd: busy,
        before: (run) => replaceNote(busy, size, run),
        clock: 150,
        cause: 'the folder of the changed note is listed and the graph of all notes read and written again.',
      },
      {
        what: `\`cairn graph\`, which looks at each of ${many} files, when one was changed in place`,
        argv: cairn('graph'),
        cwd: large,
        before: (run) => editInPlace(large, size, run),
      },
      {
        what: `\`cairn query --search\`, every body of ${many}`,
        argv: cairn('query', '--search', 'nowhere'),
        cwd: calm,
        clock: 500,
        cause: 'a word that stands nowhere is looked for in every file.',
      },
      {
        what: `\`cairn graph --rebuild\`, ${many} notes`,
        argv: cairn('graph', '--rebuild'),
        cwd: calm,
        clock: 2_000,
        cause: 'every file is opened, read and parsed: about 0.2 ms each.',
      },
    ],
    { env, runs },
  );
}

function makeNotes(project, size) {
  for (const [, folder] of KINDS) mkdirSync(path.dirname(fileOf(project, folder, 'x')), { recursive: true });
  mkdirSync(path.join(project, '.git'));
  for (let at = 0; at < size; at++) {
    const file = fileOf(project, KINDS[at % KINDS.length][1], idOf(at, size));
    writeFileSync(file, noteText(at, size));
    utimesSync(file, 1_767_000_000 + at, 1_767_000_000 + at); // as old as a real vault is
  }
  for (const [, folder] of KINDS) utimesSync(path.dirname(fileOf(project, folder, 'x')), 1_767_100_000, 1_767_100_000);
  return project;
}

const fileOf = (project, folder, id) => path.join(project, '.claude/memory/nodes', folder, `${id}.md`);
const idOf = (at, size) =>
  `${KINDS[(at % size) % KINDS.length][2]}-${String(at % size).padStart(5, '0')}-about-part-${(at % size) % 97}`;

/** As Cairn and most programs write: a new file takes the name. */
function replaceNote(project, size, run) {
  const file = fileOf(project, 'tasks', idOf(10, size));
  writeFileSync(`${file}.new`, `${noteText(10, size)}\nRun ${run}.\n`);
  renameSync(`${file}.new`, file);
}

function editInPlace(project, size, run) {
  const file = fileOf(project, 'tasks', idOf(10, size));
  writeFileSync(file, `${readFileSync(file, 'utf8').replace(/\nRun .*\n$/, '')}\nRun ${run}.\n`);
}

function noteText(at, size) {
  const [type, , , section] = KINDS[at % KINDS.length];
  const day = String(1 + (at % 28)).padStart(2, '0');
  return `---
id: ${idOf(at, size)}
type: ${type}
created: 2026-01-${day}T10:00:00Z
updated: 2026-02-${day}T10:00:${String(at % 60).padStart(2, '0')}Z
tags: [part-${at % 97}, area-${at % 11}, bench]
related: [[${idOf(at * 7 + 1, size)}]], [[${idOf(at * 13 + 5, size)}]]
status: active
---

# Note ${at} about part ${at % 97}

## ${section}
Part ${at % 97} keeps its state in one file, as [[${idOf(at * 3 + 2, size)}]] says. It is read at start and written when it changed.

## Notes
${'The words that follow make the note about as long as notes are. '.repeat(10)}

\`\`\`ts
const matrix = [[1, 0], [0, 1]];
\`\`\`
`;
}
