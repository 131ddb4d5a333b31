import { describe, expect, it } from 'vitest';
import type { TraceHead, TraceItem } from '../../model/trace.ts';
import { readerFor } from '../readers.ts';
import { claudeCode } from './reader.ts';

const SESSION = '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01';
const OTHER = '0b7a3c11-2222-4333-8444-5c6d7e8f9a0b';
const PROJECT = '/home/dev/.claude/projects/-home-dev-app';

type Line = { [field: string]: unknown };
const user = (content: string, more: Line = {}): Line => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});

function read(file: string, lines: readonly Line[]): { heads: (TraceHead | undefined)[]; items: TraceItem[] } {
  let state = claudeCode.start(file);
  const items: TraceItem[] = [];
  const heads = lines.map((line, index) => {
    const result = claudeCode.read(state, { number: index + 1, text: JSON.stringify(line) });
    state = result.state;
    items.push(...result.items);
    return result.head;
  });
  return { heads, items };
}

describe('the head of a conversation', () => {
  it('is told with the first line that is read, and when something in it changes', () => {
    const place = { sessionId: SESSION, cwd: '/home/dev/app', gitBranch: 'main' };
    const { heads } = read(`${PROJECT}/${SESSION}.jsonl`, [
      { type: 'mode', mode: 'normal', sessionId: SESSION },
      user('one', place),
      user('two', place),
      user('three', { ...place, cwd: '/home/dev/app/src', gitBranch: 'feature' }),
    ]);
    expect(heads).toEqual([
      undefined,
      { session: SESSION, cwd: '/home/dev/app', branch: 'main' },
      undefined,
      { session: SESSION, cwd: '/home/dev/app', branch: 'feature' },
    ]);
  });

  it('is told even if the lines say nothing about it', () => {
    expect(read('/p/talk.jsonl', [user('one'), user('two')]).heads).toEqual([
      { session: 'talk', cwd: undefined, branch: undefined },
      undefined,
    ]);
  });

  it('has the session that the file is named after, whatever copied lines say', () => {
    const { heads } = read(`${PROJECT}/${SESSION}.jsonl`, [
      user('one', { sessionId: OTHER }),
      user('two', { sessionId: SESSION }),
    ]);
    expect(heads.map((head) => head?.session)).toEqual([SESSION, undefined]);
  });

  it('has the first session that the lines name where the file has another name', () => {
    const { heads } = read('/p/export.jsonl', [user('one', { sessionId: SESSION }), user('two', { sessionId: OTHER })]);
    expect(heads.map((head) => head?.session)).toEqual([SESSION, undefined]);
  });
});

describe('the transcript of a subagent', () => {
  const line = user('Look for the cache', {
    isSidechain: true,
    agentId: 'a1b2',
    sessionId: SESSION,
    cwd: '/home/dev/app',
  });
  const answer = {
    type: 'assistant',
    isSidechain: true,
    message: { id: 'm', content: [{ type: 'text', text: 'It is in src.' }] },
  };

  it.each([
    ['in the folder of its session', `${PROJECT}/${SESSION}/subagents/agent-a1b2.jsonl`],
    ['deeper in it', `${PROJECT}/${SESSION}/subagents/workflows/w1/agent-a1b2.jsonl`],
    ['on Windows', `C:\\Users\\dev\\.claude\\projects\\x\\${SESSION}\\subagents\\agent-a1b2.jsonl`],
    ['beside its session, as older versions wrote it', `${PROJECT}/agent-a1b2.jsonl`],
  ])('belongs to the session that started it: %s', (_, file) => {
    const { heads, items } = read(file, [line, answer]);
    expect(heads[0]).toMatchObject({ session: SESSION, agent: 'a1b2', cwd: '/home/dev/app' });
    expect(items.map((item) => item.kind === 'turn' && item.text)).toEqual(['Look for the cache', 'It is in src.']);
  });

  it('was said by agents only', () => {
    const { items } = read(`${PROJECT}/${SESSION}/subagents/agent-a1b2.jsonl`, [line, answer]);
    expect(items.map((item) => item.kind === 'turn' && item.role)).toEqual(['assistant', 'assistant']);
  });

  it('is passed over where older versions put it into the main file', () => {
    expect(read(`${PROJECT}/${SESSION}.jsonl`, [line, answer])).toEqual({ heads: [undefined, undefined], items: [] });
  });
});

describe('compactions', () => {
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' };
  const summary = user('This session is being continued from a previous conversation that ran out of context.', {
    isCompactSummary: true,
  });
  const kinds = (lines: Line[]): string[] =>
    read('/p/x.jsonl', lines).items.map((item) => (item.kind === 'event' ? item.event : item.text));

  it('are told once, by the border or by the summary of older versions', () => {
    expect(kinds([user('a'), boundary, summary, user('b')])).toEqual(['a', 'compaction', 'b']);
    expect(kinds([user('a'), summary, user('b')])).toEqual(['a', 'compaction', 'b']);
    expect(kinds([user('a'), { ...summary, isCompactSummary: undefined }, user('b')])).toEqual([
      'a',
      'compaction',
      'b',
    ]);
    expect(kinds([boundary, summary, user('a'), boundary, summary])).toEqual(['compaction', 'a', 'compaction']);
    expect(kinds([boundary, user('a'), summary])).toEqual(['compaction', 'a', 'compaction']);
  });

  it('are not those of a side chain', () => {
    expect(kinds([{ ...boundary, isSidechain: true }])).toEqual([]);
  });
});

describe('which files are transcripts of Claude Code', () => {
  const first = JSON.stringify({ parentUuid: null, sessionId: SESSION, type: 'user' });

  it.each([
    [first],
    [JSON.stringify({ type: 'summary', summary: 'x', leafUuid: 'y' })],
    [JSON.stringify({ type: 'file-history-snapshot', messageId: 'x' })],
    [JSON.stringify({ type: 'queue-operation', operation: 'enqueue' })],
    [JSON.stringify({ type: 'mode', mode: 'normal', sessionId: SESSION })],
    [JSON.stringify({ type: 'human', content: 'x' })],
  ])('those that begin with %s', (line) => {
    expect(readerFor('/p/x.jsonl', [line])).toBe(claudeCode);
    expect(readerFor('/p/x.jsonl', ['broken', line])).toBe(claudeCode);
  });

  it('no others', () => {
    expect(readerFor('/p/x.jsonl', [])).toBeUndefined();
    expect(readerFor('/p/x.jsonl', ['{"query":"x","gold":[]}'])).toBeUndefined();
    expect(readerFor('/p/x.json', [first])).toBeUndefined();
    expect(readerFor('/p/x.jsonl', ['the words "type":"user" in a text'])).toBeUndefined();
  });

  it('not the copies that the client makes for its own side work', () => {
    expect(readerFor(`${PROJECT}/${SESSION}/subagents/agent-acompact-12ab34.jsonl`, [first])).toBeUndefined();
    expect(readerFor(`${PROJECT}/${SESSION}/subagents/agent-aprompt_suggestion-12ab34.jsonl`, [first])).toBeUndefined();
    expect(readerFor(`${PROJECT}/${SESSION}/subagents/agent-a1b2c3d.jsonl`, [first])).toBe(claudeCode);
  });
});
