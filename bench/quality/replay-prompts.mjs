// The three ways in which a prompt comes to Cairn: `warm`, to a server that has its model open (here in this process); `first`, as the
// first one of a server that has just started (a process for each); `cold`, as a process of its own, which has words alone.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../bundle.mjs';

export const WAYS = ['warm', 'first', 'cold'];

const CLOCK = pathToFileURL(path.join(path.dirname(fileURLToPath(import.meta.url)), 'replay-clock.mjs')).href;
export const BINARY = path.join(root, 'dist/faces/cli/main.js');
/** Nobody types a prompt faster than this after the client has started. */
const TYPING_MS = 1_000;

/** `ask` gives what a prompt is told, empty if nothing, and how long it had to wait for it. */
export function openWay(way, cairn, project) {
  return { warm: () => warm(cairn, project), first: () => first(project), cold: () => cold(project) }[way]();
}

function warm(cairn, project) {
  const model = new cairn.WarmModel(project.env);
  const prompts = new cairn.WarmPrompts(undefined, model);
  return {
    async ask(payload) {
      if (project.config.settings.embeddings.provider === 'local') await model.get(project.config);
      const ofServer = (context) => ({ openRecall: () => prompts.openRecall(context) });
      return timed(async () => (await project.run(cairn.userPromptSubmit, payload, ofServer)).stdout ?? '');
    },
    async close() {
      await prompts.release();
      await model.release();
    },
  };
}

const cold = (project) => ({
  async ask(payload) {
    return timed(() => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [BINARY, 'hook', 'user-prompt-submit'], {
        env: processEnv(project),
        cwd: project.root,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      if (status !== 0 || stderr !== '') throw new Error(`the hook ended with ${status}: ${stderr}`);
      return stdout;
    });
  },
  async close() {},
});

const first = (project) => ({
  async ask(payload) {
    const server = new Server(project);
    try {
      await server.request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'claude-code', version: '0' },
      });
      await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
      const call = { name: 'cairn_hook', arguments: { event: 'user-prompt-submit', ...payload } };
      return await timed(async () => (await server.request('tools/call', call)).content[0].text);
    } finally {
      await server.close();
    }
  },
  async close() {},
});

/** `cairn mcp`, spoken to as a client does. */
class Server {
  #child;
  #waiting = new Map();
  #gone;

  constructor(project) {
    this.#child = spawn(process.execPath, [BINARY, 'mcp'], {
      env: processEnv(project),
      cwd: project.root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#gone = new Promise((resolve) => this.#child.on('exit', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    });
  }

  request(method, params) {
    const id = this.#waiting.size + 1;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#gone.then((code) => reject(new Error(`the server ended with ${code}`)));
    });
  }

  async close() {
    this.#child.stdin.end();
    await this.#gone;
  }
}

const processEnv = (project) => ({
  ...project.env,
  CLAUDE_PROJECT_DIR: project.root,
  NODE_OPTIONS: `--import=${CLOCK}`,
  CAIRN_REPLAY_NOW: String(project.now),
});

async function timed(ask) {
  const began = performance.now();
  const said = await ask();
  return { told: textOf(said), ms: Math.round(performance.now() - began) };
}

/** A hook may say plain text, or JSON with a field for the model. */
export function textOf(said) {
  if (!said.trimStart().startsWith('{')) return said;
  const answer = JSON.parse(said);
  return answer.hookSpecificOutput?.additionalContext ?? '';
}
