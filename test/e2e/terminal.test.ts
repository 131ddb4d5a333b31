// A conversation at the terminal of the interactive client: with a subagent, compacted by /compact, left by /clear, gone on with
// and ended. What was said is neither lost nor kept twice, every part begins with what is remembered, and nothing of Cairn runs
// when the client is gone. With both ways of hooks, the model and the workers on.

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
  until,
  WAYS,
} from './client.ts';
import { type ApiRequest, seenByModel } from './loopback-api.ts';
import { ownProcesses } from './own-processes.ts';
import { canType, type Typed, typeInto } from './terminal.ts';

const client = findClient();
const DECIDED = 'We decided to keep the ledger of the shop in Postgres, because the bookkeeping needs transactions.';
const FOUND = 'All database access goes through repository classes in src/repositories, none goes around them.';
const told = (request: ApiRequest | undefined, text: string): number => seenByModel(request).split(text).length - 1;
/** What the hook added to the prompt, by itself or within a topic. */
const remembered = (request: ApiRequest | undefined): string =>
  /<memory-context[\s\S]*?<\/memory-context>/.exec(seenByModel(request))?.[0] ?? '';
const sent = (count: number) => (requests: readonly ApiRequest[]) => requests.length >= count;

describe.skipIf(!client || !canType()).each(WAYS)(
  `a conversation at the terminal of Claude Code ${CLIENT_VERSION}, %s hooks`,
  { timeout: 240_000 },
  (way) => {
    let place: Place;
    let typed: Typed;
    let left: string[];
    const cairn = <T>(...args: string[]): T => JSON.parse(cairnIn(place, ...args, '--json')) as T;

    beforeAll(async () => {
      place = makePlace();
      cairnIn(place, 'save', 'preference', 'Answer in short sentences because the screen is small', '--tags', 'style');
      const agent = {
        description: 'Study the repository pattern',
        prompt: 'How is data accessed?',
        subagent_type: 'general-purpose',
        run_in_background: false,
      };
      typed = await typeInto({
        place,
        client: client!,
        plugin: pluginCopy(place, way),
        env: { CAIRN_EMBEDDINGS_PROVIDER: 'local' },
        turns: [
          { when: 'How is data accessed?', text: FOUND },
          { tools: [{ name: 'Agent', input: agent }] },
          { text: DECIDED },
          { text: 'The report is here.' }, // at the terminal agents work in the background, and wake the conversation
          { text: 'In Postgres.' },
          { text: 'In Postgres, as was said.' },
        ],
        lines: [
          { text: 'where shall the ledger of the shop live?', until: sent(4) },
          { text: '/compact' },
          {
            text: 'remind me where the ledger of the shop lives and why the bookkeeping needs Postgres transactions',
            until: sent(5),
          },
          { text: '/clear' },
          {
            text: 'tell me where the ledger of the shop lives and why the bookkeeping needs Postgres transactions',
            until: sent(6),
          },
          { text: '/exit' },
        ],
      });
      await until(() => ownProcesses(place).length === 0);
      left = ownProcesses(place);
    }, 240_000);
    afterAll(() => removePlace(place));

    it('begins, goes on after /compact and begins anew after /clear with what is remembered', () => {
      const [first, , , , compacted, cleared] = typed.requests;
      expect(told(first, 'SessionStart:startup hook success: # Memory Context')).toBe(1);
      expect(told(compacted, 'SessionStart:compact hook success: # Memory Context')).toBe(1);
      expect(told(cleared, 'SessionStart:clear hook success: # Memory Context')).toBe(1);
      for (const request of [first, compacted, cleared]) expect(told(request, '- Answer in short sentences')).toBe(1);
    });

    it('gives back after compaction what the summary lost, and after /clear what the other conversation said', () => {
      const [, , , , compacted, cleared] = typed.requests;
      expect(seenByModel(compacted)).toContain('The conversation went well.');
      expect(remembered(compacted)).toContain(DECIDED);
      expect(seenByModel(cleared)).not.toContain('The conversation went well.');
      expect(remembered(cleared)).toContain(DECIDED);
    });

    it('notes what the subagent found, and leaves its task to it', () => {
      const folder = path.join(place.project, '.claude/memory/nodes/discoveries');
      const notes = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
      expect(notes.filter((text) => text.includes(FOUND))).toHaveLength(1);
      for (const request of typed.requests.filter((each) => !JSON.stringify(each.messages[0]).includes('How is data')))
        expect(seenByModel(request)).not.toMatch(/- How is data accessed\?|hook .*: <task-notification/);
    });

    it('keeps everything that was said, and nothing twice', () => {
      expect(cairn<{ sessions: number }>('stats').sessions).toBe(2);
      const { memories } = cairn<{ memories: { kind: string; text: string }[] }>('export', '--layer', 'trace');
      expect(memories.filter(({ kind, text }) => kind === 'decision' && text === DECIDED)).toHaveLength(1);
      const { results } = cairn<{ results: { ref: string; text: string; layer: string; kind: string }[] }>(
        ...['remember', 'ledger of the shop, repository classes', '--limit', '50'],
      );
      const ideasFound = results.filter(({ layer, kind }) => layer === 'trace' && kind !== 'span');
      expect(new Set(ideasFound.map(({ text }) => text)).size).toBe(ideasFound.length);
      expect(ideasFound.map(({ text }) => text)).toEqual(expect.arrayContaining([DECIDED]));
    });

    it('ends with nothing of Cairn running, and no failure to tell', () => {
      expect(typed.exit).toBe(0);
      expect(left).toEqual([]);
      expect(fs.existsSync(path.join(place.home, '.cairn/log/hooks.log'))).toBe(false);
      expect(fs.readdirSync(path.join(place.home, '.cairn/pending'))).toEqual([]);
    });
  },
);
