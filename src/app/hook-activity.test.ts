import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { conversationWithoutServer, lastHookRuns, recordHookRun } from './hook-activity.ts';

const MINUTE = 60_000;

/** Marks of the given age, in minutes. */
function marked(ages: { [name: string]: number }): string {
  const root = temporaryFolder();
  for (const [name, age] of Object.entries(ages)) {
    const file = put(path.join(root, 'log/last', name), '');
    const at = new Date(Date.now() - age * MINUTE);
    fs.utimesSync(file, at, at);
  }
  return root;
}

describe('the mark of a hook', () => {
  it('says when it last succeeded, and by which way', () => {
    const root = marked({ Stop: 5, 'Stop.warm': 3, PreCompact: 9 });
    recordHookRun(root, 'UserPromptSubmit', 'warm');
    recordHookRun(root, 'PreCompact');
    const marks = lastHookRuns(root);
    expect([...marks.keys()].sort()).toEqual(['PreCompact', 'Stop', 'UserPromptSubmit']);
    expect(marks.get('Stop')!.way).toBe('warm');
    expect(Math.round((Date.now() - marks.get('Stop')!.at.getTime()) / MINUTE)).toBe(3);
    expect(marks.get('UserPromptSubmit')!.way).toBe('warm');
    expect(Date.now() - marks.get('PreCompact')!.at.getTime()).toBeLessThan(MINUTE);
  });

  it.each(['../../outside', 'a/b', '', 'x'.repeat(60), '.hidden'])('is not left under the name %j', (name) => {
    const root = temporaryFolder();
    recordHookRun(root, name);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('that cannot be left or read is passed over', () => {
    const root = temporaryFolder();
    put(path.join(root, 'log'), 'a file where the folder should be');
    recordHookRun(root, 'Stop');
    expect(lastHookRuns(root).size).toBe(0);
  });
});

describe('a conversation without the server that its hooks go to', () => {
  it.each<[what: string, ages: { [name: string]: number }, missed: boolean]>([
    ['no sign of a server at all', { SessionStart: 10, SessionEnd: 5 }, true],
    ['only signs from before', { SessionStart: 10, SessionEnd: 5, 'Stop.warm': 12, server: 11 }, true],
    ['hooks that it answered', { SessionStart: 10, SessionEnd: 5, 'Stop.warm': 6 }, false],
    ['a server that ended with it', { SessionStart: 10, SessionEnd: 5, server: 5 }, false],
    ['a server that came up while it started', { SessionStart: 10, SessionEnd: 5, server: 10.1 }, false],
    ['a conversation that goes on', { SessionStart: 10, SessionEnd: 12 }, false],
    ['a conversation that was over at once', { SessionStart: 10, SessionEnd: 9.999 }, false],
    ['no conversation yet', {}, false],
  ])('is told by %s', (_, ages, missed) => {
    expect(conversationWithoutServer(marked(ages)) !== undefined).toBe(missed);
  });
});
