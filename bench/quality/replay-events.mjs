// Runs the hooks over the events of conversations and says what they told: rows for a reader, and for the numbers one row for each
// prompt, start and end of a turn, spoken to or not.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { textOf } from './replay-prompts.mjs';
import { daysBetween } from './replay-report.mjs';
import { tellingWords } from './telling-words.mjs';

const SHORT = 400;
/** A gold line counts as come if a line so near to it did: one message may stand on several. */
const NEAR = 2;
/** A decision is named by an ask that has this share of its telling words. */
const NAMED = 0.5;
const AN_HOUR_MS = 3_600_000;

/** `way.ask(payload)` tells a prompt what it tells it. */
export async function replay({ cairn, project, way, events, gold, labels, say }) {
  const run = new Replay(cairn, project, way);
  for (const [at, event] of events.entries()) {
    project.moveTo(event);
    await run[event.kind](event);
    if (at % 1_000 === 999) say(`${at + 1} of ${events.length} events`);
  }
  const end = (events.at(-1)?.time ?? 0) + AN_HOUR_MS;
  for (const [at, question] of gold.entries()) await run.gold(question, end + at * AN_HOUR_MS);
  return [...run.rows, ...decisionRows(labels, run.rows, events)];
}

class Replay {
  rows = [];
  #cairn;
  #project;
  #way;

  constructor(cairn, project, way) {
    this.#cairn = cairn;
    this.#project = project;
    this.#way = way;
  }

  async start({ conversation, source, time }) {
    const payload = this.#project.payload(conversation, 'SessionStart', { source });
    const { stdout = '' } = await this.#project.run(this.#cairn.sessionStart, payload);
    const lines = linesOfStart(this.#project.asWritten(textOf(stdout)));
    const prompt = conversation.prompts.find((each) => each.time >= time) ?? conversation.prompts[0];
    const about = {
      session: conversation.session,
      line: prompt?.at ?? 0,
      time: isoOf(time),
      ...followed(conversation, prompt),
    };
    for (const each of lines) this.rows.push({ what: 'start', ...about, ...each, judgement: '' });
    this.rows.push({ what: 'started', ...about, told: lines.length });
  }

  async compact({ conversation, time }) {
    const payload = this.#project.payload(conversation, 'PreCompact', { trigger: 'auto' });
    await this.#project.run(this.#cairn.preCompact, payload);
    await this.start({ conversation, source: 'compact', time });
  }

  async prompt(event) {
    const { conversation, at, time, isFirst, mode } = event;
    const about = { session: conversation.session, line: at, time: isoOf(time), first: isFirst };
    await this.#ask(conversation, { text: event.text, mode, about: { ...about, ...followed(conversation, event) } });
  }

  async #ask(conversation, { text, mode, about }) {
    const more = { prompt: this.#project.asHere(text), ...(mode ? { permission_mode: mode } : {}) };
    const payload = this.#project.payload(conversation, 'UserPromptSubmit', more);
    const { told: said, ms } = await this.#way.ask(payload);
    const told = this.#project.asWritten(said);
    const lines = told.split('\n').filter((line) => /^[-*] /.test(line));
    const injection = lines.length === 0 ? undefined : this.#newestInjection(conversation.session);
    const telling = tellingWords(text).length;
    const sources = [];
    for (const [at, line] of lines.entries()) {
      const ref = / -> (\S+)$/.exec(line)?.[1];
      const source = ref === undefined ? undefined : await this.#sourceOf(ref);
      sources.push(source);
      const { relevance, tokens } = injection?.entries.find((entry) => entry.ref === ref) ?? {};
      const age = source?.created === undefined ? undefined : daysBetween(source.created, this.#project.now);
      const { created: _, ...from } = source ?? {};
      const row = { ...about, telling, n: at + 1, text: line, ref, ...from, age, relevance, tokens };
      if (about.first !== undefined) this.rows.push({ what: 'prompt', ...row, judgement: '' });
    }
    const asked = { ...about, telling, told: lines.length, tokens: injection?.tokens ?? 0, ms };
    if (about.first !== undefined) this.rows.push({ what: 'asked', ...asked });
    return { lines, sources, asked };
  }

  async tool({ conversation, tool, input, id, answer, failed }) {
    const here = JSON.parse(this.#project.asHere(JSON.stringify({ input: input ?? {}, answer })));
    if (!failed) touchFile(this.#project.root, tool, here.input);
    const said = failed ? { error: String(here.answer) } : { tool_response: here.answer };
    const more = { tool_name: tool, tool_input: here.input, tool_use_id: id, ...said };
    const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
    await this.#project.run(this.#cairn.capture, this.#project.payload(conversation, event, more));
  }

  async stop({ conversation, line, time, mode, answer, prompt }) {
    const more = {
      stop_hook_active: false,
      last_assistant_message: answer,
      ...(mode ? { permission_mode: mode } : {}),
    };
    const payload = this.#project.payload(conversation, 'Stop', more);
    const { stop } = this.#project.cairnOf(conversation.session);
    const said = await this.#project.run(stop, payload);
    const text = said.exit === 2 ? (said.stderr ?? '') : stopText(said.stdout ?? '');
    const about = { session: conversation.session, line, time: isoOf(time), ...followed(conversation, prompt) };
    this.rows.push({ what: 'stopped', ...about, told: text === '' ? 0 : 1 });
    if (text === '') return;
    const asked = this.#project.asWritten(text);
    this.rows.push({
      what: 'triage',
      ...about,
      categories: categoriesOf(asked),
      text: itemsOf(asked),
      drafts: draftsNamed(asked, this.#project),
      judgement: '',
    });
    // The model would now save it and stop again; what the client tells it stands in the transcript.
    const feedback = { role: 'user', content: `Stop hook feedback:\n[cairn hook stop]: ${text}` };
    const ids = {
      uuid: randomUUID(),
      sessionId: conversation.session,
      timestamp: isoOf(time),
      cwd: this.#project.root,
    };
    this.#project.insert(conversation, { type: 'user', isMeta: true, message: feedback, ...ids });
    await this.#project.run(stop, { ...payload, stop_hook_active: true });
  }

  async end({ conversation }) {
    const payload = this.#project.payload(conversation, 'SessionEnd', { reason: 'other' });
    await this.#project.run(this.#project.cairnOf(conversation.session).sessionEnd, payload);
  }

  /** As the first prompt of a new conversation. */
  async gold({ query, gold }, time) {
    this.#project.now = time;
    const conversation = { session: randomUUID(), prompts: [] };
    const { lines, sources } = await this.#ask(conversation, { text: query, about: { session: conversation.session } });
    const came = gold.filter(({ session, line }) =>
      sources.some((source) => source?.of === session && Math.abs(source.of_line - line) <= NEAR),
    );
    this.rows.push({ what: 'gold', prompt: query, came: came.length, of: gold.length, told: lines.length, lines });
  }

  async #sourceOf(ref) {
    const document = await this.#project.document(ref);
    if (!document) return undefined;
    const { kind, confidence, createdAt, session, source, meta, text } = document;
    const by = typeof meta?.speaker === 'string' ? meta.speaker : (meta?.role ?? document.layer);
    const line =
      source?.line === undefined || session === undefined ? undefined : this.#project.lineInData(session, source.line);
    const { worth, search_only } = meta ?? {};
    return {
      kind,
      confidence,
      worth,
      search_only,
      by,
      said: shortened(text),
      of: session,
      of_line: line,
      created: createdAt,
    };
  }

  #newestInjection(session) {
    for (const injection of this.#cairn.readInjections(this.#project.config.paths.userRoot))
      if (injection.session === session) return injection;
    return undefined;
  }
}

/** A line of the block with its section; neither the head nor the headings. */
function linesOfStart(text) {
  const lines = [];
  let section = '';
  for (const line of text.split('\n').slice(3)) {
    if (line.startsWith('## ')) section = line.slice(3);
    else if (line.trim() !== '') lines.push({ section, text: line });
  }
  return lines;
}

/** What the model is told at the end of a turn, whichever way it is said. */
function stopText(stdout) {
  if (!stdout.trimStart().startsWith('{')) return stdout.trim();
  const answer = JSON.parse(stdout);
  return answer.reason ?? answer.hookSpecificOutput?.additionalContext ?? '';
}

/** What the ask is about, without the frame that all of them have. */
function itemsOf(text) {
  const said = text.split('<triage_data>')[0].trim();
  const items = said.split('\n').filter((line) => /^[-*] /.test(line));
  return items.length > 0 ? items.join('\n') : said;
}

/** The records that triage has prepared, as far as the line names them. */
function draftsNamed(text, project) {
  const folder = path.join(project.root, '.claude', 'memory', '.drafts');
  return [...new Set(text.match(/\bd-[0-9a-f]{8}\b/g) ?? [])].flatMap((id) => {
    const file = path.join(folder, `${id}.json`);
    if (!fs.existsSync(file)) return [];
    const { category, title, content, session, line } = JSON.parse(project.asWritten(fs.readFileSync(file, 'utf8')));
    return [{ category, title, content, of: session, of_line: project.lineInData(session, line ?? 0) }];
  });
}

function categoriesOf(text) {
  const drafted = [...text.matchAll(/\bd-[0-9a-f]{8}(?: \([\d-]+\))?, ([a-z ]+): /g)].map(([, name]) =>
    name.replaceAll(' ', '_'),
  );
  if (drafted.length > 0) return [...new Set(drafted)];
  const named = [...text.matchAll(/"category"\s*:\s*"(\w+)"/g)].map(([, name]) => name);
  if (named.length > 0) return [...new Set(named)];
  return [...new Set([...text.matchAll(/\[([A-Z_]{4,})\]/g)].map(([, name]) => name.toLowerCase()))];
}

/** What the files of the project hold is not known; that they are there, and what was written last, is. */
function touchFile(root, tool, input) {
  const file = input.file_path ?? input.notebook_path;
  if (typeof file !== 'string' || !file.startsWith(`${root}/`) || path.normalize(file) !== file) return;
  if (!['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Read'].includes(tool)) return;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (tool === 'Write') fs.writeFileSync(file, String(input.content ?? ''));
    else if (!fs.existsSync(file)) fs.writeFileSync(file, String(input.new_string ?? ''));
  } catch {
    // a folder where a file was, or the other way round
  }
}

/** A prompt with the last words of its answer, and the prompt after it. */
function followed(conversation, prompt) {
  if (!prompt) return { prompt: '', agent_next: '', user_next: '' };
  const next = conversation.prompts[conversation.prompts.findIndex(({ at }) => at === prompt.at) + 1];
  return {
    prompt: shortened(prompt.text, 2 * SHORT),
    agent_next: shortened(prompt.answer),
    user_next: shortened(next?.text),
  };
}

/**
 * Of each labelled decision: whether something of its turn was asked about when the turn ended, later in the conversation, or in another one; for a
 * decision, and in words that name it.
 */
function decisionRows(labels, rows, events) {
  const asks = rows.filter(({ what }) => what === 'triage');
  return labels.flatMap(({ session, decisions = [] }) => {
    const stops = events.filter((event) => event.kind === 'stop' && event.conversation.session === session);
    if (stops.length === 0) return [];
    return decisions.map(({ line, text, quote }) => {
      const stop = stops.find((event) => event.line >= line);
      const before = stops.findLast((event) => event.line < (stop?.line ?? 0))?.line ?? 0;
      const isOfTurn = ({ of, of_line: at }) => stop && of === session && at > before && at <= stop.line;
      const isItsEnd = (row) => row.session === session && row.line === stop?.line;
      // Who asks without a draft asks about the turn that ends.
      const ask = asks.find((row) => row.drafts.some(isOfTurn) || (isItsEnd(row) && row.drafts.length === 0));
      const drafts = ask?.drafts.filter(isOfTurn) ?? [];
      const words = tellingWords(`${quote ?? ''} ${text}`);
      const has = new Set(ask ? tellingWords(drafts.length > 0 ? JSON.stringify(drafts) : ask.text) : []);
      const when = !ask ? '' : isItsEnd(ask) ? 'asked' : ask.session === session ? 'later' : 'elsewhere';
      return {
        what: 'decision',
        session,
        line,
        text,
        quote,
        when,
        named: ask !== undefined && words.filter((word) => has.has(word)).length >= NAMED * words.length,
        categories: drafts.length > 0 ? drafts.map(({ category }) => category) : (ask?.categories ?? []),
      };
    });
  });
}

const isoOf = (time) => new Date(time).toISOString();

function shortened(text = '', most = SHORT) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, (most * 2) / 3)} … ${line.slice(-most / 3)}`;
}
