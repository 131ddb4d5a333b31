// Every route of the viewer, asked over a real socket: what it shows, what it changes, and how a change is taken back.

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Acted, Contract, GraphAnswer, MemoryPage } from '../../src/viewer-api/protocol.ts';
import { put } from '../fixtures/temporary.ts';
import { envOf, HTML, inject, record, SECRET, SESSION, Served } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.end());

const DECISION = 'record:decisions/sign-sessions';
const NOTE = 'note:discovery-cookie-limit';
type Page<K extends keyof Contract> = Contract[K]['answer'];

describe('the pages that are read', () => {
  it('names every kind, with a form for each category', async () => {
    const kinds = await served.get<Page<'kinds'>>('kinds');
    expect(kinds.projects[0]).toMatchObject({ id: served.cli.project, current: true });
    expect(kinds.kinds).toContainEqual({ layer: 'record', name: 'tech_debt', display: 'Tech debt' });
    const decision = kinds.categories.find(({ name }) => name === 'decision')!;
    expect(decision.fields.find(({ name }) => name === 'rationale')).toMatchObject({ type: 'lines', required: true });
    expect(decision.fields.find(({ name }) => name === 'status')).toMatchObject({ type: 'choice' });
    expect(decision.fields.find(({ name }) => name === 'alternatives')).toMatchObject({ type: 'objects' });
  });

  it('gives an overview of what is remembered, open and injected', async () => {
    const overview = await served.get<Page<'overview'>>('overview');
    expect(overview.totals).toMatchObject({ records: 2, notes: 1, conversations: 1 });
    expect(overview.totals.ideas).toBeGreaterThan(2);
    expect(overview.counts).toContainEqual({ layer: 'record', kind: 'decision', count: 2 });
    expect(overview.injected).toHaveLength(30);
    expect(overview.storage.map(({ part }) => part)).toContain('database');
    expect(overview.lastCaptures.length).toBeGreaterThan(3);
    expect(overview.lastSigns.map(({ event }) => event)).toContain('UserPromptSubmit (injected)');
    const everywhere = await served.get<Page<'overview'>>('overview', { project: 'all' });
    expect(everywhere.totals).toEqual(overview.totals);
  });

  it('says how the doctor finds it', async () => {
    const { findings } = await served.get<Page<'health'>>('health');
    expect(findings.map(({ area }) => area)).toEqual(expect.arrayContaining(['index', 'archive', 'disk', 'failures']));
  });

  it('searches with the numbers behind each score, and filters', async () => {
    const { hits, analysis, tookMs } = await served.get<Page<'search'>>('search', { q: 'signed session cookie' });
    expect(analysis.terms).toContain('cookie');
    expect(tookMs).toBeGreaterThanOrEqual(0);
    const found = hits.find(({ ref }) => ref === DECISION)!;
    expect(found.points.some(({ name, points }) => name === 'keyword' && points > 0)).toBe(true);
    expect(found.factors.some(({ name }) => name === 'confidence')).toBe(true);
    expect(found.ranks[0]).toMatchObject({ strategy: 'keyword' });
    expect(found.staleness).toBe('unchanged');
    expect(found.source?.file).toBe(path.join(served.cli.root, 'decisions/sign-sessions.json'));
    const said = hits.find(({ layer, kind }) => layer === 'trace' && kind !== 'span')!;
    expect(said.source?.line).toBeGreaterThan(0);
    expect(said.span?.ref).toMatch(/^span:/);
    expect(said.exchange?.ref).toMatch(/^span:/);
    expect(said.exchange?.ref).not.toBe(said.span?.ref);
    const records = await served.get<Page<'search'>>('search', { q: 'cookie', layers: 'record' });
    expect(new Set(records.hits.map(({ layer }) => layer))).toEqual(new Set(['record']));
    const decided = await served.get<Page<'search'>>('search', { q: 'cookie', intents: 'decision' });
    expect(new Set(decided.hits.map(({ kind }) => kind))).toEqual(new Set(['decision']));
    const early = await served.get<Page<'search'>>('search', { q: 'cookie', until: '2020-01-01' });
    expect(early.hits).toEqual([]);
    const none = await served.get<Page<'search'>>('search', { q: 'cookie', project: served.cli.project, limit: 1 });
    expect(none.hits).toHaveLength(1);
  });

  it('lists by what memories are, page after page', async () => {
    const first = await served.get<Page<'list'>>('list', { layers: 'trace', limit: 2 });
    expect(first.memories).toHaveLength(2);
    const second = await served.get<Page<'list'>>('list', { layers: 'trace', limit: 2, cursor: first.next! });
    expect(second.memories[0]!.ref).not.toBe(first.memories[0]!.ref);
  });

  it('shows a record with its file, links back, files and injections', async () => {
    const page = await served.get<MemoryPage>('memory', { ref: DECISION });
    expect(page.record).toMatchObject({ category: 'decision', title: 'Sign sessions into a cookie', problems: [] });
    expect(page.version).toMatch(/^[0-9a-f]{32}$/);
    expect(page.backlinks).toContainEqual(expect.objectContaining({ ref: NOTE, layer: 'note' }));
    expect(page.files).toEqual([{ path: 'src/session.ts', state: 'unchanged' }]);
    expect(page.injected).toMatchObject({ times: 1, last: [{ prompt: 'Where do sessions live?', tokens: 40 }] });
    expect(page.actions).toContainEqual({ action: 'edit', allowed: true, why: null });
    expect(page.actions).toContainEqual({ action: 'restore', allowed: false, why: 'It is not retired.' });
  });

  it('shows a note by its sections, and an entity by what mentions it', async () => {
    const page = await served.get<MemoryPage>('memory', { ref: NOTE });
    expect(page.note?.sections.map(({ name }) => name)).toEqual(['Insight', 'Where Used']);
    expect(page.links).toContainEqual(expect.objectContaining({ ref: DECISION }));
    const { entities } = await served.get<MemoryPage>('memory', { ref: DECISION });
    const file = entities.find(({ kind }) => kind === 'file')!;
    const entity = await served.get<MemoryPage>('memory', { ref: file.ref });
    expect(entity.entity).toMatchObject({ name: 'src/session.ts' });
    expect(entity.backlinks.map(({ ref }) => ref)).toContain(DECISION);
  });

  it('shows what was injected, with titles and reasons, page after page', async () => {
    const { injections, total } = await served.get<Page<'injections'>>('injections');
    expect(injections).toHaveLength(1);
    expect(injections[0]!.entries[0]).toMatchObject({
      ref: DECISION,
      title: 'Sign sessions into a cookie',
      ranks: [{ strategy: 'keyword', rank: 1 }],
    });
    expect(total).toEqual({ injections: 1, tokens: 40 });
    const other = await served.get<Page<'injections'>>('injections', { ref: 'record:decisions/html-title' });
    expect(other.injections).toEqual([]);
    const ofDay = await served.get<Page<'injections'>>('injections', { day: '2019-01-01' });
    expect(ofDay.injections).toEqual([]);
  });

  it('gives the graph as columns, the same each time', async () => {
    const graph = await served.get<GraphAnswer>('graph', { limit: 10_000 });
    const { nodes, edges, kinds } = graph;
    expect(nodes.ref).toEqual(expect.arrayContaining([DECISION, NOTE]));
    expect(kinds.map(({ layer }) => layer)).toEqual(expect.arrayContaining(['record', 'note', 'trace', 'entity']));
    for (const column of [nodes.title, nodes.kind, nodes.degree, nodes.status, nodes.project])
      expect(column).toHaveLength(nodes.ref.length);
    expect(edges.from).toHaveLength(edges.to.length);
    expect(Math.max(...edges.from, ...edges.to)).toBeLessThan(nodes.ref.length);
    expect(graph.total.nodes).toBe(nodes.ref.length);
    const again = await served.get<GraphAnswer>('graph', { limit: 10_000, project: 'all' });
    expect(again.nodes).toEqual(nodes);
    const map = await served.get<GraphAnswer>('map');
    expect(map.nodes.ref).toContain(DECISION);
    expect(map.nodes.ref.length).toBeLessThanOrEqual(40);
    expect(map.edges.from.every((at) => at < map.nodes.ref.length)).toBe(true);
    const few = await served.get<GraphAnswer>('graph', { limit: 3 });
    expect([few.nodes.ref.length, few.total.nodes]).toEqual([3, nodes.ref.length]);
    const curated = await served.get<GraphAnswer>('graph', { layers: 'record,note' });
    expect(new Set(curated.kinds.map(({ layer }) => layer))).toEqual(new Set(['record', 'note']));
  });

  it('shows the neighbourhood of a memory and of an entity, and writes it out', async () => {
    const around = await served.get<GraphAnswer>('neighbourhood', { ref: DECISION, depth: 1 });
    expect(around.nodes.ref[0]).toBe(DECISION);
    expect(around.nodes.depth[0]).toBe(0);
    expect(around.nodes.ref).toContain(NOTE);
    const wider = await served.get<GraphAnswer>('neighbourhood', { ref: DECISION, depth: 3 });
    expect(wider.nodes.ref.length).toBeGreaterThan(around.nodes.ref.length);
    expect(Math.max(...wider.nodes.depth)).toBeGreaterThan(1);
    const bounded = await served.get<GraphAnswer>('neighbourhood', { ref: DECISION, depth: 3, limit: 2 });
    expect(bounded.nodes.ref).toHaveLength(2);
    expect(bounded.total.nodes).toBeGreaterThan(2);
    const entity = await served.get<GraphAnswer>('neighbourhood', { ref: 'entity:file/src/session.ts', depth: 1 });
    expect(entity.nodes.ref).toContain(DECISION);
    const { markdown, memories } = await served.get<Page<'exportNeighbourhood'>>('export/neighbourhood', {
      ref: DECISION,
    });
    expect(memories).toBeGreaterThan(1);
    expect(markdown).toContain('## Cookies hold four kilobytes');
  });

  it('writes a search out as Markdown in which nothing that others wrote is an element', async () => {
    const { markdown, fileName } = await served.get<Page<'exportSearch'>>('export/search', { q: 'escape html' });
    expect(fileName).toMatch(/^cairn-search-\d{4}-\d\d-\d\d\.md$/);
    expect(markdown).toContain('Escape');
    expect(markdown).not.toMatch(/<(?:img|script)/);
  });

  it('lays conversations out in time, with topics, statements and lines of the transcript', async () => {
    const timeline = await served.get<Page<'timeline'>>('timeline');
    expect(timeline.conversations).toHaveLength(1);
    const [talk] = timeline.conversations;
    expect(talk).toMatchObject({ session: SESSION, startAt: Date.parse('2026-03-01T09:00:00Z') });
    expect(timeline.extent!.to).toBeGreaterThanOrEqual(timeline.extent!.from);
    expect(timeline.density!.exchanges.reduce((sum, each) => sum + each, 0)).toBe(talk!.exchanges);
    const exchanges = talk!.spans.filter(({ depth }) => depth === 1);
    expect(exchanges).toHaveLength(talk!.exchanges);
    for (const { asked, parent } of exchanges)
      expect([asked, parent]).toEqual([expect.any(String), expect.any(String)]);
    expect(Object.values(talk!.counts).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(2);
    const later = await served.get<Page<'timeline'>>('timeline', { from: Date.parse('2026-04-01') });
    expect([later.conversations, later.total]).toEqual([[], 0]);
    const { ref } = talk!.spans[0]!;
    const span = await served.get<Page<'span'>>('span', { ref });
    expect(span.ideas.length).toBeGreaterThan(2);
    expect(span.parts.map(({ asked }) => asked)).toEqual(
      exchanges.filter(({ parent }) => parent === ref).map(({ asked }) => asked),
    );
    const exchange = await served.get<Page<'span'>>('span', { ref: exchanges[0]!.ref });
    expect(exchange.fields.asked).toContain(exchanges[0]!.asked!.replace('…', ''));
    const memory = await served.get<Page<'memory'>>('memory', { ref: exchange.ideas[0]!.ref });
    expect(memory.exchange).toMatchObject({ ref: exchange.span.ref, asked: exchange.fields.asked });
    expect(memory.span?.ref).toBe(exchange.span.parent);
    expect(span.ideas.map(({ source }) => source!.line!)).toEqual(
      span.ideas.map(({ source }) => source!.line!).sort((a, b) => a - b),
    );
    const lines = await served.get<Page<'transcript'>>('transcript', { ref: span.ideas[0]!.ref, before: 9, after: 9 });
    expect(lines).toMatchObject({ from: 'file', line: span.ideas[0]!.source!.line });
    expect(lines.lines.map(({ text }) => text).join('\n')).toContain('[redacted:');
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it('says what is missing or wrong, with what to do', async () => {
    const missing = await served.ask({ path: '/api/memory', query: { ref: 'idea:nothere' } });
    expect([missing.status, missing.json.error]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    for (const [route, query] of [
      ['memory', {}],
      ['search', { q: 'x', since: 'someday' }],
      ['list', { order: 'sideways' }],
      ['graph', { limit: 'many' }],
      ['span', { ref: DECISION }],
      ['transcript', { ref: DECISION }],
      ['injections', { cursor: 'x' }],
    ] as const) {
      const { status, json } = await served.ask({ path: `/api/${route}`, query });
      expect([route, status, json.error]).toEqual([
        route,
        400,
        expect.objectContaining({ message: expect.any(String) }),
      ]);
    }
    expect((await served.ask({ path: '/api/overview', query: { project: '/nowhere' } })).status).toBe(404);
  });
});

describe('what is changed', () => {
  const versionOf = async (ref: string): Promise<string> => (await served.get<MemoryPage>('memory', { ref })).version!;
  const acted = (answer: { json: object }): Acted => answer.json as Acted;

  it('saves an edit, tells its history, and takes it back', async () => {
    const edit = { content: { decision: 'Sign them, and encrypt them' }, tags: ['auth', 'cookie', 'crypto'] };
    const answer = await served.act({ action: 'edit', ref: DECISION, version: await versionOf(DECISION), edit });
    expect([answer.status, acted(answer).status]).toEqual([200, 'updated']);
    const page = await served.get<MemoryPage>('memory', { ref: DECISION });
    expect(page.record!.content.decision).toBe('Sign them, and encrypt them');
    expect(page.history[0]).toMatchObject({ field: 'content.decision', is: 'Sign them, and encrypt them' });
    expect(page.version).toBe(acted(answer).version);
    const { undo } = acted(answer);
    expect(undo!.label).toBe('Undo (added tags stay)');
    expect((await served.act(undo!.action)).status).toBe(200);
    const back = await served.get<MemoryPage>('memory', { ref: DECISION });
    expect(back.record!.content.decision).toBe('Sign sessions into a cookie');
    expect(back.record!.tags).toContain('crypto');
  });

  it('names the fields that are wrong, and writes nothing', async () => {
    const version = await versionOf(DECISION);
    const edit = { title: '', content: { rationale: [], status: 'maybe' } };
    const { status, json } = await served.act({ action: 'edit', ref: DECISION, version, edit });
    expect(status).toBe(422);
    const { fields } = json.error as { fields: { field: string; fix: string }[] };
    expect(fields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['title', 'content.rationale', 'content.status']),
    );
    expect(fields.every(({ fix }) => fix !== '')).toBe(true);
    const merge = await served.act({ action: 'edit', ref: DECISION, version, edit: { tags: ['other'] } });
    expect([merge.status, merge.json.error]).toEqual([
      422,
      expect.objectContaining({ code: 'MERGE_ERROR', fields: [expect.objectContaining({ field: 'tags' })] }),
    ]);
    expect(await versionOf(DECISION)).toBe(version);
  });

  it('refuses an edit of what somebody else has changed meanwhile', async () => {
    const version = await versionOf(DECISION);
    const file = path.join(served.cli.root, 'decisions/sign-sessions.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('survive a restart', 'outlive a restart'));
    const edit = { content: { decision: 'Mine' } };
    const { status, json } = await served.act({ action: 'edit', ref: DECISION, version, edit });
    expect([status, json.error]).toEqual([409, expect.objectContaining({ code: 'OCC_CONFLICT' })]);
    const noteVersion = await versionOf(NOTE);
    const note = path.join(served.cli.root, 'nodes/discoveries/discovery-cookie-limit.md');
    fs.appendFileSync(note, '\nMore.\n');
    const late = await served.act({ action: 'edit', ref: NOTE, version: noteVersion, edit: { title: 'Mine' } });
    expect([late.status, (late.json.error as { code: string }).code]).toEqual([409, 'OCC_CONFLICT']);
    expect(fs.readFileSync(note, 'utf8')).toContain('More.');
  });

  it('follows a record whose file follows its title', async () => {
    const version = await versionOf('record:decisions/html-title');
    const edit = { title: 'Templates escape every value by default' };
    const answer = acted(await served.act({ action: 'edit', ref: 'record:decisions/html-title', version, edit }));
    expect(answer.ref).toBe('record:decisions/templates-escape-every-value-by-default');
    expect((await served.get<MemoryPage>('memory', { ref: answer.ref })).record!.title).toBe(edit.title);
    const back = acted(await served.act(answer.undo!.action));
    expect((await served.get<MemoryPage>('memory', { ref: back.ref })).record!.title).toBe(`Escape ${HTML}`);
  });

  it('retires and restores, archives and unarchives, there and back by what undo says', async () => {
    for (const [action, status] of [
      ['retire', 'retired'],
      ['archive', 'archived'],
    ] as const) {
      const done = acted(await served.act({ action, ref: DECISION, reason: 'a test' }));
      expect(done.status).toBe(status);
      const page = await served.get<MemoryPage>('memory', { ref: DECISION });
      expect(page.status).toBe(status);
      expect(page.actions.find((each) => each.action === 'edit')!.allowed).toBe(false);
      const { hits } = await served.get<Page<'search'>>('search', { q: 'signed session cookie', layers: 'record' });
      expect(hits.map(({ ref }) => ref)).not.toContain(DECISION);
      const { memories } = await served.get<Page<'list'>>('list', { statuses: status });
      expect(memories.map(({ ref }) => ref)).toEqual([DECISION]);
      expect((await served.act(done.undo!.action)).status).toBe(200);
      expect((await served.get<MemoryPage>('memory', { ref: DECISION })).status).toBe('active');
    }
    const wrong = await served.act({ action: 'restore', ref: DECISION });
    expect([wrong.status, wrong.json]).toEqual([200, expect.objectContaining({ status: 'unchanged', undo: null })]);
  });

  it('edits a note with validation, archives it, and takes both back', async () => {
    const bad = await served.act({
      action: 'edit',
      ref: NOTE,
      version: await versionOf(NOTE),
      edit: { status: 'great', sections: { Insight: '# Another title' } },
    });
    expect([bad.status, bad.json.error]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_ERROR' })]);
    const file = path.join(served.cli.root, 'nodes/discoveries/discovery-cookie-limit.md');
    const before = fs.readFileSync(file, 'utf8');
    const edit = { sections: { Insight: 'Four kilobytes.', Implications: 'Keep it small.' } };
    const done = acted(await served.act({ action: 'edit', ref: NOTE, version: await versionOf(NOTE), edit }));
    expect((await served.get<MemoryPage>('memory', { ref: NOTE })).note!.sections.map(({ name }) => name)).toContain(
      'Implications',
    );
    const code = 'Limit:\n```sh\n# four kilobytes\ntrue\n```';
    const coded = { sections: { Insight: code } };
    const again = acted(await served.act({ action: 'edit', ref: NOTE, version: await versionOf(NOTE), edit: coded }));
    const shown = (await served.get<MemoryPage>('memory', { ref: NOTE })).note!.sections;
    expect(shown.find(({ name }) => name === 'Insight')).toEqual({ name: 'Insight', text: code });
    // What was changed is stamped with its second, which is no reason to refuse the next step back.
    await setTimeout(1_100);
    expect((await served.act(again.undo!.action)).status).toBe(200);
    expect((await served.act(done.undo!.action)).status).toBe(200);
    const body = (text: string): string => text.replace(/^updated: .*$/m, '').replace(/\s+/g, ' ');
    expect(body(fs.readFileSync(file, 'utf8'))).toBe(body(before));
    const archived = acted(await served.act({ action: 'archive', ref: NOTE }));
    expect((await served.get<MemoryPage>('memory', { ref: NOTE })).status).toBe('archived');
    await served.act(archived.undo!.action);
    expect((await served.get<MemoryPage>('memory', { ref: NOTE })).status).toBe('active');
  });

  it('judges any memory, and takes the verdict back without what was counted', async () => {
    const [idea] = (await served.get<Page<'list'>>('list', { layers: 'trace', kinds: 'decision' })).memories;
    const done = acted(await served.act({ action: 'feedback', ref: idea!.ref, verdict: 'useful' }));
    expect((await served.get<MemoryPage>('memory', { ref: idea!.ref })).learned).toMatchObject({
      verdict: 'useful',
      factor: 1.25,
    });
    const changed = acted(await served.act({ action: 'feedback', ref: idea!.ref, verdict: 'wrong' }));
    expect((await served.act(changed.undo!.action)).status).toBe(200);
    expect((await served.get<MemoryPage>('memory', { ref: idea!.ref })).learned.verdict).toBe('useful');
    await served.act(done.undo!.action);
    expect((await served.get<MemoryPage>('memory', { ref: idea!.ref })).learned.verdict).toBeNull();
  });

  it('changes nothing of what was said, and nothing that has no name', async () => {
    const [idea] = (await served.get<Page<'list'>>('list', { layers: 'trace' })).memories;
    for (const action of [
      { action: 'edit', ref: idea!.ref, version: 'x', edit: { title: 'Other' } },
      { action: 'retire', ref: idea!.ref },
      { action: 'retire', ref: NOTE },
      { action: 'burn', ref: DECISION },
      { action: 'feedback', ref: DECISION, verdict: 'so-so' },
      { action: 'edit', ref: DECISION, version: 'x', edit: 'all' },
      { action: 'edit', ref: DECISION, version: 'x', edit: { tags: 'all' } },
      { action: 'retire' },
    ])
      expect([action, (await served.act(action)).status]).toEqual([action, 400]);
    expect((await served.act({ action: 'retire', ref: 'record:decisions/../../secret' })).status).toBe(404);
  });
});

describe('a memory that a repository brought along', () => {
  it('is shown for what it is until the user agrees to it', async () => {
    const strange = await Served.start({ fill: false });
    try {
      const planted = {
        schema_version: '1.0',
        category: 'decision',
        id: 'planted',
        ...record('Trust no stranger', ['trust']),
      };
      put(path.join(strange.cli.project, '.git/HEAD'), 'ref: refs/heads/main\n');
      const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
      put(path.join(strange.cli.root, 'decisions/planted.json'), { ...planted, ...times });
      const look = async () => ({
        project: (await strange.get<Page<'kinds'>>('kinds')).project.untrusted,
        hit: (await strange.get<Page<'search'>>('search', { q: 'stranger' })).hits[0]?.untrusted,
        memory: (await strange.get<MemoryPage>('memory', { ref: 'record:decisions/planted' })).untrusted,
      });
      await expect.poll(look, { timeout: 20_000 }).toEqual({ project: true, hit: true, memory: true });
      const { exit } = await strange.cli.run(['trust'], { env: envOf(strange.cli), answers: ['y'] });
      expect(exit).toBe(0);
      expect(await look()).toEqual({ project: false, hit: false, memory: false });
    } finally {
      await strange.end();
    }
  });
});

describe('a long log of injections', () => {
  it('comes in pages that neither repeat nor lose one, also of one moment', async () => {
    const many = await Served.start({ fill: false });
    try {
      const at = (minute: number): string => `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
      for (let number = 0; number < 25; number++) inject(many.cli, `prompt ${number}`, at(Math.floor(number / 5)));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<'injections'> = await many.get('injections', { limit: 4, ...(cursor ? { cursor } : {}) });
        seen.push(...page.injections.map(({ prompt }) => prompt));
        cursor = page.next;
        if (seen.length < 25) expect(cursor).not.toBeNull();
        else break;
      } while (cursor !== null);
      expect(seen.slice(0, 25).sort()).toEqual(Array.from({ length: 25 }, (_, number) => `prompt ${number}`).sort());
    } finally {
      await many.end();
    }
  });
});

describe('a memory with nothing in it', () => {
  it('answers every page', async () => {
    const empty = await Served.start({ fill: false });
    try {
      for (const route of ['kinds', 'overview', 'health', 'list', 'injections', 'graph', 'timeline'])
        expect([route, (await empty.ask({ path: `/api/${route}` })).status]).toEqual([route, 200]);
      expect((await empty.get<Page<'search'>>('search', { q: 'anything' })).hits).toEqual([]);
    } finally {
      await empty.end();
    }
  });
});
