// The log of injections for the viewer: page by page, with the titles of the memories that were injected.

import { sameScopesIn } from '../app/project-scopes.ts';
import { rehearsePrompt } from '../app/rehearse-prompt.ts';
import { CairnError } from '../errors.ts';
import { learnedAbout, readFeedback } from '../learning/feedback.ts';
import { type Injection, readInjections } from '../learning/injection-log.ts';
import { contentHash } from '../model/hash.ts';
import { readable } from '../model/readable.ts';
import { exchangeFields } from '../model/span-fields.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { Document } from '../store/store.ts';
import type { View } from './viewer.ts';

export type InjectionsWanted = {
  readonly ref?: string;
  readonly project?: string;
  readonly session?: string;
  readonly day?: string;
  /** Also prompts that got nothing. */
  readonly silent?: boolean;
  readonly limit: number;
  readonly cursor?: string;
};

type SameScopes = ReturnType<typeof sameScopesIn>;

/** So much of the log is looked through for one page; a line is a few hundred bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const DAY_MS = 86_400_000;

export async function injectionsOf(view: View, wanted: InjectionsWanted) {
  const after = wanted.cursor === undefined ? undefined : placeOf(wanted.cursor);
  const page: Injection[] = [];
  let [more, injections, tokens] = [false, 0, 0];
  // Several of one moment are told apart by their content, so that a page neither repeats nor loses one.
  let passed = after === undefined;
  const same = sameScopesIn(view.config);
  for (const injection of readInjections(view.config.paths.userRoot, { maxBytes: MAX_BYTES })) {
    if (wanted.day !== undefined && isBefore(injection, wanted.day)) break;
    if (!fits(injection, wanted, same)) continue;
    injections++;
    tokens += injection.tokens;
    if (!passed) {
      if (injection.time < after!.time) passed = true;
      else {
        passed = injection.time === after!.time && nameOf(injection) === after!.name;
        continue;
      }
    }
    if (page.length < wanted.limit) page.push(injection);
    else more = true;
  }
  const last = page.at(-1);
  return {
    injections: await withTitles(view, page),
    silent: wanted.silent ? await silentAmong(view, page) : [],
    next: more && last ? `${last.time}|${nameOf(last)}` : null,
    total: { injections, tokens },
  };
}

function placeOf(cursor: string): { time: string; name: string } {
  const [time = '', name = ''] = cursor.split('|');
  if (Number.isNaN(Date.parse(time)) || name === '')
    throw new CairnError('USAGE_ERROR', 'The cursor is none of ours.', { fix: 'Begin with the first page again.' });
  return { time, name };
}

const nameOf = (injection: Injection): string => contentHash(JSON.stringify(injection)).slice(0, 16);

/** Two processes may write a moment out of order; a day further back nothing of the day can come. */
const isBefore = ({ time }: Injection, day: string): boolean =>
  Date.parse(time) < new Date(`${day}T00:00:00`).getTime() - DAY_MS;

function fits(injection: Injection, { ref, project, session, day }: InjectionsWanted, same: SameScopes): boolean {
  if (session !== undefined && injection.session !== session) return false;
  if (day !== undefined && localDay(new Date(injection.time)) !== day) return false;
  if (ref === undefined) return true;
  return injection.entries.some(
    (each) => each.ref === ref && (project === undefined || same(project).includes(each.project)),
  );
}

export async function withTitles({ store, config }: View, injections: readonly Injection[]) {
  const same = sameScopesIn(config);
  const feedback = readFeedback(config.paths.userRoot);
  const entries = injections.flatMap((each) => each.entries);
  const projects = [...new Set(entries.flatMap(({ project }) => same(project)))];
  const found =
    entries.length === 0 ? [] : await store.get({ refs: [...new Set(entries.map(({ ref }) => ref))], projects });
  const known = new Map<string, Document>(found.map((each) => [`${each.project}\0${each.ref}`, each]));
  return injections.map(({ time, event, session, project, prompt, tokens, entries: own }) => ({
    at: Date.parse(time),
    event: stripUnsafe(event),
    session,
    project,
    prompt: stripUnsafe(prompt.start),
    tokens,
    entries: own.map((entry) => {
      const named = [entry.project, ...same(entry.project)].map((scope) => known.get(`${scope}\0${entry.ref}`));
      const document = named.find((each) => each !== undefined);
      return {
        ref: entry.ref,
        project: document?.project ?? entry.project,
        title: document ? document.title || document.text.slice(0, 120) : null,
        layer: document?.layer ?? null,
        kind: document?.kind ?? null,
        score: entry.score,
        relevance: entry.relevance,
        ranks: entry.why.map(({ strategy, rank }) => ({ strategy, rank })),
        tokens: entry.tokens,
        line: entry.line === undefined ? null : stripUnsafe(entry.line),
        verdict: (document && learnedAbout(feedback, document.project, entry.ref)?.verdict) ?? null,
      };
    }),
  }));
}

/** A hook runs a moment before the prompt is written down. */
const SAME_PROMPT_MS = 120_000;
const MOST_SILENT = 200;

/** Prompts of the same conversations, in the same time, to which nothing was told. */
async function silentAmong({ store }: View, page: readonly Injection[]) {
  const sessions = [...new Set(page.flatMap(({ session }) => session ?? []))];
  const times = page.map(({ time }) => Date.parse(time));
  if (sessions.length === 0) return [];
  const { documents } = await store.list({
    filter: { layers: ['trace'], kinds: ['span'], sessions, since: Math.min(...times) - SAME_PROMPT_MS },
    order: 'newest',
    limit: MOST_SILENT,
  });
  return documents.flatMap(({ ref, project, session, createdAt, meta }) => {
    const asked = exchangeFields(meta)?.asked ?? '';
    const isTold = page.some(
      (each) => each.session === session && Math.abs(Date.parse(each.time) - createdAt) < SAME_PROMPT_MS,
    );
    return asked === '' || isTold
      ? []
      : [{ ref, project, session: session ?? null, at: createdAt, prompt: cutCodePoints(readable(asked), 200) }];
  });
}

/** What would be told to a prompt now; nothing is recorded. */
export async function rehearse(view: View, prompt: string) {
  const start = performance.now();
  const { silent, text, tokens, told, missed } = await rehearsePrompt(view.config, prompt, {
    now: view.now,
    model: () => view.recall.embedder(),
  });
  const brief = ({ ref, project, layer, kind, title, text: said }: (typeof missed)[number]['result']) => ({
    ...{ ref, project, layer, kind },
    title: layer === 'trace' && kind !== 'span' ? cutCodePoints(readable(said), 240) : title,
  });
  const known = new Map((await view.store.get({ refs: told.map(({ ref }) => ref) })).map((each) => [each.ref, each]));
  return {
    silent,
    text,
    tokens,
    told: told.map((each) => {
      const document = known.get(each.ref);
      return {
        ...each,
        layer: document?.layer ?? '',
        kind: document?.kind ?? '',
        title: document ? document.title || document.text.slice(0, 240) : each.ref,
      };
    }),
    missed: missed.map(({ result, why, likelihood }) => ({ ...brief(result), why, likelihood })),
    tookMs: Math.round(performance.now() - start),
  };
}

/** How often a memory was injected, and the last times. */
export async function injectedOf(view: View, { ref, project }: { ref: string; project: string }, most: number) {
  let times = 0;
  const same = sameScopesIn(view.config);
  const last: Injection[] = [];
  for (const injection of readInjections(view.config.paths.userRoot, { maxBytes: MAX_BYTES })) {
    if (!fits(injection, { ref, project, limit: most }, same)) continue;
    times++;
    if (last.length < most) last.push(injection);
  }
  return { times, last: await withTitles(view, last) };
}
