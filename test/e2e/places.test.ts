// Odd places, on the real client: two work trees of one repository, a home that cannot be written, a package under a path with blanks
// and letters of other languages. With both ways of hooks.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  cairnIn,
  findClient,
  makePlace,
  type Place,
  pluginCopy,
  removePlace,
  runClient,
  settled,
  WAYS,
} from './client.ts';
import { seenByModel } from './loopback-api.ts';

const client = findClient();
const QUESTION = 'where did we decide to keep the ledger of the shop?';
const DECIDED = 'We decided to keep the ledger of the shop in Postgres, because the bookkeeping needs transactions.';
/** Written by hand and not found in any list: blanks, umlauts, Cyrillic, Chinese, a quote. */
const ODD_NAME = "Größe & Maß — папка 记忆 it's";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => removePlace(place));

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    env: { PATH: process.env.PATH, HOME: place.home },
    stdio: 'ignore',
  });
}

/** The client in a world where that folder can only be read, by root too; `undefined` where such a world cannot be made. */
function withReadOnly(folder: string): string | undefined {
  const wrapper = path.join(place.base, 'read-only-client');
  const mounts = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"';
  fs.writeFileSync(
    wrapper,
    `#!/bin/sh\nexec unshare --user --map-root-user --mount sh -c '${mounts} && exec "$@"' "${folder}" "${client}" "$@"\n`,
    { mode: 0o755 },
  );
  try {
    execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mounts, folder], { stdio: 'ignore' });
    return wrapper;
  } catch {
    process.stderr.write('\n*** No read-only mount can be made here: the read-only home is NOT tested. ***\n\n');
    return undefined;
  }
}

describe.skipIf(!client).each(WAYS)(`on Claude Code ${CLIENT_VERSION}, %s hooks`, { timeout: 240_000 }, (way) => {
  it('two work trees of a repository share what was said, and nothing is written where a command went', async () => {
    const main = { ...place, project: path.join(place.base, 'main tree') };
    const other = { ...place, project: path.join(place.base, 'other tree') };
    git('init', '-q', '-b', 'main', main.project);
    git('-C', main.project, 'commit', '-q', '--allow-empty', '-m', 'first');
    git('-C', main.project, 'worktree', 'add', '-q', '-b', 'other', other.project);
    const plugin = pluginCopy(place, way, { folder: path.join(place.base, ODD_NAME) });
    await runClient({ place: main, plugin, prompt: QUESTION, turns: [{ text: DECIDED }] });
    await settled(place);
    const file = path.join(other.project, 'deep/down/note.txt');
    const { requests } = await runClient({
      place: other,
      plugin,
      prompt: QUESTION,
      turns: [
        { tools: [{ name: 'Bash', input: { command: 'mkdir -p deep/down && cd deep/down && pwd' } }] },
        { tools: [{ name: 'Write', input: { file_path: file, content: 'x\n' } }] },
        { text: 'In Postgres.' },
      ],
    });
    expect(seenByModel(requests[0])).toContain(DECIDED);
    await settled(place); // the note of the session is a worker's where the client's transcript is long
    const { topics } = JSON.parse(cairnIn(other, 'topics', '--json')) as { topics: { project: string }[] };
    // Without a remote a repository goes by its first commit, in each of its work trees.
    const first = execFileSync('git', ['-C', main.project, 'rev-list', '--max-parents=0', 'main'], {
      encoding: 'utf8',
    });
    expect(new Set(topics.map(({ project }) => project))).toEqual(new Set([`git:${first.trim()}`]));
    expect(fs.existsSync(path.join(other.project, 'deep/down/.claude'))).toBe(false);
    expect(fs.existsSync(path.join(other.project, '.claude/memory/nodes/sessions'))).toBe(true);
    expect(fs.existsSync(path.join(place.home, '.cairn/log/hooks.log'))).toBe(false);
  });

  it('a home that can only be read costs the memory of conversations, not the conversation, and is told', async () => {
    cairnIn(place, 'save', 'preference', 'Answer in short sentences because the screen is small', '--tags', 'style');
    const wrapper = withReadOnly(path.join(place.home, '.cairn'));
    if (!wrapper) return;
    const target = path.join(place.project, '.claude/memory/decisions/forged.json');
    const { requests, result, exit } = await runClient({
      place,
      client: wrapper,
      plugin: pluginCopy(place, way),
      prompt: QUESTION,
      turns: [{ tools: [{ name: 'Write', input: { file_path: target, content: '{}' } }] }, { text: 'Nobody knows.' }],
    });
    expect({ result: result.result, exit }).toEqual({ result: 'Nobody knows.', exit: 0 });
    const seen = seenByModel(requests[0]);
    expect(seen).toContain(`Cairn cannot write to ${path.join(place.home, '.cairn')} (EROFS)`);
    expect(seen).toContain('- Answer in short sentences');
    expect(seenByModel(requests[1])).toContain('PreToolUse:Write hook error');
  });
});
