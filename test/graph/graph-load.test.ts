// A question to the graph must be over before the rest of Cairn could be loaded: what `cairn query` and `cairn graph` import is kept small.

import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const PROJECT = path.resolve(import.meta.dirname, '../..');

describe('what a command loads', () => {
  it.each(['query', 'graph'])('cairn %s does without the write path', async (command) => {
    const { metafile } = await build({
      absWorkingDir: PROJECT,
      entryPoints: [`src/faces/cli/commands/${command}.ts`],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      write: false,
      metafile: true,
    });
    const loaded = Object.keys(metafile.inputs);
    expect(loaded).toContain('src/graph/graph-text.ts');
    const heavy =
      /^src\/(?:app\/memory\.ts|records\/|store\/|recall\/(?!time\/)|transcripts\/|extraction\/|safety\/(?!sanitise)|notes\/edit-note)/;
    expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
    const builtins = Object.values(metafile.outputs).flatMap((output) => output.imports.map((each) => each.path));
    expect(builtins.filter((name) => /^node:(?:crypto|child_process|http|net|zlib)$/.test(name))).toEqual([]);
  });
});
