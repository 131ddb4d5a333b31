import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FOLDERS, sampleRecord } from '../../../test/fixtures/sample-records.ts';
import { newFolder, put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { Kinds } from '../../model/kinds.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../../store/store.ts';
import { type IndexedFiles, syncFiles } from './index-files.ts';

let place: IndexedFiles;
let store: Store;

beforeEach(async () => {
  place = placeIn(temporaryFolder());
  store = await openStore(place);
});

function placeIn(base: string): IndexedFiles {
  const projectRoot = path.join(base, 'project');
  const root = path.join(projectRoot, '.claude', 'memory');
  fs.mkdirSync(root, { recursive: true });
  return { root, project: root, kinds: new Kinds(), projectRoot, kept: path.join(base, 'home', 'kept.json') };
}

async function openStore({ projectRoot }: IndexedFiles, name = 'memory'): Promise<Store> {
  const made = await openSqliteStore(path.join(path.dirname(projectRoot), `${name}.db`));
  onTestFinished(() => made.close());
  return made;
}

const memoryFile = (name: string): string => path.join(place.root, name);
const projectFile = (name: string): string => path.join(place.projectRoot, name);
const putRecord = (slug: string, changes = {}, category: 'decision' | 'runbook' = 'decision'): string =>
  put(memoryFile(`${FOLDERS[category]}/${slug}.json`), sampleRecord(category, { id: slug, ...changes }));

function putNote(
  id: string,
  body: string,
  properties: { [name: string]: string } = {},
  folder = 'discoveries',
): string {
  const lines = Object.entries({ id, type: 'discovery', created: '2026-01-02T03:04:05Z', ...properties });
  const matter = lines.map(([name, value]) => `${name}: ${value}\n`).join('');
  return put(memoryFile(`nodes/${folder}/${id}.md`), `---\n${matter}---\n# ${id}\n\n${body}\n`);
}

const get = async (ref: string): Promise<Document | undefined> => (await store.get({ refs: [ref] }))[0];
const refs = async (from = store): Promise<string[]> =>
  (await from.list({ order: 'ref', limit: 1_000 })).documents.map((document) => document.ref);
const linksFrom = async (ref: string): Promise<string[]> =>
  (await store.links({ refs: [ref], direction: 'out' })).map(({ relation, to }) => `${relation} ${to}`);

/** Everything that a store says about the memory. */
async function dump(from: Store): Promise<unknown> {
  const { documents } = await from.list({ order: 'ref', limit: 1_000 });
  const all = documents.map((document) => document.ref);
  return {
    documents,
    links: await from.links({ refs: all, direction: 'out' }),
    mentions: await from.mentions({ refs: all }),
  };
}

describe('a row about the files that is damaged', () => {
  const DAMAGES = ['', '[]', 'null', '{"version":2}', '{"a.json":7}', '{"a.json":{"mtime":"1","size":1,"hash":""}}'];

  it.each(DAMAGES)('%j: all files are read anew, and rows of files that went meanwhile go', async (damaged) => {
    putRecord('stays');
    putNote('gone', 'Goes while nobody looks.');
    await syncFiles(store, place);
    const keys = (await store.state({ prefix: 'files:' })).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      putNote('gone', 'Goes while nobody looks.');
      await syncFiles(store, place);
      fs.rmSync(memoryFile('nodes/discoveries/gone.md'));
      await store.apply([{ op: 'state', key, value: damaged }]);
      await syncFiles(store, place);
      expect(await refs(), key).toEqual(['record:decisions/stays']);
      const fresh = await openStore(place, `fresh-${keys.indexOf(key)}-${DAMAGES.indexOf(damaged)}`);
      await syncFiles(fresh, place);
      expect(await dump(store)).toEqual(await dump(fresh));
    }
  });
});

describe('a record', () => {
  it('becomes a document that says what its file says', async () => {
    const file = putRecord('use-jwt', {
      title: 'Use JWT for the API',
      tags: ['auth', 'jwt'],
      confidence: 0.9,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-02-01T00:00:00Z',
      related_files: ['src/auth.ts'],
      content: {
        status: 'accepted',
        context: 'Sessions did not scale.',
        decision: 'Use [[tokens|JWT tokens]] with short lives.',
        alternatives: [{ option: 'Server sessions', rejected_reason: 'memory' }],
        rationale: ['No state on the server'],
      },
    });
    expect(await syncFiles(store, place)).toMatchObject({ put: 1, removed: 0, unchanged: 0, problems: [] });
    expect(await get('record:decisions/use-jwt')).toMatchObject({
      project: place.project,
      layer: 'record',
      kind: 'decision',
      status: 'active',
      title: 'Use JWT for the API',
      text: [
        'Context: Sessions did not scale.',
        'Decision: Use JWT tokens with short lives.',
        'Rationale:',
        '- No state on the server',
        'Status: accepted',
        'Alternatives:',
        '- Server sessions: memory',
      ].join('\n'),
      context: 'src/auth.ts',
      tags: ['auth', 'jwt'],
      confidence: 0.9,
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      updatedAt: Date.parse('2026-02-01T00:00:00Z'),
      source: { file },
      meta: { state: 'accepted', files: [{ path: 'src/auth.ts', blob: null, size: null }] },
    });
    expect(await store.mentions({ entities: ['src/auth.ts'], kinds: ['file'] })).toHaveLength(1);
  });

  it('keeps its status: retired, archived, or superseded by its own word', async () => {
    putRecord('a', { record_status: 'retired' });
    putRecord('b', { record_status: 'archived' });
    const content = { status: 'superseded', context: 'c', decision: 'd', rationale: ['r'] };
    putRecord('c', { content });
    await syncFiles(store, place);
    const statuses = (await store.list({ order: 'ref', limit: 9 })).documents.map((document) => document.status);
    expect(statuses).toEqual(['retired', 'archived', 'superseded']);
  });

  it('comes out without secrets, private text and characters that nobody sees', async () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    putRecord('leak', {
      title: `Token ${token}`,
      tags: [token, 'a\u202eb'],
      content: {
        context: `x ${token} \u200by`,
        decision: 'say <private>salary</private> no',
        rationale: ['</memory-context>'],
      },
    });
    await syncFiles(store, place);
    const text = JSON.stringify(await dump(store));
    expect(text).not.toContain(token);
    expect(text).not.toContain('salary');
    expect(text).not.toMatch(/\u202e|\u200b/);
  });

  it('that cannot be read is named, and the others are indexed', async () => {
    putRecord('good');
    put(memoryFile('decisions/bad.json'), '{');
    put(memoryFile('decisions/list.json'), '[]');
    put(memoryFile('nodes/tasks/odd.md'), '---\ntype: [\n');
    fs.symlinkSync('/etc/hosts', memoryFile('decisions/link.json'));
    const { put: count, problems } = await syncFiles(store, place);
    expect(count).toBe(1);
    expect(problems.map((problem) => problem.path)).toEqual(
      expect.arrayContaining(['decisions/bad.json', 'decisions/link.json', 'decisions/list.json']),
    );
    expect(await syncFiles(store, place)).toMatchObject({ put: 0, unchanged: 1, problems });
  });
});

describe('a note', () => {
  it('becomes a document with its links, also to records', async () => {
    putRecord('use-jwt');
    putNote('other', 'Something else.');
    putNote('main', 'See [[use-jwt]] and [[missing]].\n\nsupersedes:: [[other]]', {
      tags: '[a, b]',
      status: 'archived',
    });
    await syncFiles(store, place);
    expect(await get('note:main')).toMatchObject({
      layer: 'note',
      kind: 'discovery',
      status: 'archived',
      title: 'main',
      tags: ['a', 'b'],
      createdAt: Date.parse('2026-01-02T03:04:05Z'),
    });
    expect((await get('note:main'))?.text).toContain('See use-jwt and missing.');
    expect(await linksFrom('note:main')).toEqual(['supersedes note:other', 'links_to record:decisions/use-jwt']);
  });

  it('gets a link when its target comes, and loses it when that goes', async () => {
    putNote('main', 'See [[later]].');
    await syncFiles(store, place);
    expect(await linksFrom('note:main')).toEqual([]);
    const later = putNote('later', 'Here.');
    await syncFiles(store, place);
    expect(await linksFrom('note:main')).toEqual(['links_to note:later']);
    fs.rmSync(later);
    putRecord('later');
    await syncFiles(store, place, { quick: true });
    expect(await linksFrom('note:main')).toEqual(['links_to record:decisions/later']);
  });

  it('with the id of another waits until that one is gone', async () => {
    const first = putNote('twin', 'First.');
    putNote('twin-copy', 'Second.', { id: 'TWIN' });
    const { problems } = await syncFiles(store, place);
    expect(problems).toMatchObject([{ path: 'nodes/discoveries/twin.md' }]);
    expect((await get('note:TWIN'))?.text).toContain('Second.');
    fs.rmSync(memoryFile('nodes/discoveries/twin-copy.md'));
    expect((await syncFiles(store, place)).problems).toEqual([]);
    expect(await refs()).toEqual(['note:twin']);
    fs.rmSync(first);
    await syncFiles(store, place);
    expect(await refs()).toEqual([]);
  });
});

describe('a second sync', () => {
  it('writes nothing when nothing changed, and only what did', async () => {
    for (let n = 0; n < 20; n++) putRecord(`record-${n}`);
    expect(await syncFiles(store, place)).toMatchObject({ put: 20 });
    expect(await syncFiles(store, place)).toMatchObject({ put: 0, removed: 0, unchanged: 20 });
    putRecord('record-7', { title: 'Changed' });
    fs.rmSync(memoryFile('decisions/record-3.json'));
    expect(await syncFiles(store, place)).toMatchObject({ put: 1, removed: 1, unchanged: 18 });
    expect((await get('record:decisions/record-7'))?.title).toBe('Changed');
  });

  it('does not write what was only touched', async () => {
    const file = putRecord('a');
    await syncFiles(store, place);
    fs.utimesSync(file, 1, 1);
    expect(await syncFiles(store, place)).toMatchObject({ put: 0, unchanged: 1 });
  });

  it('that is quick sees new, replaced and removed files', async () => {
    putRecord('a');
    await syncFiles(store, place);
    const aside = put(memoryFile('decisions/.tmp'), sampleRecord('decision', { id: 'a', title: 'Replaced' }));
    fs.renameSync(aside, memoryFile('decisions/a.json'));
    putRecord('b', {}, 'runbook');
    expect(await syncFiles(store, place, { quick: true })).toMatchObject({ put: 2 });
    fs.rmSync(memoryFile('decisions/a.json'));
    expect(await syncFiles(store, place, { quick: true })).toMatchObject({ removed: 1 });
    expect(await refs()).toEqual(['record:runbooks/b']);
  });

  it('that is quick believes folders that have not moved for a while', async () => {
    const file = putRecord('a');
    fs.utimesSync(path.dirname(file), 1_000_000, 1_000_000);
    fs.utimesSync(file, 1_000_000, 1_000_000);
    await syncFiles(store, place);
    fs.writeFileSync(file, JSON.stringify(sampleRecord('decision', { id: 'a', title: 'In place' })));
    fs.utimesSync(path.dirname(file), 1_000_000, 1_000_000);
    expect(await syncFiles(store, place, { quick: true })).toMatchObject({ put: 0, unchanged: 1 });
    expect(await syncFiles(store, place)).toMatchObject({ put: 1 });
  });

  it('of named files looks at no other', async () => {
    const [a, b] = [putRecord('a'), putRecord('b')];
    await syncFiles(store, place);
    putRecord('a', { title: 'New' });
    putRecord('b', { title: 'New' });
    expect(await syncFiles(store, place, { only: [a, '/etc/passwd', 'decisions/../../x.json'] })).toMatchObject({
      put: 1,
    });
    expect((await get('record:decisions/b'))?.title).not.toBe('New');
    fs.rmSync(b);
    expect(await syncFiles(store, place, { only: ['decisions/b.json'] })).toMatchObject({ removed: 1 });
    expect(await syncFiles(store, place)).toMatchObject({ put: 0, removed: 0, unchanged: 1 });
  });

  it('follows categories that come and go', async () => {
    put(memoryFile('recipes/soup.json'), { ...sampleRecord('decision'), category: 'recipe' });
    const cook = { ...place, kinds: new Kinds({ recipe: { folder: 'recipes' } }) };
    expect(await syncFiles(store, cook)).toMatchObject({ put: 1 });
    expect((await get('record:recipes/soup'))?.kind).toBe('recipe');
    expect(await syncFiles(store, place)).toMatchObject({ removed: 1, unchanged: 0 });
  });

  it('of a memory that is gone leaves nothing', async () => {
    putRecord('a');
    putNote('n', 'text');
    await syncFiles(store, place);
    fs.rmSync(place.root, { recursive: true });
    expect(await syncFiles(store, place)).toMatchObject({ removed: 2, unchanged: 0 });
    expect(await refs()).toEqual([]);
  });

  it('at the same time as another doubles nothing', async () => {
    for (let n = 0; n < 40; n++) putNote(`note-${n}`, `About [[note-${n + 1}]].`);
    const other = await openStore(place);
    await Promise.all([syncFiles(store, place), syncFiles(other, place), syncFiles(store, place)]);
    const fresh = await openStore(place, 'fresh');
    await syncFiles(fresh, place);
    expect(await dump(store)).toEqual(await dump(fresh));
  });

  it('leaves other projects alone', async () => {
    putRecord('a');
    const other = placeIn(temporaryFolder());
    put(path.join(other.root, 'decisions/b.json'), sampleRecord('decision', { id: 'b' }));
    await syncFiles(store, place);
    await syncFiles(store, other);
    fs.rmSync(path.join(other.root, 'decisions/b.json'));
    expect(await syncFiles(store, other)).toMatchObject({ removed: 1 });
    expect(await refs()).toEqual(['record:decisions/a']);
  });
});

describe('related files', () => {
  const blobs = async (ref: string): Promise<unknown> => (await get(ref))?.meta?.files;

  it('are remembered as they were when the memory was written, whatever happens to them', async () => {
    put(projectFile('src/a.ts'), 'hello\n');
    putRecord('a', { related_files: ['./src/a.ts:12', projectFile('src/a.ts'), '../../etc/passwd'] });
    await syncFiles(store, place);
    const first = [
      { path: 'src/a.ts', blob: 'ce013625030ba8dba906f756967f9e9ca394464a', size: 6 },
      { path: '../../etc/passwd', blob: null, size: null },
    ];
    expect(await blobs('record:decisions/a')).toEqual(first);
    put(projectFile('src/a.ts'), 'changed\n');
    putNote(
      'file-src-a-ts',
      'The note that the record now links to.',
      { type: 'file-summary', path: 'src/a.ts' },
      'files',
    );
    await syncFiles(store, place);
    expect(await linksFrom('record:decisions/a')).toEqual(['related note:file-src-a-ts']);
    expect(await blobs('record:decisions/a')).toEqual(first);
    expect(await blobs('note:file-src-a-ts')).toMatchObject([{ path: 'src/a.ts', size: 8 }]);
  });

  it('survive the loss of the database, and are looked at anew when the memory changes', async () => {
    put(projectFile('a.ts'), 'one');
    putRecord('a', { related_files: ['a.ts'] });
    await syncFiles(store, place);
    put(projectFile('a.ts'), 'three');
    const fresh = await openStore(place, 'fresh');
    await syncFiles(fresh, place);
    expect(await dump(fresh)).toEqual(await dump(store));
    putRecord('a', { related_files: ['a.ts'], title: 'Looked again' });
    await syncFiles(store, place);
    expect(await blobs('record:decisions/a')).toMatchObject([{ size: 5 }]);
    expect(fs.statSync(place.kept!).mode & 0o777).toBe(0o600);
  });

  it('are carried by the store alone where nothing is kept', async () => {
    const { kept: _, ...bare } = place;
    put(projectFile('a.ts'), 'one');
    putRecord('a', { related_files: ['a.ts'], content: { decision: 'as [[later]]', context: 'c', rationale: [] } });
    await syncFiles(store, bare);
    put(projectFile('a.ts'), 'three');
    putNote('later', 'x');
    await syncFiles(store, bare);
    expect(await linksFrom('record:decisions/a')).toEqual(['links_to note:later']);
    expect(await blobs('record:decisions/a')).toMatchObject([{ size: 3 }]);
  });
});

describe('a file that takes the place of another', () => {
  it('is read, though it has the time and the size of the one before', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    const [one, two] = [putNote('a', 'It is one.'), putNote('b', 'It is two.')];
    for (const file of [one, two]) fs.utimesSync(file, hourAgo, hourAgo);
    await syncFiles(store, place);
    fs.writeFileSync(one, fs.readFileSync(two, 'utf8').replace('two', 'six'));
    fs.utimesSync(one, hourAgo, hourAgo);
    fs.renameSync(one, two);
    await syncFiles(store, place);
    expect(await refs()).toEqual(['note:b']);
    expect((await get('note:b'))?.text).toContain('It is six.');
  });
});

describe('any series of edits', () => {
  const names = ['a', 'b', 'c', 'D'];
  const name = fc.constantFrom(...names);
  const body = fc
    .array(fc.oneof(name, fc.constant('none')), { maxLength: 3 })
    .map((all) => all.map((to) => `[[${to}]]`).join(' '));
  const edit = fc.oneof(
    fc.record({ do: fc.constant('record' as const), name, body, folder: fc.constantFrom('decision', 'runbook') }),
    fc.record({
      do: fc.constant('note' as const),
      name,
      body,
      id: fc.oneof(
        name,
        name.map((each) => each.toLowerCase()),
      ),
    }),
    fc.record({ do: fc.constant('remove' as const), at: fc.nat(20) }),
    fc.record({ do: fc.constant('move' as const), at: fc.nat(20), name }),
    fc.record({ do: fc.constant('damage' as const), at: fc.nat(20) }),
    fc.record({ do: fc.constant('sync' as const), how: fc.constantFrom('full', 'quick', 'only') }),
  );

  it('gives the rows of a store that was filled at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 14 }), async (edits) => {
        const base = newFolder();
        place = placeIn(base);
        const [grown, fresh] = await Promise.all(
          ['grown', 'fresh'].map((each) => openSqliteStore(path.join(base, each))),
        );
        try {
          for (const each of edits) await play(each, grown!);
          const report = await syncFiles(grown!, place);
          const again = await syncFiles(fresh!, place);
          expect(await dump(grown!)).toEqual(await dump(fresh!));
          expect(report.problems).toEqual(again.problems);
          expect(report.unchanged + report.put).toBe(again.put);
        } finally {
          await grown!.close();
          await fresh!.close();
          fs.rmSync(base, { recursive: true });
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  async function play(each: typeof edit extends fc.Arbitrary<infer E> ? E : never, to: Store): Promise<void> {
    const files = fs
      .readdirSync(place.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort();
    const chosen = 'at' in each ? files[each.at % Math.max(1, files.length)] : undefined;
    if (each.do === 'record') {
      const content = { context: each.body, decision: 'd', trigger: 't', rationale: [] };
      putRecord(each.name, { content, related_files: ['x.ts'] }, each.folder as 'decision' | 'runbook');
    } else if (each.do === 'note') putNote(each.name, each.body, { id: each.id });
    else if (each.do === 'sync')
      await syncFiles(
        to,
        place,
        each.how === 'quick' ? { quick: true } : each.how === 'only' ? { only: files.slice(0, 2) } : {},
      );
    else if (chosen === undefined) return;
    else if (each.do === 'remove') fs.rmSync(chosen);
    else if (each.do === 'damage') fs.writeFileSync(chosen, '{');
    else fs.renameSync(chosen, path.join(path.dirname(chosen), each.name + path.extname(chosen)));
  }
});
