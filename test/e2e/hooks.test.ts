// The hooks on the real client. Each claim is shown by what the loopback API received or by what is on disk.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  cairnIn,
  findClient,
  makePlace,
  type Place,
  pluginCopy,
  removePlace,
  runClient,
} from './client.ts';
import { seenByModel } from './loopback-api.ts';

const client = findClient();

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => removePlace(place));

const cairn = (...args: string[]): string => cairnIn(place, ...args);

describe.skipIf(!client)(`on Claude Code ${CLIENT_VERSION}`, { timeout: 180_000 }, () => {
  it('brings a saved decision into the next prompt', async () => {
    cairn(
      'save',
      'decision',
      'The gateway uses JWT tokens because sessions must be stateless',
      '--tags',
      'auth,gateway',
    );
    const { requests } = await runClient({
      place,
      prompt: 'how does the gateway auth work',
      turns: [{ text: 'With tokens.' }],
    });
    const seen = seenByModel(requests[0]);
    // From the store, or from index.md where the first worker has not made the store yet.
    expect(seen).toMatch(/<memory-context source="[^>]+>/);
    expect(seen).toMatch(/- \[DECISION\] The gateway uses JWT tokens.* -> .*decisions\/the-gateway-uses-jwt-tokens/);
  });

  it('says nothing where there is nothing to say', async () => {
    const { requests } = await runClient({
      place,
      prompt: 'how does the gateway auth work',
      turns: [{ text: 'No idea.' }],
    });
    expect(seenByModel(requests[0])).not.toContain('memory-context');
  });

  it('refuses a Write into the memory root and tells the model what to do instead', async () => {
    const target = path.join(place.project, '.claude/memory/decisions/forged.json');
    const { requests } = await runClient({
      place,
      prompt: 'write it down for me please',
      turns: [{ tools: [{ name: 'Write', input: { file_path: target, content: '{}' } }] }, { text: 'Understood.' }],
    });
    const answer = JSON.stringify(requests[1]?.messages.at(-1));
    expect(answer).toContain('PreToolUse:Write hook error');
    expect(answer).toContain('cairn write');
    expect(fs.existsSync(target)).toBe(false);
  });

  it('quarantines an invalid file that got around the guard', async () => {
    // Outside .claude, because the client itself protects that folder, and without the guard, which would have refused.
    fs.mkdirSync(path.join(place.project, '.claude/memory'), { recursive: true });
    fs.writeFileSync(
      path.join(place.project, '.claude/memory/memory-config.json'),
      JSON.stringify({ memory_root: 'memory' }),
    );
    const target = path.join(place.project, 'memory/decisions/broken.json');
    const { requests } = await runClient({
      place,
      prompt: 'write it down for me please',
      plugin: pluginCopy(place, 'command', { without: ['PreToolUse'] }),
      turns: [
        { tools: [{ name: 'Write', input: { file_path: target, content: '{"title": 1}' } }] },
        { text: 'Understood.' },
      ],
    });
    expect(fs.existsSync(target)).toBe(false);
    const left = fs.readdirSync(path.dirname(target));
    expect(left.filter((name) => /^broken\.json\.invalid\.\d+/.test(name))).toHaveLength(1);
    expect(seenByModel(requests[1])).toMatch(/invalid|not a valid/i);
  });

  it('blocks the end of a turn exactly once when there is something worth saving', async () => {
    const said = [
      'We decided to use PostgreSQL because it has JSONB, rather than MySQL.',
      'We chose the monorepo layout because of shared types, instead of three repositories.',
      'I went with pnpm due to its speed.',
    ].join('\n');
    const { requests, result } = await runClient({
      place,
      prompt: 'which database and layout should we take?',
      turns: [{ text: said }, { text: 'Saved nothing, as you wish.' }],
    });
    expect(requests).toHaveLength(2);
    const feedback = seenByModel(requests[1]);
    expect(feedback).toContain('Stop hook feedback');
    expect(feedback).toContain('<triage_data>');
    expect(feedback).toContain('"decision"');
    expect(result.result).toBe('Saved nothing, as you wish.');
  });

  it('does nothing at all when it is switched off', async () => {
    cairn(
      'save',
      'decision',
      'The gateway uses JWT tokens because sessions must be stateless',
      '--tags',
      'auth,gateway',
    );
    const { requests } = await runClient({
      place,
      prompt: 'how does the gateway auth work',
      turns: [
        { text: 'We decided to use it because it is good.\nWe chose it because of that.\nWe picked it due to this.' },
      ],
      env: { CAIRN_DISABLE: '1' },
    });
    expect(requests).toHaveLength(1);
    expect(seenByModel(requests[0])).not.toContain('memory-context');
  });
});
