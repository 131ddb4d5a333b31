// Plain exports of a conversation: Markdown or text in which a line names the speaker. The last reader that is asked; a
// file without speakers is read as one long statement of the assistant's side.

import type { TranscriptReader, Turn } from '../trace.ts';

type MarkdownState = { role: Turn['role'] | undefined; fence: string | undefined };

const USER = '(?:user|human|you|me|prompt|question)';
const ASSISTANT = '(?:assistant|claude|codex|chatgpt|gpt[-\\w.]*|model|ai|bot|answer|gemini)';
const SPEAKER = new RegExp(
  `^(?:#{1,6}\\s+|\\*{1,2}|>\\s?)?\\**(?:(${USER})|(${ASSISTANT}))\\**\\s*(?:\\([^)]*\\))?\\s*(?::\\**\\s*(.*)|\\**)$`,
  'i',
);

export const markdown: TranscriptReader<MarkdownState> = {
  name: 'markdown',
  recognises: (file) => /\.(?:md|markdown|txt)$/i.test(file),
  start: () => ({ role: undefined, fence: undefined }),

  /** Every line is an item of its own: a statement keeps the number of its line, and nothing waits for what may follow. */
  read(state, line) {
    const text = line.text.replace(/\r$/, '');
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark)
      return {
        state: {
          ...state,
          fence: state.fence === undefined ? mark : mark.startsWith(state.fence) ? undefined : state.fence,
        },
        items: [],
      };
    if (state.fence !== undefined || text.trim() === '') return { state, items: [] };
    const speaker = SPEAKER.exec(text.trim());
    if (speaker && (speaker[3] !== undefined || /^[#*>]/.test(text.trim()))) {
      const role: Turn['role'] = speaker[1] ? 'user' : 'assistant';
      const rest = speaker[3]?.trim() ?? '';
      return { state: { ...state, role }, items: rest === '' ? [] : [turn(role, rest, line.number)] };
    }
    return { state, items: [turn(state.role ?? 'assistant', text.trim(), line.number)] };
  },
};

const turn = (role: Turn['role'], text: string, line: number): Turn => ({
  kind: 'turn',
  role,
  text,
  line,
  time: undefined,
  message: undefined,
});
