// A project as it was at a moment: a home, a repository and a store of their own, into which conversations grow line by line while the
// hooks of Cairn run over them, in this process and with the clock of the conversation. Workers that a hook would start run at once.
import fs from 'node:fs';
import path from 'node:path';
import { bundleWith } from '../bundle.mjs';
import { keptVectors } from './replay-vectors.mjs';

/** The TypeScript that hooks and the server are made of, as one module; with other texts in the place of some files. */
export const loadCairn = (replaced = {}) =>
  bundleWith(
    replaced,
    'app/embedding-model.ts',
    'app/hooks/capture.ts',
    'app/hooks/index-worker.ts',
    'app/hooks/pre-compact.ts',
    'app/hooks/session-end.ts',
    'app/hooks/session-start.ts',
    'app/hooks/stop.ts',
    'app/hooks/user-prompt-submit.ts',
    'app/user-files.ts',
    'config/load.ts',
    'embed/local-embedder.ts',
    'embed/minilm-graph.ts',
    'faces/mcp/warm-prompts.ts',
    'indexing/vectors/embed-documents.ts',
    'learning/injection-log.ts',
    'safety/injected-elements.ts',
    'store/sqlite/sqlite-store.ts',
    'transcripts/readers.ts',
  );

/** Archives are for the day when a transcript is gone; here they would only cost time. */
const SETTINGS = { traces: { archive_max_mb: 0 } };
/** A worker waits for the last line of a turn, which is here already, unless it comes before a compaction. */
const NO_WAIT = 'PreCompact';

export class ReplayProject {
  /** Paths of conversations → ours. */
  #places;
  #cairn;
  #vectors;
  #store;
  #grown = new Map();
  #inserted = new Map();
  now = 0;
  problems = new Map();

  /**
   * `folder`: empty, and the replay's own; `cache`: kept between runs; `places`: where the project lay; `cairnOf`: what reads a
   * conversation, by its session.
   */
  constructor(cairn, { folder, cache, places, vectors, cairnOf = () => cairn }) {
    this.#cairn = cairn;
    this.cairnOf = cairnOf;
    this.#places = places;
    this.root = path.join(folder, 'project');
    this.home = path.join(folder, 'home');
    const own = path.join(this.home, '.cairn');
    this.transcripts = path.join(this.home, '.claude', 'projects', 'replay');
    for (const each of [own, this.transcripts, path.join(this.root, '.git')]) fs.mkdirSync(each, { recursive: true });
    fs.writeFileSync(path.join(this.root, '.git', 'config'), '[core]\n\tbare = false\n');
    this.#checkOut('main');
    fs.symlinkSync(cache, path.join(own, 'cache'));
    const settings = vectors ? SETTINGS : { ...SETTINGS, embeddings: { provider: 'none' } };
    fs.writeFileSync(path.join(own, 'config.json'), JSON.stringify(settings));
    this.env = { PATH: process.env.PATH, HOME: this.home, CAIRN_HOME: own, LANG: 'C.UTF-8' };
    if (vectors) this.#vectors = keptVectors(cairn, { folder: cache, sameText: (text) => this.asWritten(text) });
  }

  get config() {
    return this.#cairn.loadConfig({ env: this.env, cwd: this.root });
  }

  transcriptOf = ({ session }) => path.join(this.transcripts, `${session}.jsonl`);

  /** With the paths of this machine. */
  asHere = (text) => this.#places.reduce((changed, place) => changed.replaceAll(place, this.root), text);
  /** With the paths of the data, so that two runs say the same. */
  asWritten = (text) => (this.#places.length > 0 ? text.replaceAll(this.root, this.#places[0]) : text);

  /** The clock and the transcript as they were when this happened. */
  moveTo({ conversation, time, line, branch }) {
    this.now = time;
    if (branch) this.#checkOut(branch);
    const from = this.#grown.get(conversation) ?? 0;
    if (line <= from) return;
    const lines = conversation.lines.slice(from, line).map((text) => `${this.asHere(text)}\n`);
    fs.appendFileSync(this.transcriptOf(conversation), lines.join(''));
    this.#grown.set(conversation, line);
  }

  /** What the client writes of an answer of a hook; it counts for no line of the conversation. */
  insert(conversation, line) {
    fs.appendFileSync(this.transcriptOf(conversation), `${JSON.stringify(line)}\n`);
    const inserted = this.#inserted.get(conversation.session) ?? [];
    inserted.push((this.#grown.get(conversation) ?? 0) + inserted.length + 1);
    this.#inserted.set(conversation.session, inserted);
  }

  /** The line of the data that a line of our copy is. */
  lineInData(session, line) {
    return line - (this.#inserted.get(session) ?? []).filter((each) => each <= line).length;
  }

  payload = (conversation, event, more = {}) => ({
    session_id: conversation.session,
    transcript_path: this.transcriptOf(conversation),
    cwd: this.root,
    hook_event_name: event,
    ...more,
  });

  /** Runs a handler as a hook does; `more` adds to its context what the server does. */
  async run(handler, payload, more = () => ({})) {
    const context = this.#context(this.config);
    return handler(payload, { ...context, ...more(context) });
  }

  #context(config) {
    return {
      env: this.env,
      now: () => new Date(this.now),
      config,
      problem: (cause) => this.#problem(cause),
      start: (event, payload) => this.#work(event, payload),
    };
  }

  #problem(cause) {
    const text = String(cause instanceof Error ? cause.message : cause);
    this.problems.set(text, (this.problems.get(text) ?? 0) + 1);
  }

  /** Vectors are made afterwards, from those that are kept. */
  async #work(event, payload) {
    const { indexWorker, sessionEndWorker } = this.cairnOf(payload.session_id);
    const worker = { 'index-worker': indexWorker, 'session-end-worker': sessionEndWorker }[event];
    if (!worker) throw new Error(`the replay knows no worker ${event}`);
    const { config } = this;
    const embeddings = { ...config.settings.embeddings, provider: 'none' };
    const told = payload.hook_event_name === 'Stop' ? { ...payload, hook_event_name: NO_WAIT } : payload;
    try {
      await worker(told, this.#context({ ...config, settings: { ...config.settings, embeddings } }));
      if (this.#vectors) await this.#cairn.embedDocuments(await this.#open(), this.#vectors);
    } catch (error) {
      this.#problem(error);
    }
  }

  async #open() {
    this.#store ??= await this.#cairn.openSqliteStore(this.#cairn.storeFile(this.config));
    return this.#store;
  }

  /** What is stored under a ref; `undefined` for what is no longer there. */
  async document(ref) {
    if (!fs.existsSync(this.#cairn.storeFile(this.config))) return undefined;
    return (await (await this.#open()).get({ refs: [ref] }))[0];
  }

  #checkOut(branch) {
    fs.writeFileSync(path.join(this.root, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
  }

  async close() {
    await this.#vectors?.close();
    await this.#store?.close();
  }
}
