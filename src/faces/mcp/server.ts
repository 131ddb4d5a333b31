// `cairn mcp`: the server on the standard streams of this process, for as long as its client is there.

import { onBrokenLock } from '../../app/broken-locks.ts';
import { recordHookRun, SERVER_MARK } from '../../app/hook-activity.ts';
import { markRunning, reportDeadServers } from '../../app/server-running-file.ts';
import { messageOf } from '../../errors.ts';
import { McpServer } from './mcp-server.ts';

/** The parent is looked for because a client that was killed may leave the other end of the pipe to somebody else. */
const PARENT_CHECK_MS = 5_000;
/** What is being worked on when the client leaves may come to its end, within what the client allows a server. */
const LAST_WORK_MS = 1_000;
const LAST_LOOK_MS = 20;

/** Returns when the client is gone. */
export async function run(): Promise<number> {
  const server = new McpServer({
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
    write: (line) => void process.stdout.write(line),
    warn: (text) => void process.stderr.write(text),
  });
  onBrokenLock((text) => void process.stderr.write(`WARNING: ${text}\n`));
  process.on('uncaughtException', (error) => server.fault('mcp-server', error));
  process.on('unhandledRejection', (error) => server.fault('mcp-server', error));
  const left = clientLeft((chunk) => server.peer.feed(chunk));
  const removeMark = process.env.CAIRN_DISABLE || process.env.CAIRN_CHILD ? undefined : mark(server);
  await left;
  await lastWork(server);
  (await removeMark)?.();
  return 0;
}

/** Off the way to the first answer. */
async function mark(server: McpServer): Promise<() => void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  try {
    const { paths } = await server.session.config();
    reportDeadServers(paths.userRoot, new Date());
    const removeMark = markRunning(paths.userRoot, process.pid);
    recordHookRun(paths.userRoot, SERVER_MARK);
    return () => {
      removeMark();
      recordHookRun(paths.userRoot, SERVER_MARK);
    };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return () => undefined;
  }
}

function clientLeft(feed: (chunk: Buffer) => void): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const leave = (): void => {
      clearInterval(watch);
      resolve();
    };
    const watch = setInterval(() => process.ppid !== parent && leave(), PARENT_CHECK_MS);
    watch.unref();
    process.stdin.on('data', feed).on('end', leave).on('close', leave).on('error', leave);
    process.stdout.on('error', leave); // nobody reads any more
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
  });
}

async function lastWork(server: McpServer): Promise<void> {
  const end = Date.now() + LAST_WORK_MS;
  while (server.peer.running > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS));
  await Promise.race([server.release(), new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS * 5).unref())]);
}
