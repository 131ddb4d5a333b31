// `npm run bench`: every measurement as a ratio beside bare `node -e 0`, taken in turns in one run, because machines are
// noisy and only ratios travel. `npm run bench -- records` runs the pages whose name begins so.
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const pages = ['records', 'notes', 'hooks', 'traces', 'recall'];
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'));

const report = [
  '# Measurements',
  '',
  `Node ${process.version}, ${os.platform()} ${os.arch()}, ${os.cpus().length} cores (${os.cpus()[0]?.model ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.`,
  'Each number is the median of several runs, taken in turns with bare `node -e 0`; the ratio is what counts.',
  '',
];
let missed = 0;
for (const page of pages.filter((each) => wanted.length === 0 || wanted.some((name) => each.startsWith(name)))) {
  const { title, measure } = await import(`./speed/${page}.mjs`).catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
    throw error;
  });
  if (!measure) continue;
  process.stderr.write(`${title} …\n`);
  const rows = await measure((line) => process.stderr.write(`  ${line}\n`));
  report.push(`## ${title}`, '', '| what | median | beside bare node | budget | |', '|---|---|---|---|---|');
  for (const { what, ms, ratio, budget, shown, wanted: limit, met } of rows) {
    if (shown !== undefined) {
      // Not a time: a throughput, a size. It says itself whether it is good enough.
      if (met === false) missed++;
      report.push(`| ${what} | ${shown} | | ${limit ?? ''} | ${met === undefined ? '' : met ? 'met' : 'MISSED'} |`);
      continue;
    }
    const verdict = budget === undefined ? '' : ratio <= budget ? 'met' : 'MISSED';
    if (verdict === 'MISSED') missed++;
    report.push(
      `| ${what} | ${ms.toFixed(0)} ms | ${ratio.toFixed(2)} × | ${budget === undefined ? '' : `≤ ${budget} ×`} | ${verdict} |`,
    );
  }
  report.push('');
}
const text = `${report.join('\n')}\n`;
console.log(text);
if (wanted.length === 0) {
  mkdirSync(here, { recursive: true });
  writeFileSync(path.join(here, 'RESULTS.md'), text);
}
if (missed > 0) console.log(`${missed} budgets missed`);
