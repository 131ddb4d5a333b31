// Any number of pushes and pulls of several machines, in any order, killed anywhere: in the end all hold everything that was said on any
// of them, and nothing else. On a folder in many orders, and on a git remote with all of them at once.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { folderPlace } from '../../src/sync/folder-place.ts';
import { gitPlace } from '../../src/sync/git-place.ts';
import type { Place } from '../../src/sync/place.ts';
import { readMachines, recordsOf } from '../../src/sync/place-contents.ts';
import { createVault, Vault } from '../../src/sync/vault.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { Killed, mortal, TestMachine } from './machine.ts';

const CHEAP = 2;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeBusyFolder(folder);
});

function folder(): string {
  const made = newMemoryFolder();
  folders.push(made);
  return made;
}

type World = { base: string; place: Place; vault: Vault; machines: TestMachine[] };

async function world(count: number, placeOf?: (base: string) => Place): Promise<World> {
  const base = folder();
  const place = placeOf?.(base) ?? folderPlace(path.join(base, 'place'));
  if (place.kind === 'folder') fs.mkdirSync(place.label, { recursive: true });
  await place.refresh();
  const vault = await createVault(place, { passphrase: 'correct horse battery' }, CHEAP);
  const machines = Array.from(
    { length: count },
    (_, at) => new TestMachine(path.join(base, `m${at}`), vault, `m${at}`),
  );
  return { base, place, vault, machines };
}

const everything = (machines: readonly TestMachine[]): { [source: string]: string[] } =>
  Object.assign({}, ...machines.map((each) => ownOf(each)));

const ownOf = (machine: TestMachine): { [source: string]: string[] } =>
  Object.fromEntries(Object.entries(machine.holds()).filter(([source]) => source.startsWith(machine.root)));

async function unlessKilled(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

const step = fc.record({
  who: fc.nat({ max: 2 }),
  what: fc.constantFrom('say', 'say', 'turn', 'push', 'push', 'pull', 'pull', 'mask'),
  conversation: fc.constantFrom('one', 'two'),
  lines: fc.array(
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
    { minLength: 1, maxLength: 5 },
  ),
  steps: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
});

describe('machines of one person', () => {
  it('come to the same, whatever the order and whoever is killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const { place, machines } = await world(3);
        for (const { who, what, conversation, lines, steps: until } of steps) {
          const machine = machines[who]!;
          const here = until === undefined ? place : mortal(place, until);
          if (what === 'say' || what === 'turn') await machine.say(`${conversation}-${who}`, lines, what === 'turn');
          else if (what === 'mask') await machine.rewrite(`${conversation}-${who}`, (line) => line.replace('e', '*'));
          else if (what === 'push') await unlessKilled(machine.push(here));
          else await unlessKilled(machine.pull(here));
        }
        const said = everything(machines);
        for (const machine of machines) expect((await machine.push(place)).problems).toEqual([]);
        for (const machine of machines) expect((await machine.pull(place)).problems).toEqual([]);
        for (const machine of machines) expect(machine.holds()).toEqual(said);
        // And then there is nothing left to do.
        for (const machine of machines) {
          expect((await machine.pull(place)).changed).toEqual([]);
          expect(await machine.push(place)).toMatchObject({ objects: 0, removed: 0 });
        }
      }),
      { numRuns: 20 },
    );
  }, 240_000);

  it('keep at the place what one of them had to make room for', async () => {
    const { place, machines } = await world(2);
    const [a, b] = machines as [TestMachine, TestMachine];
    await a.say('one', ['hello', 'world']);
    await a.push(place);
    await a.archive.remove(a.sourceOf('one'));
    await a.push(place);
    await b.pull(place);
    expect(b.holds()).toEqual({ [a.sourceOf('one')]: ['hello', 'world'] });
  });

  it('read a conversation that goes on from where they were, and pieces that are full only once', async () => {
    const { place, machines } = await world(2);
    const [a, b] = machines as [TestMachine, TestMachine];
    const long = 'x'.repeat(400_000);
    await a.say('one', [long, long, long, long]);
    const first = await a.push(place);
    await b.pull(place);
    await a.say('one', ['more']);
    const second = await a.push(place);
    expect(second.bytes).toBeLessThan(first.bytes);
    const read: string[] = [];
    const watched: Place = {
      ...place,
      read: (names) => {
        read.push(...names);
        return place.read(names);
      },
    };
    await b.pull(watched);
    expect(b.holds()).toEqual(a.holds());
    const objects = read.filter((name) => !name.endsWith('manifest.age'));
    expect(objects).toHaveLength(2); // its page, and the last piece
  });

  it('take lines that were masked later in the place of those that they have', async () => {
    const { place, machines, vault } = await world(2);
    const [a, b] = machines as [TestMachine, TestMachine];
    await a.say('one', ['the word is plum', 'and that was it']);
    await a.push(place);
    await b.pull(place);
    await a.rewrite('one', (line) => line.replace('plum', '…'));
    await a.push(place);
    await b.pull(place);
    expect(Object.values(b.holds())).toEqual([['the word is …', 'and that was it']]);
    const { others } = await readMachines(place, vault, b.config.machine);
    const [record] = await recordsOf(place, vault, others[0]!);
    const objects = [...(await place.list())].filter((name) => /\/[0-9a-f]{2}\//.test(name));
    expect(objects).toHaveLength(1 + record!.generations[0]!.chunks.length);
  });

  it('remove what somebody has forgotten, whoever put it there', async () => {
    const { place, machines } = await world(3);
    const [a, b, c] = machines as [TestMachine, TestMachine, TestMachine];
    await a.say('one', ['gone']);
    await a.say('two', ['stays']);
    await a.push(place);
    await b.pull(place);
    const before = (await place.list()).size;
    b.forgotten.add('one');
    expect(await b.push(place)).toMatchObject({ removed: 1 });
    expect((await place.list()).size).toBe(before); // one object less, one manifest more
    c.forgotten.add('one'); // as its own pull would have it
    await c.pull(place);
    expect(Object.values(c.holds())).toEqual([['stays']]);
    a.forgotten.add('one');
    await a.push(place);
    expect((await a.push(place)).problems).toEqual([]);
  });
});

describe('what is damaged', () => {
  it('is named, keeps nothing else from coming, and is put there anew', async () => {
    const { place, machines } = await world(2);
    const [a, b] = machines as [TestMachine, TestMachine];
    await a.say('one', ['first']);
    await a.push(place);
    const known = new Set(await place.list());
    await a.say('two', ['second']);
    await a.push(place);
    const fresh = [...(await place.list())].filter((name) => !known.has(name));
    const files = fresh.map((name) => path.join(place.label, ...name.split('/')));
    const chunk = files.toSorted((x, y) => fs.statSync(x).size - fs.statSync(y).size)[0]!;
    const bytes = fs.readFileSync(chunk);
    bytes[bytes.length - 3]! ^= 0xff;
    fs.writeFileSync(chunk, bytes);
    const { problems } = await b.pull(place);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('cairn sync push --again');
    expect(Object.values(b.holds())).toEqual([['first']]);
    await a.push(place, true);
    expect((await b.pull(place)).problems).toEqual([]);
    expect(b.holds()).toEqual(a.holds());
  });

  it('is noticed where an object was swapped for another, or made by somebody without the key', async () => {
    const { place, machines, vault } = await world(2);
    const [a, b] = machines as [TestMachine, TestMachine];
    await a.say('one', ['first']);
    await a.push(place);
    const name = [...(await place.list())].find((each) => /\/[0-9a-f]{2}\//.test(each))!;
    await place.put(name, await vault.seal(Buffer.from('[]')));
    expect((await b.pull(place)).problems[0]).toMatch(/something else than its name says/);
    const forged = new Vault({ ...vault.secrets, nameKey: '0'.repeat(64) });
    const manifest = [...(await place.list())].find((each) => each.endsWith('manifest.age'))!;
    await place.put(manifest, await forged.sealManifest(manifest.slice(0, 32), '{}'));
    const { problems, others } = await readMachines(place, vault, '');
    expect(others).toEqual([]);
    expect(problems[0]).toMatch(/not written with the key/);
  });
});

describe('a git remote', () => {
  const bare = (base: string): string => {
    const repository = path.join(base, 'remote.git');
    execFileSync('git', ['init', '--quiet', '--bare', repository]);
    return repository;
  };

  it('takes pushes of all machines at once, and loses none', async () => {
    let address = '';
    const { base, machines } = await world(3, (at) => {
      address = bare(at);
      return gitPlace(address, path.join(at, 'cache'), process.env);
    });
    const places = machines.map((_, at) => gitPlace(address, path.join(base, `cache${at}`), process.env));
    for (const round of [1, 2]) {
      for (const [at, machine] of machines.entries()) await machine.say(`one-${at}`, [`round ${round} of ${at}`]);
      await Promise.all(machines.map((machine, at) => machine.push(places[at]!)));
    }
    const said = everything(machines);
    for (const [at, machine] of machines.entries()) await machine.pull(places[at]!);
    for (const machine of machines) expect(machine.holds()).toEqual(said);
  }, 120_000);

  it('has no history of what was forgotten', async () => {
    let address = '';
    const { place, machines } = await world(1, (at) => {
      address = bare(at);
      return gitPlace(address, path.join(at, 'cache'), process.env);
    });
    const [a] = machines as [TestMachine];
    await a.say('one', ['gone']);
    await a.push(place);
    const before = objectsIn(address);
    a.forgotten.add('one');
    await a.archive.remove(a.sourceOf('one'));
    await a.push(place);
    execFileSync('git', ['--git-dir', address, 'gc', '--quiet', '--prune=now']);
    const log = execFileSync('git', ['--git-dir', address, 'rev-list', '--count', 'cairn-sync'], { encoding: 'utf8' });
    expect(log.trim()).toBe('1');
    expect(objectsIn(address).filter((id) => before.includes(id)).length).toBeLessThan(before.length);
  }, 60_000);

  const objectsIn = (address: string): string[] =>
    execFileSync('git', ['--git-dir', address, 'cat-file', '--batch-all-objects', '--batch-check'], {
      encoding: 'utf8',
    })
      .split('\n')
      .filter((line) => line.includes(' blob '));
});
