// Cairn over the corpus: by words alone, and with the local model.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { madeUpVectors } from '../made-up-vectors.mjs';
import { openMcp } from '../mcp-process.mjs';
import { binary, memoryOf, run, sizeOf } from '../measure.mjs';

const LIMIT = 5;

export async function cairnLines({ base, project, transcripts, say, timing }) {
  const lines = [];
  const { isReal } = await madeUpVectors();
  for (const way of ['words', ...(isReal ? ['words and the local model'] : [])]) {
    say(`Cairn, by ${way}`);
    const home = path.join(base, `cairn-${way.length}`);
    mkdirSync(home, { recursive: true });
    const own = {
      HOME: home,
      CAIRN_HOME: path.join(home, '.cairn'),
      CLAUDE_PROJECT_DIR: project,
      ...(way === 'words' ? { CAIRN_EMBEDDINGS_PROVIDER: 'none' } : {}),
    };
    const env = { ...process.env, ...own };
    const { ms: indexMs, peakMb } = await run([binary, 'backfill', transcripts, '--json'], { env, cwd: project });
    const cold = timing.cold((query) => ({
      argv: [binary, 'remember', query, '--limit', String(LIMIT), '--json'],
      env: own,
      cwd: project,
    }));
    const server = await openMcp([binary, 'mcp'], { env: own, cwd: project });
    const warm = await timing.warm(async (query) => {
      const { structuredContent } = await server.call('recall', { query, limit: LIMIT });
      return structuredContent.results.map(({ source }) => idOf(source));
    });
    const memory = memoryOf(server.pid).peak;
    await server.close();
    lines.push({
      system: 'Cairn',
      way: `the question as asked, by ${way}`,
      indexMs,
      indexMb: peakMb,
      disk: sizeOf(path.join(own.CAIRN_HOME, 'memory.db')) + sizeOf(path.join(own.CAIRN_HOME, 'archive')),
      cold,
      memory,
      ...warm,
    });
  }
  return lines;
}

const idOf = (source) => (source ? `${path.basename(source.file, '.jsonl')}:${source.line}` : '');
