// Finds what was put into a prompt from elsewhere: logs, traces of calls, output of commands, diffs, code without a fence, and documents that
// are announced ("here is the page:", <document>…</document>). Judged line by line, by the shape of lines and by what stands before them;
// the client pastes without a mark. A list, a plan or a long request that somebody wrote is none of it.

import type { Segment } from './injected-elements.ts';

const LOOKED_AT = 300;
/** So many lines of that shape make a paste, … */
const FEWEST_LINES = 3;
/** … with no more than so many others between two of them. */
const WIDEST_GAP = 3;
/** Of all lines in it that say something. */
const LEAST_SHARE = 0.5;
/** Lines of no shape between two runs that are still one paste; a heading or a list is somebody's own. */
const WIDEST_BRIDGE = 40;
const FRAME = /^\s*(?:at \S|File ")/;

/** What a machine prints: each by how a line begins, or what it is made of. */
const MACHINE: readonly RegExp[] = [
  /^\s*at (?:[\w$.<>[\] ]{1,120} ?\(|(?:https?|file|node|webpack|async):?\S|\S+:\d+|\w+$)/, // a frame of a stack
  /^\s*File "[^"\n]{1,200}", line \d+/,
  /^\s*(?:\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d)/, // a time
  /^\s*\[(?![ xX]\])[\w .:/@#-]{1,60}\](?:[: ]|$)/, // [API] GET /…, but no box to tick
  /^\s*(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|error|warn|info|debug)(?:\[[\w-]{1,20}\])?(?:[:|]| {2,})/,
  /^\s*(?:npm|yarn|pnpm|cargo|pip|docker|git)\s+(?:ERR!|error|WARN|notice)/,
  /^\s*(?:fatal|panic|error|warning|remote|stderr|stdout|Traceback|Caused by|Uncaught|Exception in)\b[^.\n]{0,40}:/i,
  /^\s*\w{0,40}(?:Error|Exception)(?: \[\w{1,60}\])?: /,
  /^(?:diff --git |index [0-9a-f]{6,}|@@ -\d|(?:---|\+\+\+) [ab]\/)/, // a diff
  /^\s*\d{1,6}:\d{1,5}\s{1,6}(?:error|warning|info)\b/, // a linter
  /^\s*[✓✔✖✗×√●○◯⚠❯›»]\s/u,
  /^\s*(?:PASS|FAIL|SKIP|ok|not ok|RUN|---\s(?:PASS|FAIL))\s+\S*[./]\S/,
  /^\s*(?:\$|%|#|>|PS [A-Z]:\\[^>]{0,80}>)\s+(?:[\w./@-]{1,60}@\d|(?:sudo|npm|npx|pnpm|yarn|git|docker|kubectl|cd|ls|cat|node|python3?|pip|cargo|go|make|curl|tsc|bun|orval|eslint|vitest|jest)\b)/,
  /^[\w.-]{1,40}@[\w.-]{1,60}[ :][^\n]{0,80}[%$#] /, // user@host folder %
  /^\s*(?:[\w@.-]{1,80}[\\/]){1,12}[\w@.-]{1,80}(?::\d+)*:?\s*$/, // nothing but a path
  /^\s*(?:[\w@.~-]{0,80}[\\/]){1,12}[\w@.-]{1,80}:\d+(?::\d+)?\b/, // src/a.ts:12:3
  /^\s*(?:const|let|var|import|export|function|class|def|return|public|private|static|fn|func|package|#include|using|SELECT|INSERT|UPDATE|CREATE)\b.{0,200}[;{(),=]\s*$/,
  /^\s*[)\]}]+[;,)]*\s*$/,
  /^\s*["'][\w$.@/-]{1,80}["']\s*:\s*\S/, // JSON
  /[;{]\s*$/,
  /^\s*<\/?[a-z][\w:-]{0,40}(?:\s[^<>\n]{0,200})?\/?>/i, // HTML
  /^\s*(?:[│┌└├─╭╰║╔╚]|\+-)/u,
  /^(?:HTTP\/\d|(?:GET|POST|PUT|DELETE|PATCH) \/\S)/,
  /^[\w-]{1,40}: (?:\S+\/\S+|\d[\d.,]*\w{0,3}|true|false|null|bytes)\s*$/,
];
/** Looks like a list, a heading or a sentence that somebody wrote; for the shapes above that would also fit it. */
const WRITTEN = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?!\d+ (?:error|warning))\S|^#{1,6}\s/;

/** A line of a diff; many people also write lists like that, so the diff must have said that it is one. */
const CHANGED = /^[+-](?![+-]{2})/;
const IS_DIFF = /^(?:diff --git |@@ -\d)/m;

/** Elements that hold a document, as prompts are written for models. */
const DOCUMENTS =
  /<(documents?|file|file_contents?|page|webpage|article|logs?|output|email|transcript|paste|pasted(?:_text|_content)?|quote|blockquote|pre|stack_?trace)(?:\s[^<>\n]{0,200})?>/gi;
const NOUN =
  '(?:web ?pages?|page|article|docs?|documentation|readme|blog(?: post)?|website|e-?mail|mail|message|slack(?: thread| message)?|thread|ticket|logs?|output|stack ?traces?|trace|errors?(?: messages?)?|response|release notes|changelog|transcript|reference|man ?page|wiki(?:pedia)?)';
const OF = '(?: (?:of|from|for|in|about|on|that|when|with|to) [^\\n:]{1,60})?';
/** Announces that what stands below is somebody else's: "here is the log from CI:", or "Output:" on a line of its own. */
const ANNOUNCED = new RegExp(
  `(?:\\b(?:here(?:'s| is| are)|below (?:is|are)|this is|these are|got|getting|get|see|i (?:found|copied|pasted)|from|quoting|according to) ` +
    `(?:(?:the|an?|this|these|those|some|my|our|its|their|official|full|whole|following|complete|latest|relevant|raw|current|console|server|build|test|api|error|github|pr|ci|runtime|vendor) ){0,5}` +
    `|^\\s*(?:the )?)${NOUN}${OF}[:：]\\s*$`,
  'i',
);
const SAYS_ABOVE =
  /\b(?:docs?|documentation|page|article|readme|website|site|blog(?: post)?|email|e-mail|ticket|release notes|changelog|wiki(?:pedia)?|man ?page|dokumentation|seite|artikel|page web|documentación|página)\b[^\n]{0,40}\b(?:sa(?:ys|id)|states?|reads?|recommends?|tells?|writes?|sagt|schreibt|dit|indique|dice)[^\n]{0,20}[:：]\s*$/i;

/** `code`: what stands in fences, in order. Who sets code apart has written what stands between. */
export function pastedText(text: string, code: readonly Segment[] = []): Segment[] {
  if (!text.includes('\n') && !text.includes('</')) return [];
  const lines = linesOf(text, IS_DIFF.test(text), code);
  return [...elements(text), ...announced(text, lines), ...bridged(lines, runs(text, lines))];
}

type Line = { readonly start: number; readonly end: number; readonly kind: 'blank' | 'machine' | 'written' | 'other' };

function linesOf(text: string, isDiff: boolean, code: readonly Segment[]): Line[] {
  const lines: Line[] = [];
  let next = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    while (next < code.length && code[next]!.end < start) next += 1;
    const isCode = next < code.length && code[next]!.start <= start;
    const kind = isCode ? 'written' : kindOf(text.slice(start, Math.min(end, start + LOOKED_AT)), isDiff);
    lines.push({ start, end, kind });
    start = end + 1;
  }
  return lines;
}

function kindOf(line: string, isDiff: boolean): Line['kind'] {
  if (line.trim() === '') return 'blank';
  if (isDiff && CHANGED.test(line)) return 'machine';
  return isMachineLine(line) ? 'machine' : WRITTEN.test(line) ? 'written' : 'other';
}

function isMachineLine(line: string): boolean {
  return !WRITTEN.test(line) && MACHINE.some((shape) => shape.test(line));
}

/** Machine lines with little else between them. What leads into the first, on the same line, is not part of it. */
function runs(text: string, lines: readonly Line[]): Segment[] {
  const found: Segment[] = [];
  for (let first = 0; first < lines.length; first += 1) {
    if (lines[first]!.kind !== 'machine') continue;
    let [last, machine, others, gap] = [first, 1, 0, 0];
    for (let at = first + 1; at < lines.length && gap <= WIDEST_GAP; at += 1) {
      const { kind } = lines[at]!;
      if (kind === 'machine') {
        machine += 1;
        others += gap;
        gap = 0;
        last = at;
      } else if (kind !== 'blank') gap += 1;
    }
    if (machine >= FEWEST_LINES - 1 && machine >= LEAST_SHARE * (machine + others)) {
      const { start, isGlued } = startOf(text, lines, first);
      if (machine + (isGlued ? 1 : 0) >= FEWEST_LINES) found.push({ start, end: endOf(text, lines, last) });
    }
    first = last;
  }
  return found;
}

/** What was printed at once is pasted at once: a few lines of no shape between two runs belong to them. */
function bridged(lines: readonly Line[], found: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  let at = 0;
  for (const run of found) {
    const before = joined.at(-1);
    let between = 0;
    while (at < lines.length && lines[at]!.start < run.start) {
      const { start, kind } = lines[at]!;
      if (before && start >= before.end) between += kind === 'written' ? WIDEST_BRIDGE + 1 : kind === 'blank' ? 0 : 1;
      at += 1;
    }
    if (before && between <= WIDEST_BRIDGE) joined[joined.length - 1] = { start: before.start, end: run.end };
    else joined.push(run);
  }
  return joined;
}

/** Lines that are drawn in, directly below, go on with the last one. */
function endOf(text: string, lines: readonly Line[], last: number): number {
  let at = last;
  while (lines[at + 1]?.kind === 'other' && /^\s/.test(text.slice(lines[at + 1]!.start, lines[at + 1]!.start + 2)))
    at += 1;
  return lines[at]!.end;
}

/** "It fails with this: [API] GET /jobs": the line before a run often ends in the first line of it. */
function startOf(text: string, lines: readonly Line[], first: number): { start: number; isGlued: boolean } {
  const before = lines[first - 1];
  const { start, end } = lines[first]!;
  if (before?.kind !== 'other') return { start, isGlued: false };
  const line = text.slice(before.start, Math.min(before.end, before.start + 4 * LOOKED_AT));
  for (const { index, 0: border } of line.matchAll(/[:.?!]\s+/g)) {
    const rest = line.slice(index + border.length);
    if (rest !== '' && isMachineLine(rest.slice(0, LOOKED_AT)))
      return { start: before.start + index + border.length, isGlued: true };
  }
  // The message stands above its trace; the first line of a prompt is the user's.
  const isMessage = first > 1 && FRAME.test(text.slice(start, Math.min(end, start + LOOKED_AT)));
  return { start: isMessage ? before.start : start, isGlued: false };
}

/** From an announcement to the end of what it announces: all that follows, up to a paragraph that speaks to the reader again. */
function announced(text: string, lines: readonly Line[]): Segment[] {
  for (const [at, line] of lines.entries()) {
    const said = text.slice(Math.max(line.start, line.end - LOOKED_AT), line.end);
    const heading = /[:：]\s+(?=#{1,6}\s)/.exec(said); // "Here is the doc: # Parameters"
    const lead = heading ? said.slice(0, heading.index + 1) : said;
    if (!/[:：]\s*$/.test(lead) || !(ANNOUNCED.test(lead) || SAYS_ABOVE.test(lead))) continue;
    if (heading) return [{ start: line.end - said.length + lead.length, end: endOfAnnounced(text, lines, at) }];
    const end = endOfAnnounced(text, lines, at);
    return end > line.end ? [{ start: line.end + 1, end }] : [];
  }
  return [];
}

/** A last paragraph that asks or orders is the user's again. */
const OWN_AGAIN =
  /^(?:please|can you|could you|so\b|now\b|let'?s|fix|why|what|how|do you|is (?:this|it|that)|should|i (?:want|need|think|would)|we (?:should|need|want)|what's)\b/i;

function endOfAnnounced(text: string, lines: readonly Line[], at: number): number {
  let end = lines.length - 1;
  while (end > at && lines[end]!.kind === 'blank') end -= 1;
  let first = end;
  while (first - 1 > at && lines[first - 1]!.kind !== 'blank') first -= 1;
  const isLast = first - 1 > at && lines[first]!.kind !== 'machine';
  if (isLast && OWN_AGAIN.test(text.slice(lines[first]!.start, lines[first]!.start + 60).trim())) {
    end = first - 1;
    while (end > at && lines[end]!.kind === 'blank') end -= 1;
  }
  return lines[end]!.end;
}

function elements(text: string): Segment[] {
  if (!text.includes('</')) return [];
  const found: Segment[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const match of text.matchAll(DOCUMENTS)) {
    const name = match[1]!.toLowerCase();
    if (match.index < from || unclosed.has(name)) continue;
    const inner = match.index + match[0].length;
    const close = text.indexOf(`</${match[1]!}>`, inner);
    if (close === -1) {
      unclosed.add(name);
      continue;
    }
    found.push({ start: inner, end: close });
    from = close;
  }
  return found;
}
