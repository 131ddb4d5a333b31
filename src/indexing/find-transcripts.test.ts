import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { allTranscripts, transcriptsAt } from './find-transcripts.ts';

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
