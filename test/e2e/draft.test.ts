// A decision of the user is drafted, named in one quiet line and saved by one call, on the real client: no error, no data on the screen, and
// no question whether the model may.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  findClient,
  makePlace,
  OLD_CLIENT_VERSION,
  type Place,
  pluginCopy,
  removePlace,
  runClient,
  type Session,
} from './client.ts';
import { seenByModel } from './loopback-api.ts';

const WISH = 'We should keep the sessions in SQLite and not in Redis, because one file is easy to back up.';
const SAVE = 'mcp__plugin_memory_cairn__save_draft';

describe.each([CLIENT_VERSION, OLD_CLIENT_VERSION])('a draft, on Claude Code %s', { timeout: 120_000 }, (version) => {
  const client = findClient(version);
  let place: Place;
  let session: Session;

  beforeAll(async () => {
    if (!client) return;
    place = makePlace();
    session = await runClient({
      place,
      client,
      prompt: WISH,
      plugin: pluginCopy(place, 'command'),
      env: { CAIRN_TRIAGE_MODE: 'evidence' },
      // The model waits for a tool: a client that answers at once has not written the prompt down when the turn ends.
      turns: [
        { tools: [{ name: 'Bash', input: { command: 'sleep 1' } }] },
        { text: 'The sessions live in SQLite now.' },
        { tools: [{ name: SAVE, input: { id: 'd-' } }] },
        { text: 'Saved.' },
      ],
    });
  }, 120_000);
  afterAll(() => removePlace(place));

  it.skipIf(!client)('is named once, in one line that is no error, and saved without a question', () => {
    const told = seenByModel(session.requests[2]);
    expect(told).toMatch(/Memory draft d-[0-9a-f]{8}, decision: “We should keep the sessions/);
    expect(told).not.toMatch(/Stop hook (?:error|blocking error)/);
    expect(seenByModel(session.requests[3])).not.toContain('requires approval');
    const folder = path.join(place.project, '.claude/memory/decisions');
    expect(fs.readdirSync(folder)).toHaveLength(1);
    expect(session.requests).toHaveLength(4);
  });
});
