// Times whole processes in turns, so that what else the machine does hits all of them alike.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/** `cases`: [{ what, argv, input?, before?, budget?, env?, cwd? }]. The first row is bare node itself. */
export function inTurns(cases, { runs = 15, env, cwd } = {}) {
  const all = [{ what: 'bare `node -e 0`', argv: ['-e', '0'] }, ...cases];
  const times = all.map(() => []);
  for (let run = -1; run < runs; run++) {
    for (const [at, each] of all.entries()) {
      each.before?.(run);
      const start = process.hrtime.bigint();
      const result = spawnSync(process.execPath, each.argv, {
        input: each.input ?? '',
        env: { ...process.env, ...env, ...each.env },
        cwd: each.cwd ?? cwd,
        maxBuffer: 64 * 1024 * 1024,
      });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (result.status !== (each.exit ?? 0))
        throw new Error(`${each.what}: exit ${result.status}: ${result.stderr}${result.stdout}`);
      if (run >= 0) times[at].push(ms); // the first round warms the disk cache
    }
  }
  const bare = median(times[0]);
  return all.map((each, at) => {
    const ms = median(times[at]);
    return { what: each.what, ms, ratio: ms / bare, budget: each.budget };
  });
}

/** What hooks have started may still be writing: then the rest of the folder is left to the system. */
export function removeFolder(folder) {
  for (let tries = 0; tries < 40; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 250)']);
    }
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
