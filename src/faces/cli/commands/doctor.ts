// `cairn doctor`: one page about how Cairn is, with what to do about what is not well. Exit 0: all is well; 1: something needs attention.

import fs from 'node:fs';
import type { Command } from 'commander';
import { type ArchiveReport, verifyArchive } from '../../../app/archive.ts';
import { examine, type Finding, lastSigns } from '../../../app/doctor.ts';
import { conversationWithoutServer } from '../../../app/hook-activity.ts';
import { missedText } from '../../../app/hooks/blocking-problems.ts';
import { ClaudeClient, findProgram } from '../../../app/install/claude-client.ts';
import { packageLocation } from '../../../app/install/package-location.ts';
import { pluginChanges, pluginFolder, registeredProgram, registeredWay } from '../../../app/install/plugin-files.ts';
import { type SelfTestStep, selfTest } from '../../../app/install/self-test.ts';
import { leftBehind } from '../../../app/left-behind.ts';
import { type Config, isTrusted, loadConfig, warningText } from '../../../config/load.ts';
import { CairnError, messageOf } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { version } from '../../../version.ts';
import { onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { megabytes, progressBar } from '../progress.ts';

type Options = { json?: true; selfTest?: true; archive?: true; database?: true };

/** Settings that do not exist, of which so many are named. */
const SHOWN_KEYS = 5;
export function doctorCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('doctor')
    .description('Look Cairn over: versions, places, hooks, captures, index, database, model, disk')
    .option('--self-test', 'send a synthetic conversation through every hook, in a temporary home')
    .option('--database', 'read all of the database, however large it is (one below 200 MB always is)')
    .option('--archive', 'read every archived conversation to its end and compare it with its checksums')
    .option('--json', 'print data instead of text')
    .action(async (options: Options) => {
      const config = loadConfig({ cwd: io.cwd, env: io.env });
      const now = new Date();
      if (options.archive) {
        done(await checkArchive(io, config, options));
        return;
      }
      const findings = [
        ...(await versionsOf(io, config)),
        ...settingsOf(config, io.env),
        trustFinding(config),
        ...leftBehind(config, now),
        ...(await examine(config, { env: io.env, now: () => now, wholeDatabase: options.database === true })),
      ];
      const signs = lastSigns(config);
      const steps = options.selfTest ? await selfTest(packageLocation().program, io.env) : [];
      const well = findings.every(({ level }) => level !== 'attention') && steps.every(({ ok }) => ok);
      if (options.json) {
        const last = signs.map(({ event, at, way }) => ({
          event,
          at: at?.toISOString() ?? null,
          ...(way ? { way } : {}),
        }));
        io.out(JSON.stringify({ well, findings, last, ...(options.selfTest ? { self_test: steps } : {}) }));
      } else io.out([...page(findings, signs, now), ...stepLines(steps), '', verdict(findings, steps)].join('\n'));
      done(well ? 0 : 1);
    });
}

/** Only this: it may take minutes, and says all that is wrong instead of the first. */
async function checkArchive(io: Io, config: Config, { json, selfTest: both }: Options): Promise<number> {
  if (both)
    throw new CairnError('USAGE_ERROR', '--archive looks at the archive, --self-test at the hooks.', {
      fix: 'Use one of the two.',
    });
  const bar = progressBar();
  const interrupt = onInterrupt(() => io.err('Stopping …'));
  try {
    const report = await verifyArchive(config, { onProgress: bar.update, stopped: interrupt.stopped });
    bar.end();
    if (json) io.out(JSON.stringify(report));
    else io.out(archiveText(report));
    return interrupt.stopped() ? INTERRUPTED : report.damaged.length > 0 ? 1 : 0;
  } finally {
    bar.end();
    interrupt.release();
  }
}

function archiveText({ conversations, generations, lines, bytes, unsummed, damaged, finished }: ArchiveReport): string {
  const more = generations > 0 ? ` and ${plural(generations, 'earlier generation')} of them` : '';
  return [
    ...damaged.flatMap(({ file, why, only, fix }) => [
      `! ${stripUnsafe(why.includes(file) ? why : `${file}: ${why}`)}${only ? ' There is no transcript to read it from.' : ''}`,
      `  → ${stripUnsafe(fix)}`,
    ]),
    `${plural(conversations, 'conversation')}${more} verified: ${plural(lines, 'line')}, ${megabytes(bytes)} packed`,
    ...(unsummed > 0
      ? [`${unsummed} of them have no checksum of their own yet (an older Cairn wrote them): gzip's was compared`]
      : []),
    ...(finished ? [] : ['Stopped before the end.']),
    damaged.length === 0
      ? 'All that was read is as it was written.'
      : `${damaged.length} could not be verified (marked !).`,
  ].join('\n');
}

const INTERRUPTED = 130;
const MARKS = { ok: ' ', note: '·', attention: '!' } as const;

function page(findings: readonly Finding[], signs: ReturnType<typeof lastSigns>, now: Date): string[] {
  const width = Math.max(...findings.map(({ area }) => area.length));
  const lines = findings.flatMap(({ area, level, text, fix }) => [
    `${MARKS[level]} ${area.padEnd(width)}  ${stripUnsafe(text.replace(/\s*[\r\n]+\s*/g, ' '))}`,
    ...(fix && level !== 'ok' ? [`  ${' '.repeat(width)}  → ${stripUnsafe(fix)}`] : []),
  ]);
  const last = signs.map(({ event, at, way }) => {
    const when = at ? `${at.toISOString()} (${ago(at, now)}${way === 'warm' ? ', by the server' : ''})` : 'never yet';
    return `  ${event.padEnd(28)}  ${when}`;
  });
  return [...lines, '', 'Last success of each hook, and the last that they left behind', ...last];
}

function ago(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.round((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
}

const stepLines = (steps: readonly SelfTestStep[]): string[] =>
  steps.length === 0
    ? []
    : [
        '',
        'Self-test',
        ...steps.map(({ name, ok, text }) => `${ok ? ' ' : '!'} ${name.padEnd(46)}  ${stripUnsafe(text)}`),
      ];

function verdict(findings: readonly Finding[], steps: readonly SelfTestStep[]): string {
  const count = findings.filter(({ level }) => level === 'attention').length + steps.filter(({ ok }) => !ok).length;
  return count === 0 ? 'All is well.' : `${count} ${count === 1 ? 'thing needs' : 'things need'} attention (marked !).`;
}

async function versionsOf(io: Io, config: Config): Promise<Finding[]> {
  const own: Finding = {
    area: 'versions',
    level: 'ok',
    text: `cairn ${version}, node ${process.versions.node}, ${process.platform} ${process.arch}`,
  };
  const file = findProgram('claude', io.env);
  if (!file)
    return [
      own,
      {
        area: 'hooks',
        level: 'note',
        text: 'there is no `claude` on the PATH to ask',
        fix: '`cairn install` says what to run.',
      },
    ];
  try {
    const claude = new ClaudeClient(file, { env: io.env, cwd: config.paths.projectRoot });
    const client: Finding = { area: 'client', level: 'ok', text: `claude ${await claude.version()} at ${file}` };
    return [own, client, ...hooksOf(config, await claude.registered())];
  } catch (error) {
    return [own, { area: 'client', level: 'attention', text: `${file} cannot be asked: ${messageOf(error)}` }];
  }
}

type Registered = Awaited<ReturnType<ClaudeClient['registered']>>;

function hooksOf({ paths }: Config, registered: Registered): Finding[] {
  const again = 'Run `cairn install` again.';
  const here = registered.filter(
    ({ enabled, projectPath }) => enabled && (projectPath === undefined || projectPath === paths.projectRoot),
  );
  if (here.length === 0) {
    const text =
      registered.length > 0 ? 'the plugin is installed but switched off here' : 'the plugin is not installed';
    return [{ area: 'hooks', level: 'attention', text, fix: 'Run `cairn install`.' }];
  }
  const folder = pluginFolder(paths.userRoot);
  const scopes = here.map(({ scope }) => scope).join(', ');
  const program = registeredProgram(folder);
  if (program === undefined)
    return [{ area: 'hooks', level: 'ok', text: `registered (${scopes}), not from ${folder}` }];
  if (!fs.existsSync(program))
    return [{ area: 'hooks', level: 'attention', text: `they start ${program}, which is gone`, fix: again }];
  const way = registeredWay(folder);
  const outdated = pluginChanges(packageLocation(), folder, way).length;
  if (outdated > 0)
    return [
      { area: 'hooks', level: 'attention', text: `${outdated} files of the plugin are of another version`, fix: again },
    ];
  const missed = way === 'warm' ? conversationWithoutServer(paths.userRoot) : undefined;
  return [
    { area: 'hooks', level: 'ok', text: `registered (${scopes}), ${way}` },
    ...(missed ? [{ area: 'server', level: 'attention' as const, text: missedText(missed) }] : []),
  ];
}

function settingsOf(config: Config, env: NodeJS.ProcessEnv): Finding[] {
  const wrong = config.warnings.map(
    (each): Finding => ({ area: 'settings', level: 'attention', text: warningText(each) }),
  );
  const off: Finding[] = config.disabled
    ? [
        {
          area: 'settings',
          level: 'note',
          text: `hooks are switched off by ${env.CAIRN_DISABLE ? 'CAIRN_DISABLE' : 'CAIRN_CHILD'}`,
        },
      ]
    : [];
  const strange = config.unknown
    .slice(0, SHOWN_KEYS)
    .map(
      ({ file, key }): Finding => ({ area: 'settings', level: 'note', text: `${file}: ${key} means nothing to Cairn` }),
    );
  return wrong.length + off.length + strange.length > 0
    ? [...wrong, ...off, ...strange]
    : [{ area: 'settings', level: 'ok', text: 'no mistakes in them' }];
}

const TRUST: { readonly [state in Config['trust']['state']]: string } = {
  agreed: 'you agreed to the memory of this project, or it was founded here',
  own: 'the memory of this folder counts as yours (`trust`)',
  new: 'this project has no memory yet',
  untrusted: 'the memory of this project came with the repository; nothing of it is injected',
};

function trustFinding({ trust }: Config): Finding {
  if (isTrusted(trust)) return { area: 'trust', level: 'ok', text: TRUST[trust.state] };
  return { area: 'trust', level: 'note', text: TRUST.untrusted, fix: 'Look at it and decide: cairn trust' };
}
