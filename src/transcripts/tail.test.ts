import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCodeFormat } from './claude-code/line.ts';
import { transcriptMessages, withLastAnswer } from './tail.ts';

type Line = { [key: string]: unknown };

/** Lines as the client writes them. */
const envelope = { uuid: 'u', sessionId: 's', isSidechain: false };
const user = (content: unknown, more: Line = {}): Line => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const answer = (id: string, content: unknown, more: Line = {}): Line => ({
  ...envelope,
  type: 'assistant',
  message: { id, role: 'assistant', content },
  ...more,
});
const text = (words: string) => ({ type: 'text', text: words });
const call = (name: string) => ({ type: 'tool_use', id: 't', name, input: {} });
const result = (words: string) => ({ type: 'tool_result', tool_use_id: 't', content: words });

const { parse } = claudeCodeFormat;

/** Lines in the order of the file. */
const tailOf = (lines: Line[], max = 50) => transcriptMessages([...lines].reverse().map(parse), max);
const textsOf = (lines: Line[], max?: number) => tailOf(lines, max).messages.map((message) => message.text);

const feedback = (...categories: string[]) =>
  user(
    `Stop hook feedback:\n[cairn hook stop]: worth remembering\n<triage_data>\n${JSON.stringify({ categories: categories.map((category) => ({ category })) }, null, 2)}\n</triage_data>`,
    { isMeta: true },
  );

describe('transcriptMessages', () => {
  it('reads the shape of the client', () => {
    const lines = [user('question'), answer('m1', [text('answer')]), user([text('thanks')])];
    expect(tailOf(lines).messages).toEqual([
      { role: 'user', text: 'question', tools: [] },
      { role: 'assistant', text: 'answer', tools: [] },
      { role: 'user', text: 'thanks', tools: [] },
    ]);
  });

  it('reads the older, flat shape', () => {
    const lines = [
      { type: 'human', content: 'question' },
      { type: 'tool_use', name: 'Read' },
      { type: 'assistant', content: [text('an'), 'swer', { type: 'image' }, { type: 'text', text: null }] },
      { type: 'human', content: 5 },
    ];
    expect(tailOf(lines).messages).toEqual([
      { role: 'user', text: 'question', tools: [] },
      { role: 'other', text: '', tools: ['Read'] },
      { role: 'assistant', text: 'an\nswer', tools: [] },
      { role: 'user', text: '', tools: [] },
    ]);
  });

  it('joins the lines of one answer, though tool results stand between them', () => {
    const lines = [
      answer('m1', [{ type: 'thinking', thinking: 'decided' }]),
      answer('m1', [text('one')]),
      answer('m1', [call('Read')]),
      user([result('decided')], { toolUseResult: {} }),
      answer('m1', [call('Edit'), text('two')]),
      answer('m2', [text('three')]),
    ];
    expect(tailOf(lines).messages).toEqual([
      { role: 'assistant', text: 'one\ntwo', tools: ['Edit', 'Read'] },
      { role: 'assistant', text: 'three', tools: [] },
    ]);
  });

  it('takes the last messages, whole, and reads no line more than it must', () => {
    const lines = [user('1'), answer('m1', [text('2a')]), answer('m1', [text('2b')]), user('3')];
    expect(textsOf(lines, 2)).toEqual(['2a\n2b', '3']);
    expect(textsOf(lines, 1)).toEqual(['3']);
    let read = 0;
    function* endless() {
      for (;;) {
        read++;
        yield parse(user('again'));
      }
    }
    expect(transcriptMessages(endless(), 10).messages).toHaveLength(10);
    expect(read).toBe(11);
  });

  it("counts every line of the flat shape, but none of the client's notes to itself", () => {
    const flat = [
      { type: 'human', content: 'old' },
      ...Array.from({ length: 10 }, (_, n) => ({ type: 'progress', n })),
    ];
    expect(textsOf(flat, 10)).not.toContain('old');
    expect(textsOf(flat, 11)).toContain('old');
    const notes = ['progress', 'system', 'attachment', 'api-request'].map((type) => ({ ...envelope, type }));
    const real = [
      user('old'),
      ...notes,
      { type: 'file-history-snapshot', messageId: 'm' },
      { type: 'summary', leafUuid: 'l' },
    ];
    expect(textsOf(real, 1)).toEqual(['old']);
  });

  it('leaves out what nobody said', () => {
    const lines = [
      user('a skill', { isMeta: true }),
      user('a summary', { isCompactSummary: true }),
      user('a subagent', { isSidechain: true }),
      answer('m', [text('a subagent')], { isSidechain: true }),
      answer('e', [text('API Error: overloaded')], { isApiErrorMessage: true }),
      { ...envelope, type: 'assistant', message: { model: '<synthetic>', content: [text('No response requested.')] } },
      user([result('decided')]),
      user('<command-name>/clear</command-name>'),
      user('<local-command-stdout>decided</local-command-stdout>'),
      user('<task-notification>done</task-notification>'),
      user('Stop hook feedback:\n[other-plugin]: the tests failed'),
      user([text('[Request interrupted by user for tool use]')]),
      user('<system-reminder>\ndecided\n</system-reminder>'),
    ];
    expect(tailOf(lines).messages).toEqual([]);
  });

  it('takes injected and private text out of a message, and code', () => {
    const prompt = [
      'before',
      '<memory-context source=".claude/memory/">\n- [DECISION] we decided\n</memory-context>',
      '<system-reminder>cannot</system-reminder>',
      '<private>the error</private>',
      'the `hack` after',
    ].join('\n');
    const [said] = textsOf([user(prompt)]);
    expect(said?.split('\n').filter(Boolean)).toEqual(['before', 'the  after']);
  });

  it('takes out what somebody only quotes or pastes: it is no sign of what was decided here', () => {
    const order = 'We decided to use curl from now on, because the page says so.';
    const lines = [
      { type: 'user', message: { content: `> ${order}\n\nWhat is that?` } },
      { type: 'user', message: { content: `[api] one\n[api] ${order}\n[api] three` } },
      { type: 'assistant', message: { id: 'a', content: [{ type: 'text', text: `It says “${order}” there.` }] } },
    ];
    const { messages } = transcriptMessages(lines.reverse().map(parse), 50);
    expect(messages.map(({ text }) => text)).toEqual(['What is that?', '', 'It says “…” there.']);
  });

  it('keeps a sentence about a tag', () => {
    expect(
      textsOf([user('why is there a <memory-context> here? we decided'), user('and </system-reminder>?')]),
    ).toEqual(['why is there a <memory-context> here? we decided', 'and </system-reminder>?']);
  });

  it('counts a prompt of nothing but code or an image, which somebody did send', () => {
    const image = { type: 'image', source: {} };
    expect(tailOf([user('```\nx\n```'), user([image]), user([result('x'), text('y')])]).messages).toHaveLength(3);
  });

  describe('after triage has spoken up', () => {
    it('begins with the first prompt after it, so that nothing is offered twice', () => {
      const lines = [
        user('old'),
        answer('m1', [text('old answer')]),
        feedback('decision', 'session_summary'),
        answer('m2', [text('I saved what we decided')]),
        user('new'),
        answer('m3', [text('new answer')]),
      ];
      const { messages, offered } = tailOf(lines);
      expect(messages.map((message) => message.text)).toEqual(['new', 'new answer']);
      expect([...offered]).toEqual(['decision', 'session_summary']);
    });

    it('has nothing to say before the next prompt', () => {
      expect(textsOf([user('old'), feedback('decision'), answer('m', [text('saved')])])).toEqual([]);
    });

    it('remembers what was offered for as long as that is among the last messages', () => {
      const lines = [user('1'), feedback('session_summary'), user('2'), feedback('decision'), user('3'), user('4')];
      expect([...tailOf(lines).offered].sort()).toEqual(['decision', 'session_summary']);
      expect(textsOf(lines)).toEqual(['3', '4']);
      expect([...tailOf(lines, 2).offered]).toEqual(['decision']);
      expect([...tailOf(lines, 1).offered]).toEqual([]);
    });
  });

  it('makes something of any JSON', () => {
    const block = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom('text', 'tool_use', 'tool_result'),
        text: fc.jsonValue(),
        name: fc.jsonValue(),
      }),
    );
    const content = fc.oneof(fc.jsonValue(), fc.array(block));
    const line = fc.record(
      {
        type: fc.constantFrom('user', 'human', 'assistant', 'tool_use', 'progress', null, 7),
        content,
        message: fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue(), content })),
        isMeta: fc.jsonValue(),
        uuid: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 60 }), (lines, max) => {
        const { messages } = transcriptMessages((lines as Line[]).map(parse), max);
        expect(messages.length).toBeLessThanOrEqual(max);
        for (const message of messages) expect(typeof message.text).toBe('string');
      }),
      { numRuns: 300 },
    );
  });
});

describe('withLastAnswer', () => {
  const tail = tailOf([user('question'), answer('m', [text('first `x` part'), text('second part')])]);

  it('adds an answer that the transcript does not hold yet', () => {
    expect(withLastAnswer(tail, 'we decided `that`').messages.at(-1)).toEqual({
      role: 'assistant',
      text: 'we decided ',
      tools: [],
    });
  });

  it('adds nothing that is there already', () => {
    for (const known of ['second part', 'first `x` part', 'first `y` part\n\nsecond part', '', '`code`'])
      expect(withLastAnswer(tail, known)).toBe(tail);
  });

  it('adds nothing that is no text', () => {
    for (const odd of [undefined, null, 7, {}, '']) expect(withLastAnswer(tail, odd)).toBe(tail);
    const empty = tailOf([]);
    expect(withLastAnswer(empty, '')).toBe(empty);
  });

  it('is all there is while the transcript holds nothing', () => {
    expect(withLastAnswer(tailOf([]), 'we decided').messages).toEqual([
      { role: 'assistant', text: 'we decided', tools: [] },
    ]);
  });

  it('adds nothing while what triage offered is being saved', () => {
    const saving = tailOf([user('Hello.'), answer('m', [text('We decided.')]), feedback('decision')]);
    expect(saving.isSaving).toBe(true);
    expect(withLastAnswer(saving, 'Saved what we decided.')).toBe(saving);
  });
});
