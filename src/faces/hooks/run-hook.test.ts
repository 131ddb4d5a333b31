import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { lastHookRuns } from '../../app/hook-activity.ts';
import { type HookHandler, SILENT } from '../../app/hooks/hook.ts';
import { runHook } from './run-hook.ts';

async function ran(
  event: string,
  handler: HookHandler,
  more: { payload?: object; isServer?: boolean; env?: object } = {},
) {
  const home = temporaryFolder();
  const payload = { session_id: 's', cwd: home, hook_event_name: 'Stop', ...more.payload };
  const bytes = [Buffer.from(JSON.stringify(payload))];
  await runHook(event, handler, {
    env: { HOME: home, CAIRN_HOME: home, ...more.env },
    cwd: () => home,
    input: (give) => give(bytes.shift()),
    ...(more.isServer ? { isServer: true } : {}),
    out: () => undefined,
    err: () => undefined,
  });
  return [...lastHookRuns(home).values()].map(({ event: name, way }) => `${name} ${way}`);
}

const fine: HookHandler = () => SILENT;

describe('a hook that did its work leaves a mark', () => {
  it('under the name of the event, with its way', async () => {
    expect(await ran('stop', fine)).toEqual(['Stop command']);
    expect(await ran('stop', fine, { isServer: true })).toEqual(['Stop warm']);
    expect(await ran('capture', fine, { payload: { hook_event_name: 'SubagentStop' } })).toEqual([
      'SubagentStop command',
    ]);
  });

  it('and one of its own where two hooks or a worker share an event', async () => {
    const payload = { hook_event_name: 'PostToolUse' };
    expect(await ran('post-tool-use', fine, { payload })).toEqual(['PostToolUse command']);
    expect(await ran('capture', fine, { payload })).toEqual(['PostToolUse-capture command']);
    expect(await ran('index-worker', fine)).toEqual(['index-worker command']);
  });

  it('but not if it failed, in part or altogether, or was switched off', async () => {
    const inPart: HookHandler = (_, { problem }) => {
      problem(new Error('half of it'));
      return SILENT;
    };
    const broken: HookHandler = () => {
      throw new Error('all of it');
    };
    expect(await ran('stop', inPart)).toEqual([]);
    expect(await ran('stop', broken)).toEqual([]);
    expect(await ran('stop', fine, { env: { CAIRN_DISABLE: '1' } })).toEqual([]);
  });
});
