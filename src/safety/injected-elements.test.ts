import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDED_ELEMENTS, isMachinePrompt, outsideInjected, withoutInjected } from './injected-elements.ts';

describe('what nobody said', () => {
  it('takes whole elements out and leaves the words around them', () => {
    expect(withoutInjected('Fix it.<system-reminder>\nbe kind\n</system-reminder> Then test.')).toBe(
      'Fix it. Then test.',
    );
    expect(withoutInjected('<ide_selection file="a.ts">x</ide_selection>Rename this')).toBe('Rename this');
  });

  it('takes out everything that Cairn itself puts into a conversation', () => {
    for (const name of ['memory-context', 'triage_data', 'transcript_data']) {
      expect(ADDED_ELEMENTS).toContain(name);
      expect(withoutInjected(`a<${name} v="1">remembered</${name}>b`)).toBe('ab');
    }
  });

  it('keeps an element that is only mentioned, and one with a longer name', () => {
    for (const text of [
      'what does <system-reminder> do?',
      'the tag </system-reminder>',
      '<system-reminders>x</system-reminders>',
      '<p>x</p>',
      'a < b and c </ d',
    ])
      expect(withoutInjected(text)).toBe(text);
  });

  it('ends at the given place, also inside an element', () => {
    const text = 'ab<bash-stdout>x</bash-stdout>cd';
    expect(outsideInjected(text, 4)).toEqual([{ start: 0, end: 2 }]);
    expect(outsideInjected(text, 31)).toEqual([
      { start: 0, end: 2 },
      { start: 30, end: 31 },
    ]);
  });

  it('knows the prompts that the client writes in the name of the user', () => {
    for (const text of [
      '<command-name>/clear</command-name>',
      '\n  <local-command-stdout></local-command-stdout>',
      '<task-notification>done</task-notification>',
      '<bash-input>ls</bash-input>',
      'Stop hook feedback:\nwrite it down',
      '[Request interrupted by user for tool use]',
      'This session is being continued from a previous conversation that ran out of context.',
    ])
      expect(isMachinePrompt(text), text).toBe(true);
    for (const text of ['', 'Stop the hook', 'why is <command-name> there?']) expect(isMachinePrompt(text)).toBe(false);
  });

  it('only ever takes away, and what is left has no element in it', () => {
    const piece = fc.constantFrom(
      '<system-reminder>',
      '</system-reminder>',
      '<memory-context a>',
      '</memory-context>',
      'x',
      '<',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const segments = outsideInjected(text);
        let last = 0;
        for (const { start, end } of segments) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
          expect(outsideInjected(text.slice(start, end))).toHaveLength(1);
        }
        expect(withoutInjected(text).length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('reads a hostile text in one go', () => {
    const text = '<system-reminder>'.repeat(200_000);
    expect(withoutInjected(`${text}</x>`)).toBe(`${text}</x>`);
  });
});
