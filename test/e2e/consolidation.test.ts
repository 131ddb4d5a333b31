// What a turn was worth saving for gets saved, on the real client: the Stop hook blocks once with <triage_data>, the scripted model
// drafts with subagents, has the drafts verified and saves them through the server; afterwards there is a valid record, the next
// stop goes through, and so does that of the resumed conversation. The script reads what it is sent, as a model would.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  cairnIn,
  findClient,
  makePlace,
  type Place,
  pluginCopy,
  removePlace,
  runClient,
  type Session,
  settled,
  WAYS,
} from './client.ts';
import { type ApiRequest, seenByModel, type ToolCall, type Turn } from './loopback-api.ts';

const TOOL = 'mcp__plugin_memory_cairn__';
const client = findClient();
const SAID = [
  'We decided to use PostgreSQL because it has JSONB, rather than MySQL.',
  'We chose the monorepo layout because of shared types, instead of three repositories.',
  'I went with pnpm due to its speed.',
].join('\n');
const DRAFT = {
  title: 'PostgreSQL for the ledger',
  tags: ['database', 'ledger'],
  confidence: 0.8,
  content: {
    status: 'accepted',
    context: 'The ledger needs a database.',
    decision: 'We use PostgreSQL.',
    rationale: ['It has JSONB.'],
    alternatives: [{ option: 'MySQL', rejected_reason: 'It has no JSONB.' }],
  },
};

type TriageData = {
  categories: { category: string; context_file: string }[];
  parallel_config: {
    category_models: { [category: string]: string };
    default_model: string;
    verification_model: string;
  };
};

const lastText = (request: ApiRequest): string => seenByModel({ ...request, messages: request.messages.slice(-2) });
const triageIn = (request: ApiRequest): TriageData =>
  JSON.parse(/<triage_data>([\s\S]+?)<\/triage_data>/.exec(seenByModel(request))![1]!);

/** By the skill: drafts of all categories at once, then their verification, then what passed is saved. */
function script(background: boolean): Turn[] {
  const agent = (type: string, model: string | undefined, prompt: string): ToolCall => ({
    name: 'Agent',
    input: {
      subagent_type: `memory:${type}`,
      description: type,
      prompt,
      model,
      ...(background ? {} : { run_in_background: false }), // left to itself, the client sends agents to the background
    },
  });
  const waiting = (text: string): Turn[] => (background ? [{ text }] : []);
  const drafting = 'DRAFT decision from';
  return [
    { text: SAID },
    { tools: [{ name: 'Skill', input: { skill: 'memory:memory-management' } }] },
    {
      reply: (request) => {
        const { categories, parallel_config: models } = triageIn(request);
        const drafts = categories.map(({ category, context_file: file }) => {
          const model = models.category_models[category] ?? models.default_model;
          return agent('memory-drafter', model, `DRAFT ${category} from ${file}`);
        });
        return { tools: drafts };
      },
    },
    ...waiting('The drafts are under way.'),
    {
      when: drafting,
      reply: ({ messages }) => ({
        tools: [
          { name: 'Read', input: { file_path: /DRAFT decision from (\S+?\.txt)/.exec(JSON.stringify(messages))![1] } },
        ],
      }),
    },
    { when: drafting, tools: [{ name: `${TOOL}candidates`, input: { category: 'decision', text: DRAFT.title } }] },
    {
      when: drafting,
      reply: (request) => ({
        text: JSON.stringify(
          /because it has JSONB[\s\S]+CREATE/.test(seenByModel(request))
            ? { action: 'create', category: 'decision', reason: 'new', draft: DRAFT }
            : { action: 'noop', category: 'decision', reason: 'the context file or the candidates do not say so' },
        ),
      }),
    },
    {
      reply: (request) => {
        if (!lastText(request).includes(DRAFT.title)) return { text: 'There is no draft.' };
        const { verification_model: model } = triageIn(request).parallel_config;
        return { tools: [agent('memory-verifier', model, `VERIFY ${JSON.stringify(DRAFT)}`)] };
      },
    },
    ...waiting('The verdict is under way.'),
    { when: 'VERIFY ', text: 'PASS' },
    {
      reply: (request) =>
        lastText(request).includes('PASS')
          ? { tools: [{ name: `${TOOL}save`, input: { category: 'decision', ...DRAFT } }] }
          : { text: 'It did not pass.' },
    },
    { text: 'Saved.' },
  ];
}

const told = (request: ApiRequest | undefined, text: string): number => seenByModel(request).split(text).length - 1;
const firstOf = (request: ApiRequest): string => JSON.stringify(request.messages[0]);

type Stats = { ideas: { [kind: string]: number }; spans: number };
type Found = { results: { kind: string; layer: string; text: string }[] };

describe.skipIf(!client).each(WAYS)(
  `consolidation on Claude Code ${CLIENT_VERSION}, %s hooks`,
  { timeout: 240_000 },
  (way) => {
    let place: Place;
    let first: Session;
    let resumed: Session;
    const cairn = <T>(...args: string[]): T => JSON.parse(cairnIn(place, ...args, '--json')) as T;
    const main = ({ requests }: Session): ApiRequest[] =>
      requests.filter((request) => !/DRAFT decision from|VERIFY /.test(firstOf(request)));
    const record = (): string => path.join(place.project, '.claude/memory/decisions/postgresql-for-the-ledger.json');

    beforeAll(async () => {
      place = makePlace();
      cairnIn(place, 'save', 'preference', 'Answer in short sentences because the screen is small', '--tags', 'style');
      const plugin = pluginCopy(place, way);
      first = await runClient({
        place,
        plugin,
        prompt: 'which database and layout should we take?',
        turns: script(way === 'warm'),
        tools: ['Agent', 'Task', 'Skill', `${TOOL}save`, `${TOOL}candidates`],
      });
      await settled(place);
      resumed = await runClient({
        place,
        plugin,
        prompt: 'and where is the ledger database?',
        turns: [{ text: 'We put it on the big machine, on the second floor.' }],
        args: ['--resume', first.result.session_id!],
      });
      await settled(place);
    }, 240_000);
    afterAll(() => removePlace(place));

    it('asks the model once to save, with what it needs for it', () => {
      expect(told(main(first).at(-1), 'Stop hook feedback')).toBe(1);
      expect(triageIn(main(first)[1]!).categories).toEqual([
        expect.objectContaining({ category: 'decision', context_file: expect.stringMatching(/decision\.txt$/) }),
      ]);
    });

    it('drafts and verifies with its own agents, on the models of the settings', () => {
      const drafting = first.requests.find((request) => firstOf(request).includes('DRAFT decision from'));
      const verifying = first.requests.find((request) => firstOf(request).includes('VERIFY '));
      expect(JSON.stringify(drafting?.system)).toContain('You draft at most one memory');
      expect(drafting?.model).toContain('sonnet');
      expect(JSON.stringify(verifying?.system)).toContain('You are given a draft and the context file');
      expect(verifying?.model).toContain('sonnet');
    });

    it('leaves a valid record, and the next stop goes through', () => {
      expect(first.result.result).toBe('Saved.');
      const saved = JSON.parse(fs.readFileSync(record(), 'utf8'));
      expect(saved).toMatchObject({ category: 'decision', record_status: 'active', title: DRAFT.title });
      expect(saved.content).toMatchObject(DRAFT.content);
      expect(cairnIn(place, 'index', '--validate')).toContain('Index is valid (2 entries)');
      expect(fs.existsSync(path.join(place.project, '.claude/.stop_hook_active'))).toBe(false);
    });

    it('does not ask again for the same when the conversation is resumed', () => {
      expect(resumed.result.session_id).toBe(first.result.session_id);
      expect(resumed.requests).toHaveLength(1);
      expect(told(resumed.requests[0], 'Stop hook feedback')).toBe(1);
    });

    it('tells a resumed conversation what is new, and nothing twice', () => {
      const [request] = resumed.requests;
      expect(told(request, 'SessionStart:resume hook success')).toBe(1);
      expect(told(request, '- Answer in short sentences')).toBe(1);
      expect(told(request, '- PostgreSQL for the ledger - We use PostgreSQL')).toBe(1);
      expect(told(request, 'which database and layout should we take?')).toBe(1);
    });

    it('remembers nothing of its own agents, and nothing twice', () => {
      const { ideas, spans } = cairn<Stats>('stats');
      expect(ideas.decision).toBe(1);
      expect(ideas.question).toBeGreaterThan(1); // both conversations were read
      expect(ideas.todo ?? 0).toBe(0);
      expect(spans).toBe(1);
      const { results } = cairn<Found>('remember', 'PostgreSQL ledger JSONB', '--limit', '50');
      const texts = results.map(({ text }) => text);
      expect(new Set(texts).size).toBe(texts.length);
      expect(results.filter(({ layer }) => layer === 'note').map(({ kind }) => kind)).not.toContain('discovery');
      expect(texts.join('\n')).not.toMatch(/VERIFY|"action"/);
    });

    it('has no failure to tell', () => {
      expect(fs.existsSync(path.join(place.home, '.cairn/log/hooks.log'))).toBe(false);
    });

    it('asks as well when the client has written nothing of the conversation', async () => {
      const other = makePlace();
      const { requests } = await runClient({
        place: other,
        plugin: pluginCopy(other, way),
        prompt: 'which database and layout should we take?',
        turns: [{ text: SAID }, { text: 'Saved nothing, as you wish.' }],
        args: ['--no-session-persistence'],
      });
      expect(requests).toHaveLength(2);
      expect(triageIn(requests[1]!).categories.map(({ category }) => category)).toContain('decision');
      expect(fs.existsSync(path.join(other.home, '.cairn/log/hooks.log'))).toBe(false);
      await removePlace(other);
    });
  },
);
