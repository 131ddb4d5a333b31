// `cairn status`: where the memory is, what is in it, and whether it needs attention.

import fs from 'node:fs';
import type { Command } from 'commander';
import type { Health, Memory } from '../../../app/memory.ts';
import { isTrusted } from '../../../config/load.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';

export function statusCommand(program: Command, io: Io): void {
  program
    .command('status')
    .description('Show where the memory is, what it holds and how it is')
    .option('--json', 'print data instead of text')
    .action((options: { json?: true }) => {
      const memory = open(io);
      const { memoryRoot, projectRoot } = memory.config.paths;
      const trust = memory.config.trust.state;
      if (!fs.existsSync(memoryRoot)) {
        io.out(
          options.json
            ? JSON.stringify({ memoryRoot, projectRoot, exists: false, trust })
            : `No memory yet at ${memoryRoot}.\nSave the first one with: cairn save decision "…"`,
        );
        return;
      }
      const health = memory.health();
      io.out(
        options.json
          ? JSON.stringify({ ...memory.config.paths, exists: true, trust, ...health })
          : text(memory, health),
      );
    });
}

function text(memory: Memory, health: Health): string {
  const { paths, settings, trust } = memory.config;
  const width = Math.max(...health.categories.map((each) => each.name.length));
  const counts = health.categories.map((each) => {
    const rest = [
      each.retired > 0 ? `${each.retired} retired` : '',
      each.archived > 0 ? `${each.archived} archived` : '',
    ]
      .filter(Boolean)
      .join(', ');
    return `  ${each.name.padEnd(width)}  ${String(each.active).padStart(4)} active${rest ? `, ${rest}` : ''}${each.enabled ? '' : '  (switched off)'}`;
  });
  return [
    `Memory   ${paths.memoryRoot}`,
    `Project  ${paths.projectRoot}`,
    `Trust    ${isTrusted(trust) ? trust.state : 'NOT TRUSTED: nothing of it is injected (cairn trust)'}`,
    `Config   ${fs.existsSync(paths.projectConfig) ? paths.projectConfig : 'defaults'}`,
    '',
    ...counts,
    '',
    `Storage  ${(health.totals.bytes / 1024).toFixed(1)} KB in ${health.totals.active + health.totals.retired + health.totals.archived} files`,
    `Commits  ${settings.auto_commit ? 'after each change (auto_commit)' : 'left to you'}`,
    `Grace    retired records are deleted after ${settings.delete.grace_period_days} days (cairn index --gc)`,
    '',
    health.issues.length === 0
      ? 'Health   GOOD'
      : `Health   NEEDS ATTENTION\n${health.issues.map((each) => `  - ${each}`).join('\n')}`,
  ].join('\n');
}
