// A bar for long work, on a terminal only: how much is done, how fast it goes, how long it will take.

import process from 'node:process';

export type Progress = { update(done: number, total: number, what: string): void; end(): void };

const REDRAW_MS = 120;
const BAR_WIDTH = 24;
const WARM_UP_MS = 1_500;

/** Draws nothing where nobody watches. */
export function progressBar(options: { unit: (amount: number) => string } = { unit: megabytes }): Progress {
  const stream = process.stderr;
  if (!stream.isTTY) return { update: () => {}, end: () => {} };
  const begun = performance.now();
  let drawn = 0;
  let first: number | undefined;
  return {
    update(done, total, what) {
      first ??= done;
      const now = performance.now();
      if (now - drawn < REDRAW_MS && done < total) return;
      drawn = now;
      const share = total > 0 ? Math.min(1, done / total) : 1;
      const filled = Math.round(share * BAR_WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${options.unit(done)} of ${options.unit(total)}${timeLeft(done - first, total - done, now - begun)}  ${what}`;
      stream.write(`\r\x1b[2K${[...line].slice(0, Math.max(20, (stream.columns ?? 80) - 1)).join('')}`);
    },
    end() {
      if (drawn > 0) stream.write('\r\x1b[2K');
    },
  };
}

function timeLeft(done: number, left: number, tookMs: number): string {
  if (done <= 0 || tookMs < WARM_UP_MS || left <= 0) return '';
  return `, ${duration((left / done) * tookMs)} left`;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
