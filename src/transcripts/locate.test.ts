import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type * as FailingFs from '../../test/faults/failing-fs.cjs';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { allTranscripts, transcriptsAt } from './locate.ts';

const { arm, disarm } = createRequire(import.meta.url)('../../test/faults/failing-fs.cjs') as typeof FailingFs;
afterEach(() => {
  disarm();
});

const LINE = '{"type":"user","cwd":"/work","timestamp":"2026-01-01T00:00:00Z"}\n';
const AGENTS: [name: string, meta: string | undefined][] = [
  ['agent-plain', undefined],
  ['agent-explorer', '{"agentType":"Explore"}'],
  ['agent-broken', '{"agentType":'],
  ['agent-drafter', '{"agentType":"memory:memory-drafter"}'],
  ['agent-verifier', '{"agentType":"memory:memory-verifier"}'],
];

function furnish(): { clientRoot: string; folder: string } {
  const clientRoot = temporaryFolder();
  const folder = path.join(clientRoot, 'projects/p/s1/subagents');
  put(path.join(clientRoot, 'projects/p/s1.jsonl'), LINE);
  for (const [name, meta] of AGENTS) {
    put(path.join(folder, `${name}.jsonl`), LINE);
    if (meta !== undefined) put(path.join(folder, `${name}.meta.json`), meta);
  }
  return { clientRoot, folder };
}

const names = (found: readonly { file: string }[]): string[] =>
  found.map(({ file }) => path.basename(file, '.jsonl')).sort();

describe('the transcripts of subagents', () => {
  it('are found, but not those of our own agents, which speak of memories in the making', () => {
    const { clientRoot, folder } = furnish();
    const others = ['agent-broken', 'agent-explorer', 'agent-plain'];
    expect(names(allTranscripts({ clientRoot, codexRoot: path.join(clientRoot, 'none') }))).toEqual([...others, 's1']);
    expect(names(transcriptsAt(folder))).toEqual(others);
  });

  it('are read where a person names one', () => {
    const { folder } = furnish();
    expect(names(transcriptsAt(path.join(folder, 'agent-drafter.jsonl')))).toEqual(['agent-drafter']);
  });
});

describe('a transcript', () => {
  it('is described by its first and last lines, also where another program wrote its JSON', () => {
    const folder = temporaryFolder();
    const line = { type: 'user', cwd: '/work "here"', timestamp: '2026-01-02T00:00:00Z' };
    put(path.join(folder, 'a.jsonl'), `${JSON.stringify(line)}\n`);
    put(path.join(folder, 'b.jsonl'), `${JSON.stringify(line, null, 1).replace(/\n */g, ' ')}\n`);
    for (const found of transcriptsAt(folder))
      expect(found).toMatchObject({ cwd: '/work "here"', began: Date.parse(line.timestamp), ended: found.began });
    expect(transcriptsAt(folder)).toHaveLength(2);
  });
});

describe('what cannot be read', () => {
  it.skipIf(process.platform === 'win32')('is refused if it is a pipe, which nobody may ever write to', () => {
    const pipe = path.join(temporaryFolder(), 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(() => transcriptsAt(pipe)).toThrow('neither a file nor a directory');
  });

  it('is named: a folder that is closed, and a file in one that is not', () => {
    const { clientRoot, folder } = furnish();
    const closed = new Map<string, string>();
    arm({ under: folder, at: 1, fault: 'EACCES', only: 'reads' });
    transcriptsAt(folder, closed);
    disarm();
    expect([...closed]).toEqual([[folder, expect.stringContaining('EACCES')]]);

    const file = path.join(clientRoot, 'projects/p/s1.jsonl');
    const unread = new Map<string, string>();
    arm({ under: file, at: 1, fault: 'EACCES' });
    const found = allTranscripts({ clientRoot, codexRoot: path.join(clientRoot, 'none') }, unread);
    expect([...unread]).toEqual([[file, expect.stringContaining('EACCES')]]);
    expect(names(found)).not.toContain('s1');
  });
});
