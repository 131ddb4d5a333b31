// `cairn retire|archive|unarchive|restore`: the life of a record, by its name.

import type { Command } from 'commander';
import type { Memory, Outcome, StatusRequest } from '../../../app/memory.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';

type Options = { reason?: string; yes?: true; json?: true };
type Verb = { name: 'retire' | 'archive' | 'unarchive' | 'restore'; says: string; takesReason: boolean; asks: boolean };

const VERBS: readonly Verb[] = [
  {
    name: 'retire',
    says: 'Retire a record: out of sight at once, deleted after the grace period',
    takesReason: true,
    asks: true,
  },
  { name: 'archive', says: 'Archive a record: out of sight, kept for good', takesReason: true, asks: false },
  { name: 'unarchive', says: 'Make an archived record active again', takesReason: false, asks: false },
  {
    name: 'restore',
    says: 'Make a retired record active again, within the grace period',
    takesReason: false,
    asks: false,
  },
];

export function lifecycleCommands(program: Command, io: Io): void {
  for (const verb of VERBS) {
    const command = program
      .command(verb.name)
      .description(verb.says)
      .argument('<slug>', 'its name, or folder/name; cairn list shows them');
    if (verb.takesReason) command.option('--reason <text>', 'why');
    if (verb.asks) command.option('-y, --yes', 'do not ask');
    command.option('--json', 'print data instead of text');
    command.action(async (slug: string, options: Options) => {
      const memory = open(io);
      const found = memory.find(slug);
      if (verb.asks && io.interactive && !options.yes) {
        const answer = await io.ask(`Retire ${found.path} (${found.title})? [y/N] `);
        if (!/^y/i.test(answer?.trim() ?? '')) return;
      }
      const request = {
        target: found.file,
        cwd: memory.recordStore.root,
        ...(options.reason === undefined ? {} : { reason: options.reason }),
      };
      const outcome = await perform(memory, verb.name, request);
      for (const note of outcome.notes) io.err(note);
      const status = String(outcome.result.status).replaceAll('_', ' ');
      io.out(
        options.json
          ? JSON.stringify(outcome.result)
          : `${status.slice(0, 1).toUpperCase()}${status.slice(1)}: ${found.path} (${found.title})`,
      );
    });
  }
}

const perform = (memory: Memory, verb: Verb['name'], request: StatusRequest): Promise<Outcome> => memory[verb](request);
