// docs/TEAM.md as its readers use it: every command of it is run, by the people it names, against a server that stands for theirs.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/TEAM.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sql|sh \w+)\n([\s\S]*?)^```/gm)].map(([, kind, text]) => ({
  person: kind === 'sql' ? undefined : kind!.slice(3),
  lines: text!.trim().split('\n'),
}));
const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain!);

describe.skipIf(postgresBinaries() === undefined)('docs/TEAM.md', () => {
  let server: Server;
  const people = new Map<string, Cli>();
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    for (const { base } of people.values()) await removeBusyFolder(base);
    await server?.remove();
  });

  function personOf(name: string): Cli {
    const known = people.get(name);
    if (known) return known;
    const cli = new Cli(newFolder());
    people.set(name, cli);
    put(path.join(cli.project, '.git', 'config'), '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n');
    const session = '00000000-0000-4000-8000-00000000000a';
    const at = (n: number) => ({
      sessionId: session,
      cwd: cli.project,
      timestamp: `2026-04-01T09:0${n}:00Z`,
      uuid: `u${n}`,
    });
    const said = 'We decided to keep the ledger in Kafka, because the bookkeeping must replay every event.';
    const lines = [
      { type: 'user', ...at(0), message: { role: 'user', content: 'Where do we keep the ledger?' } },
      { type: 'assistant', ...at(1), message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: said }] } },
    ];
    if (name === 'alice')
      put(
        path.join(cli.home, '.claude/projects/shop', `${session}.jsonl`),
        `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      );
    return cli;
  }

  it('takes a newcomer from nothing to working, command by command', async () => {
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    for (const { person, lines } of blocks) {
      for (const line of lines) {
        if (person === undefined) {
          await server.sql(line);
          continue;
        }
        const command = line.replaceAll('db.example.com', `127.0.0.1:${server.port}`);
        expect(command).toMatch(/^cairn /);
        const { exit, out, err } = await personOf(person).run(words(command).slice(1));
        expect([line, exit, err]).toEqual([line, 0, '']);
        if (person === 'bob' && command.includes('remember')) {
          expect(out).toContain('Kafka');
          expect(out).toContain('of alice');
        }
      }
    }
    // Those between the lines too, as bob; the member of the example is a role.
    const inline = [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`(cairn [^`]*)`/g)].map(
      ([, command]) => command!,
    );
    expect(inline).toEqual(
      expect.arrayContaining(['cairn stats', 'cairn store status', 'cairn doctor', 'cairn store migrate']),
    );
    for (const command of new Set(inline)) {
      const [, ...argv] = words(command);
      const whose = argv[1] === 'migrate' ? 'keeper' : 'bob';
      const { exit, err } = await personOf(whose).run(argv);
      expect([command, exit, err]).toEqual([command, argv[0] === 'doctor' ? expect.any(Number) : 0, '']);
    }
    expect(await server.sql(`SELECT owner FROM cairn.scope WHERE owner = 'alice'`, 'cairn')).toEqual([]);
    expect((await personOf('alice').run(['remember', 'ledger'])).out).toContain('Kafka'); // from the file again
  });
});
