// How often a commit leads to the conversation that made it, on real conversations: the commits that each data set's transcripts made (subjects,
// files and times stand in them) are made again in a scratch repository, and each is asked for.
//   node bench/quality/blame.mjs --data DIR [--set NAME]
// Ways: as it was (`hash`: the transcript names the commit), after a rebase (`subject`: every hash is another), and as if somebody had
// committed by hand (`files`: nothing of a commit is known but its files and its time; at once, and half an hour later).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundle } from '../bundle.mjs';
import { filesOf } from './recall-store.mjs';

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const data = argument('--data');
if (!data) throw new Error('node bench/quality/blame.mjs --data DIR [--set NAME]');
const project = await bundle(
  'store/sqlite/sqlite-store.ts',
  'indexing/transcripts/index-transcript.ts',
  'indexing/commits/tie-commits.ts',
  'files/git-history.ts',
);

for (const set of fs.readdirSync(data).filter((name) => fs.existsSync(path.join(data, name, 'transcripts')))) {
  if (argument('--set') && set !== argument('--set')) continue;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-blame-'));
  try {
    const exchanges = await exchangesOf(path.join(data, set, 'transcripts'), folder);
    const commits = commitsOf(exchanges);
    if (commits.length > 0) report(set, await measure(commits, exchanges, folder));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function exchangesOf(transcripts, folder) {
  const store = await project.openSqliteStore(path.join(folder, 'memory.db'));
  const options = { projectOf: () => 'all', thinking: false };
  for (const file of filesOf(transcripts, '.jsonl')) await project.indexTranscript(store, file, options);
  const found = [];
  let cursor;
  do {
    const page = await store.list({
      filter: { kinds: ['span'] },
      order: 'oldest',
      limit: 500,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined);
  await store.close();
  return project.workedOf(found);
}

/** Each with the files that its conversation had written since its last commit. A commit without any leaves no trace to be made again. */
function commitsOf(worked) {
  const commits = [];
  for (const session of new Set(worked.map(({ document }) => document.session))) {
    const own = worked.filter(({ document }) => document.session === session);
    const made = own.flatMap((each) => each.made).sort((a, b) => a.from - b.from);
    let since = Number.NEGATIVE_INFINITY;
    for (const { subject, hash, to } of made) {
      const edits = own.flatMap((each) => each.edits).filter((edit) => edit.first <= to && edit.last > since);
      const files = [...new Set(edits.map((edit) => edit.file))].filter(
        (file) => /^[\w@.][\w@./ -]*$/.test(file) && !file.includes('..'),
      );
      if (files.length === 0) continue;
      commits.push({ session, subject, hash, time: to, files });
      since = to;
    }
  }
  return commits.sort((a, b) => a.time - b.time);
}

/** Made with one stream: git reads thousands in a second. */
function repositoryOf(commits, folder) {
  const top = path.join(folder, 'repository');
  execFileSync('git', ['init', '-q', '-b', 'main', top]);
  const stream = commits.flatMap(({ subject, time, files }, at) => [
    `commit refs/heads/main\nmark :${at + 1}\ncommitter A <a@example.com> ${time} +0000\n${text(subject || 'No subject')}`,
    ...files.map((file) => `M 644 inline "${file}"\n${text(`${at}\n`)}`),
  ]);
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: top, input: `${stream.join('\n')}\n` });
  return project.gitLog(path.join(top, '.git'), { from: undefined, most: commits.length }).reverse();
}

function text(content) {
  return `data ${Buffer.byteLength(content)}\n${content}`;
}

async function measure(commits, worked, folder) {
  const real = repositoryOf(commits, folder);
  const hashes = new Map(commits.map(({ hash }, at) => [hash, real[at].hash.slice(0, 7)]));
  const named = worked.map((each) => ({
    ...each,
    made: each.made.map((one) => ({ ...one, ...(one.hash ? { hash: hashes.get(one.hash) ?? one.hash } : {}) })),
  }));
  const ways = {
    hash: named,
    subject: worked.map((each) => ({ ...each, made: each.made.map(({ hash, ...one }) => one) })),
    files: worked.map((each) => ({ ...each, made: [] })),
    'files, half an hour later': worked.map((each) => ({ ...each, made: [] })),
  };
  return Object.entries(ways).map(([way, exchanges]) => {
    const wait = way.endsWith('later') ? 1_800 : 0;
    const ties = new Map(
      real.flatMap((commit) => {
        const late = { ...commit, authored: commit.authored + wait };
        const others = real.filter((other) => other !== commit);
        return [...project.tieCommits([late], exchanges, [late, ...others])];
      }),
    );
    const found = real.map(({ hash }, at) => ({ tie: ties.get(hash), session: commits[at].session }));
    const told = found.filter(({ tie }) => tie);
    const right = told.filter(({ tie, session }) => tie.exchange.session === session);
    const sure = told.filter(({ tie }) => tie.certainty !== 'possible');
    const rightAndSure = sure.filter(({ tie, session }) => tie.exchange.session === session);
    return {
      way,
      commits: real.length,
      told: told.length,
      right: right.length,
      sure: sure.length,
      rightAndSure: rightAndSure.length,
    };
  });
}

function report(set, rows) {
  const share = (part, whole) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  for (const { way, commits, told, right, sure, rightAndSure } of rows)
    console.log(
      `${set} ${way}: right conversation ${share(right, commits)} (${right} of ${commits}); told ${told}; likely or certain ${sure}, of these right ${share(rightAndSure, sure)}`,
    );
}
