// A server of the Model Context Protocol as a client starts it: a process, two pipes, lines of JSON.
import { spawn } from 'node:child_process';

/** { pid, startMs, request(method, params), call(tool, input), close() }; `startMs`: until the answer to `initialize`. */
export async function openMcp(argv, { env, cwd, program = process.execPath }) {
  const begun = performance.now();
  const child = spawn(program, argv, { env: { ...process.env, ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map();
  let [asked, rest, errors] = [0, '', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('{')) continue;
      const message = JSON.parse(line);
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    }
  });
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdin.on('error', () => undefined);
  const ended = new Promise((resolve) => {
    const fail = (why) => {
      for (const { reject } of waiting.values()) reject(new Error(`${argv.join(' ')}: ${why}: ${errors.slice(-500)}`));
      resolve();
    };
    child.on('error', fail);
    child.on('close', (code) => fail(`ended with ${code}`));
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.325' },
  });
  const startMs = performance.now() - begun;
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid,
    startMs,
    request,
    call: async (name, input) => {
      const { result, error } = await request('tools/call', { name, arguments: input });
      if (error) throw new Error(`${name}: ${error.message}`);
      if (result.isError) throw new Error(`${name}: ${result.content?.[0]?.text}`);
      return result;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
