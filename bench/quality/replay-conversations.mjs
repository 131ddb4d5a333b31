// The conversations of a data set as what a client tells its hooks, in the order of time: starts, prompts, tool calls, compactions,
// ends of turns and of sessions. What a prompt is, the project's own reader says; when a turn ends, the lines of the client do.
import fs from 'node:fs';
import path from 'node:path';
import { filesOf } from './recall-store.mjs';

const INTERRUPTED = /^\s*\[Request interrupted by user/;
/** What the client does by itself: no model answers. */
const LOCAL = /^\s*<(?:local-command-|bash-)/;

/** One for each transcript: `lines` as they stand in the file, `events` with the last line that was written before them. */
export function readConversations(cairn, folder) {
  const conversations = filesOf(folder, '.jsonl').map((file) => readConversation(cairn, file));
  return conversations.filter(({ events }) => events.length > 0);
}

/** The directories that conversations began in, the outermost of each: all of a set are one project, wherever it lay. */
export function projectFolders(conversations) {
  const folders = [...new Set(conversations.map(({ cwd }) => cwd).filter(Boolean))].sort((a, b) => a.length - b.length);
  return folders.filter((each, at) => !folders.slice(0, at).some((outer) => each.startsWith(`${outer}/`)));
}

/** Of all conversations; at the same moment, in the order of each. */
export const inTime = (conversations) =>
  conversations
    .flatMap((conversation, order) => conversation.events.map((event, at) => ({ conversation, order, at, ...event })))
    .sort((a, b) => a.time - b.time || a.order - b.order || a.at - b.at);

function readConversation(cairn, file) {
  const session = path.basename(file, '.jsonl');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const reader = cairn.readerFor(file, lines.slice(0, 8));
  const conversation = { session, file, lines, cwd: undefined, events: [], prompts: [] };
  if (!reader) return conversation;
  const turns = new TurnReader(conversation, cairn.isMachinePrompt);
  let state = reader.start(file);
  let time;
  for (const [at, text] of lines.entries()) {
    const read = reader.read(state, { number: at + 1, text });
    state = read.state;
    const parsed = parse(text);
    if (!parsed) continue;
    conversation.cwd ??= parsed.cwd;
    const own = Date.parse(parsed.timestamp ?? '');
    if (!Number.isNaN(own)) time = Math.max(time ?? own, own); // lines are not always written in their order
    if (time !== undefined) turns.read({ line: at + 1, time, parsed, items: read.items });
  }
  turns.end();
  return conversation;
}

/** Follows one conversation. A turn ends with the last line before the next prompt, unless the user broke it off. */
class TurnReader {
  #conversation;
  #isMachinePrompt;
  #calls = new Map();
  #last;
  #prompt;
  #answer = '';
  #isAnswered = false;
  #isBroken = false;

  constructor(conversation, isMachinePrompt) {
    this.#conversation = conversation;
    this.#isMachinePrompt = isMachinePrompt;
  }

  read(line) {
    const { parsed, time } = line;
    if (!this.#last) this.#event('start', { line: 0, time, source: 'startup' });
    if (parsed.isSidechain) return;
    if (parsed.type === 'system' && parsed.subtype === 'compact_boundary') this.#compaction(line);
    else if (parsed.type === 'user' && !parsed.isMeta && !parsed.isCompactSummary) this.#user(line);
    else if (parsed.type === 'assistant') this.#assistant(line);
    this.#last = { line: line.line, time, mode: parsed.permissionMode ?? this.#last?.mode, branch: parsed.gitBranch };
  }

  end() {
    if (!this.#last) return;
    this.#stop();
    this.#event('end', this.#last);
  }

  #compaction({ line, time }) {
    this.#event('compact', { line, time });
  }

  #user({ line, time, parsed, items }) {
    const blocks = blocksOf(parsed);
    for (const block of blocks) if (block.type === 'tool_result') this.#result(block, { line, time, parsed });
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (text === '' && blocks.length > 0) return;
    if (INTERRUPTED.test(text)) {
      this.#isBroken = true;
      return;
    }
    if (LOCAL.test(text)) return;
    this.#stop();
    const turn = items.find((item) => item.kind === 'turn' && item.role === 'user' && !item.aside);
    if (!turn || this.#isMachinePrompt(text) || /<command-name>/.test(text)) return;
    const { gitBranch: branch, permissionMode: mode } = parsed;
    const isFirst = this.#conversation.prompts.length === 0;
    // The client calls the hook before it writes the prompt down.
    this.#prompt = this.#event('prompt', { line: line - 1, time, at: line, text: turn.text, isFirst, branch, mode });
    this.#conversation.prompts.push(this.#prompt);
  }

  #assistant({ line, time, parsed }) {
    if (parsed.message?.model === '<synthetic>') return;
    this.#isAnswered = true;
    this.#isBroken = false;
    for (const block of blocksOf(parsed)) {
      if (block.type === 'tool_use') this.#calls.set(block.id, block);
      if (block.type !== 'text' || block.text.trim() === '') continue;
      this.#answer = block.text;
      if (this.#prompt) this.#prompt.answer = block.text;
    }
    if (this.#prompt) this.#prompt.answered = { line, time };
  }

  #result(block, { line, time, parsed }) {
    const call = this.#calls.get(block.tool_use_id);
    if (!call) return;
    this.#calls.delete(block.tool_use_id);
    const failed = block.is_error === true;
    const answer = parsed.toolUseResult ?? block.content ?? '';
    this.#event('tool', { line: line - 1, time, tool: call.name, input: call.input, id: call.id, answer, failed });
  }

  #stop() {
    if (this.#isAnswered && !this.#isBroken)
      this.#event('stop', { ...this.#last, answer: this.#answer, prompt: this.#prompt });
    this.#isAnswered = false;
    this.#isBroken = false;
    this.#answer = '';
    this.#prompt = undefined; // what follows may be a command or a note of the client
  }

  #event(kind, event) {
    const made = { kind, ...event };
    this.#conversation.events.push(made);
    return made;
  }
}

function blocksOf({ message }) {
  const content = message?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
