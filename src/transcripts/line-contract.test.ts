// Indexing, triage, session notes and learning read the same lines, each for its own end. Here one conversation is written in every
// format, and what each of them makes of it is compared with the conversation itself: who said what, in which order, and what was done.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import type { TraceItem } from '../model/trace.ts';
import { answerTo, promptHash } from './answer.ts';
import { transcriptFacts } from './facts.ts';
import { formatOf } from './formats.ts';
import { linesFromEnd } from './lines-from-end.ts';
import { readerFor } from './readers.ts';
import { transcriptMessages } from './tail.ts';

/**
 * What happens in a conversation, whoever writes it down. `n` makes each of its kind another. `next`, of a line in the user's name that
 * nobody typed: what follows answers it, and not the last prompt.
 */
type Step = {
  readonly n: number;
  readonly does:
    | 'prompt'
    | 'answer'
    | 'edit'
    | 'reads'
    | 'thinks'
    | 'compacts'
    | 'interrupts'
    | 'notes'
    | 'says in their name';
  readonly next: boolean;
};
type Does = Step['does'];
type Json = { readonly [field: string]: unknown };
type Format = {
  readonly file: string;
  /** What it has no line for is left out of its conversations. */
  readonly has: readonly Does[];
  /** What it tells apart as a message: an answer may be nothing but a call or a thought. */
  readonly messages: readonly Does[];
  /** Its lines can be read one by one, from the end. */
  readonly byLine: boolean;
  write(step: Step): string;
};

const prompt = (n: number): string => `Please look after part ${n} of the machine`;
const answer = (n: number): string => `Part ${n} of the machine runs again`;
const edited = (n: number): string => `parts/part-${n}.ts`;

const lines = (...values: Json[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const EVERYTHING: readonly Does[] = [
  ...(['prompt', 'answer', 'edit', 'reads', 'thinks', 'compacts', 'interrupts', 'notes'] as const),
  'says in their name',
];

const time = (n: number): { timestamp: string } => ({
  timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
});
const user = (n: number, content: unknown, more: Json = {}): Json => ({
  ...{
    type: 'user',
    uuid: `u${n}`,
    sessionId: 's',
    isSidechain: false,
    ...time(n),
    message: { role: 'user', content },
  },
  ...more,
});
const model = (n: number, ...content: Json[]): Json => ({
  ...{ type: 'assistant', uuid: `u${n}`, sessionId: 's', isSidechain: false, ...time(n) },
  message: { id: `m${n}`, role: 'assistant', model: 'm', content },
});
const text = (words: string): Json => ({ type: 'text', text: words });
const call = (n: number, name: string, input: Json): Json => ({ type: 'tool_use', id: `t${n}`, name, input });
const result = (n: number, content: string, more: Json = {}): Json => ({
  ...{ type: 'tool_result', tool_use_id: `t${n}`, content },
  ...more,
});

const claudeCode: Format = {
  file: '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl',
  has: EVERYTHING,
  messages: ['prompt', 'answer', 'edit', 'reads', 'thinks'],
  byLine: true,
  write(step) {
    const { n } = step;
    switch (step.does) {
      case 'prompt':
        // As a text, behind the name of a command, as a block beside a picture, with what an editor adds.
        if (n % 4 === 0) return lines(user(n, prompt(n)));
        if (n % 4 === 1)
          return lines(user(n, `<command-name>/x</command-name>\n<command-args>${prompt(n)}</command-args>`));
        if (n % 4 === 2) return lines(user(n, [text(prompt(n)), { type: 'image', source: {} }]));
        return lines(user(n, [text('<ide_opened_file>a.ts</ide_opened_file>'), text(prompt(n))]));
      case 'answer':
        return lines(model(n, text(answer(n))));
      case 'edit':
        return lines(
          model(n, call(n, 'Edit', { file_path: edited(n), old_string: 'a', new_string: 'b' })),
          user(n, [result(n, 'The file was updated')], { toolUseResult: { filePath: edited(n) } }),
        );
      case 'reads':
        return lines(model(n, call(n, 'Bash', { command: 'ls' })), user(n, [result(n, `${prompt(n)}\n`.repeat(200))]));
      case 'thinks':
        return lines(model(n, { type: 'thinking', thinking: answer(n) }));
      case 'compacts':
        return lines(
          { type: 'system', subtype: 'compact_boundary', uuid: `c${n}`, ...time(n) },
          user(n, `This session is being continued from a previous conversation: ${prompt(n)}`, {
            isCompactSummary: true,
          }),
        );
      case 'interrupts':
        return lines(user(n, [text('[Request interrupted by user for tool use]')]));
      case 'notes':
        return lines(
          { type: 'progress', uuid: `p${n}`, sessionId: 's', data: { type: 'user', text: prompt(n) } },
          { type: 'api-request', sessionId: 's', body: { messages: [user(n, prompt(n)), model(n, text(answer(n)))] } },
          { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
          user(n, prompt(n), { isSidechain: true }),
          { ...model(n, text(answer(n))), isSidechain: true },
          { ...model(n, text('API Error: overloaded')), isApiErrorMessage: true },
          { ...model(n, text(answer(n))), attributionPlugin: 'memory' },
        );
      default: {
        const meta = [`<system-reminder>${prompt(n)}</system-reminder>`, `Base directory for this skill: ${prompt(n)}`];
        const typed = [
          `<command-name>/model</command-name>\n<command-args>${prompt(n)}</command-args>`,
          `<local-command-stdout>${prompt(n)}</local-command-stdout>`,
          `<task-notification>${prompt(n)}</task-notification>`,
          `<bash-input>ls</bash-input>`,
          `Stop hook feedback:\n${prompt(n)}`,
          `<system-reminder>${prompt(n)}</system-reminder>`,
        ];
        return step.next
          ? lines(user(n, typed[n % typed.length]!))
          : lines(user(n, meta[n % meta.length]!, { isMeta: true }));
      }
    }
  },
};

/** As the oldest transcripts were, and as other programs still write them. */
const flat: Format = {
  ...claudeCode,
  file: 'flat.jsonl',
  has: ['prompt', 'answer'],
  write: ({ n, does }) =>
    lines(
      does === 'prompt' ? { type: 'human', content: prompt(n) } : { type: 'assistant', content: [text(answer(n))] },
    ),
};

const item = (n: number, payload: Json): Json => ({ ...time(n), type: 'response_item', payload });
const message = (n: number, role: string, words: string): Json =>
  item(n, { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: words }] });
const shell = (n: number, command: string): Json =>
  item(n, {
    type: 'function_call',
    name: 'shell',
    call_id: `c${n}`,
    arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
  });
const output = (n: number, words: string): Json =>
  item(n, { type: 'function_call_output', call_id: `c${n}`, output: words });

const codex: Format = {
  file: 'rollout-2026-03-01T10-00-00-5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl',
  has: EVERYTHING.filter((does) => does !== 'interrupts'),
  messages: ['prompt', 'answer'],
  byLine: true,
  write(step) {
    const { n } = step;
    switch (step.does) {
      case 'prompt':
        return lines(message(n, 'user', prompt(n)), {
          type: 'event_msg',
          payload: { type: 'user_message', message: prompt(n) },
        });
      case 'answer':
        return lines(message(n, 'assistant', answer(n)));
      case 'edit': {
        const patch = `*** Begin Patch\n*** Update File: ${edited(n)}\n@@\n-a\n+b\n*** End Patch`;
        const made = item(n, { type: 'custom_tool_call', name: 'apply_patch', call_id: `c${n}`, input: patch });
        return lines(made, output(n, 'Success'));
      }
      case 'reads':
        return lines(shell(n, 'ls'), output(n, `${prompt(n)}\n`.repeat(200)));
      case 'thinks':
        return lines(item(n, { type: 'reasoning', summary: [{ type: 'summary_text', text: answer(n) }] }));
      case 'compacts':
        return lines({ ...time(n), type: 'compacted', payload: { message: prompt(n) } });
      case 'notes':
        return lines(
          { type: 'turn_context', payload: { cwd: '/p' } },
          { type: 'event_msg', payload: { type: 'agent_message', message: answer(n) } },
          message(n, 'developer', prompt(n)),
        );
      default:
        return step.next ? lines(message(n, 'user', `<user_instructions>${prompt(n)}</user_instructions>`)) : '';
    }
  },
};

const markdown: Format = {
  file: 'talk.md',
  has: ['prompt', 'answer'],
  messages: ['prompt', 'answer'],
  byLine: false,
  write: ({ n, does }) => (does === 'prompt' ? `## User\n${prompt(n)}\n\n` : `## Assistant\n${answer(n)}\n\n`),
};

/** A conversation, each step with a number of its own; it opens with a prompt, as all do. */
function steps(has: readonly Does[]): fc.Arbitrary<Step[]> {
  const step = fc.record({ does: fc.constantFrom(...has, 'prompt' as const, 'answer' as const), next: fc.boolean() });
  return fc
    .array(step, { maxLength: 30 })
    .map((more) => [{ does: 'prompt' as const, next: false }, ...more].map((each, n): Step => ({ ...each, n })));
}

type Said = { readonly role: string; readonly text: string };

const saidIn = (conversation: readonly Step[]): Said[] =>
  conversation.flatMap(({ does, n }): Said[] => {
    if (does === 'prompt') return [{ role: 'user', text: prompt(n) }];
    return does === 'answer' ? [{ role: 'assistant', text: answer(n) }] : [];
  });

const editsIn = (conversation: readonly Step[]): string[] =>
  conversation.flatMap(({ does, n }) => (does === 'edit' ? [edited(n)] : []));

/** What was said and given to tools between a prompt and the next. */
function answersIn(conversation: readonly Step[]): Map<string, string> {
  const answers = new Map<string, string>();
  let to = '';
  for (const step of conversation) {
    if (step.does === 'prompt') to = prompt(step.n);
    else if (step.does === 'interrupts' || (step.does === 'says in their name' && step.next)) to = '';
    else if (step.does === 'answer' && to)
      answers.set(to, [answers.get(to), answer(step.n)].filter(Boolean).join('\n'));
  }
  return answers;
}

function itemsOf(file: string): TraceItem[] {
  const written = fs.readFileSync(file, 'utf8').split('\n');
  const reader = readerFor(file, written.slice(0, 8))!;
  let state = reader.start(file);
  return written.flatMap((words, index) => {
    const reading = reader.read(state, { number: index + 1, text: words });
    state = reading.state;
    return reading.items;
  });
}

/** Without the interruptions, which only the reader tells. */
const turnsOf = (items: readonly TraceItem[]): Said[] =>
  items.flatMap((each) =>
    each.kind === 'turn' && !each.text.startsWith('[Request interrupted') ? [{ role: each.role, text: each.text }] : [],
  );

function tailOf(file: string): Said[] {
  const descriptor = fs.openSync(file, 'r');
  try {
    const { messages } = transcriptMessages(linesFromEnd(descriptor, formatOf(file), { maxBytes: 1e9 }), 1_000);
    return messages.flatMap(({ role, text: words }) => (words === '' ? [] : [{ role, text: words }]));
  } finally {
    fs.closeSync(descriptor);
  }
}

const FORMATS: readonly (readonly [string, Format])[] = [
  ['Claude Code', claudeCode],
  ['the oldest Claude Code', flat],
  ['Codex', codex],
  ['a plain export', markdown],
];

describe.each(FORMATS)('a conversation in the format of %s', (_, format) => {
  const holds = (check: (conversation: readonly Step[], file: string) => void): void => {
    const file = path.join(temporaryFolder(), format.file);
    const conversations = fc.property(steps(format.has), (conversation) => {
      check(conversation, put(file, conversation.map((step) => format.write(step)).join('')));
    });
    fc.assert(conversations, { numRuns: 60 });
  };

  it('is read by indexing as it was', () => {
    holds((conversation, file) => {
      const items = itemsOf(file);
      expect(turnsOf(items)).toEqual(saidIn(conversation));
      const files = items.flatMap((each) => (each.kind === 'event' && each.event === 'files' ? each.files : []));
      expect(files).toEqual(editsIn(conversation));
    });
  });

  it.runIf(format.byLine)('is read by triage as it was, from its end', () => {
    holds((conversation, file) => expect(tailOf(file)).toEqual(saidIn(conversation)));
  });

  it.runIf(format.byLine)('is read for its session note as it was', () => {
    holds((conversation, file) => {
      const facts = transcriptFacts(file);
      expect(facts.messageCount).toBe(conversation.filter(({ does }) => format.messages.includes(does)).length);
      expect((facts.edited ?? []).map((each) => each.path)).toEqual(editsIn(conversation));
    });
  });

  it.runIf(format.byLine)('is read for learning as it was: each answer belongs to its prompt', () => {
    holds((conversation, file) => {
      const answers = answersIn(conversation);
      for (const { does, n } of conversation) {
        if (does !== 'prompt') continue;
        const words = answerTo(file, promptHash(prompt(n)))?.text.split('\n');
        expect(words?.filter((each) => /^Part \d+/.test(each)).join('\n') ?? '').toBe(answers.get(prompt(n)) ?? '');
      }
    });
  });
});
