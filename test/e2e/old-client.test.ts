// The oldest client that is supported: the plugin is valid there, and a conversation gets its memories, is guarded and is asked to
// save, by both ways of hooks; the server shows its tools.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cairnIn,
  findClient,
  makePlace,
  OLD_CLIENT_VERSION,
  PLUGIN,
  type Place,
  pluginCopy,
  removePlace,
  runClient,
  type Session,
  settled,
  WAYS,
} from './client.ts';
import { seenByModel } from './loopback-api.ts';

const client = findClient(OLD_CLIENT_VERSION);
const SAID = [
  'We decided to use PostgreSQL because it has JSONB, rather than MySQL.',
  'We chose the monorepo layout because of shared types, instead of three repositories.',
  'I went with pnpm due to its speed.',
].join('\n');

describe.skipIf(!client)(`the plugin on Claude Code ${OLD_CLIENT_VERSION}`, { timeout: 240_000 }, () => {
  it('is valid without a warning', () => {
    const said = execFileSync(client!, ['plugin', 'validate', '--strict', PLUGIN], { encoding: 'utf8' });
    expect(said).toContain('Validation passed');
  });

  describe.each(WAYS)('with %s hooks', (way) => {
    let place: Place;
    let session: Session;

    beforeAll(async () => {
      place = makePlace();
      cairnIn(
        place,
        'save',
        'decision',
        'The gateway uses JWT tokens because sessions must be stateless',
        '--tags',
        'auth',
      );
      session = await runClient({
        place,
        client,
        plugin: pluginCopy(place, way),
        prompt: 'how does the gateway use tokens',
        turns: [
          {
            tools: [
              {
                name: 'Write',
                input: { file_path: path.join(place.project, '.claude/memory/decisions/forged.json'), content: '{}' },
              },
            ],
          },
          { text: SAID },
          { text: 'Saved nothing, as you wish.' },
        ],
      });
      await settled(place);
    }, 240_000);
    afterAll(() => removePlace(place));

    it('brings what is remembered into the session and into the prompt', () => {
      const seen = seenByModel(session.requests[0]);
      expect(seen).toContain('# Memory Context');
      expect(seen).toMatch(/<memory-context[^>]+>[\s\S]*the-gateway-uses-jwt-tokens/);
    });

    it('refuses a Write into the memory', () => {
      expect(JSON.stringify(session.requests[1]?.messages.filter(({ role }) => role === 'user').at(-1))).toContain(
        'cairn write',
      );
      expect(fs.existsSync(path.join(place.project, '.claude/memory/decisions/forged.json'))).toBe(false);
    });

    it('asks once to save, and indexes what was said', () => {
      expect(session.requests).toHaveLength(3);
      expect(seenByModel(session.requests[2]).split('<triage_data>').length - 1).toBeGreaterThan(0);
      expect(session.result.result).toBe('Saved nothing, as you wish.');
      const [topic] = (JSON.parse(cairnIn(place, 'topics', '--json')) as { topics: { session: string }[] }).topics;
      expect(topic?.session).toBe(session.result.session_id);
    });

    it('leaves the marks of its way, and no failure', () => {
      const { last } = JSON.parse(doctor(place)) as { last: { event: string; way?: string }[] };
      const ways = Object.fromEntries(last.map((each) => [each.event, each.way]));
      expect(ways).toMatchObject({ SessionStart: 'command', UserPromptSubmit: way, PreToolUse: way, Stop: way });
      expect(fs.existsSync(path.join(place.home, '.cairn/log/hooks.log'))).toBe(false);
    });
  });
});

/** Its exit code tells, and is not what is asked here. */
function doctor(place: Place): string {
  try {
    return cairnIn(place, 'doctor', '--json');
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
