// The part of a subagent's report that is worth keeping: its first paragraphs, headings and lists, with a summary first
// where a long report has one at its end. What the client adds around a report is no part of it.

const MAX_INSIGHT = 2_400;
const MAX_BLOCK = 900;
const MAX_LIST = 12;
const MAX_CODE = 8;

const SUMMARY =
  /^(?:#{1,6}\s*|\*\*)?(?:\d+[.)]\s*)?(?:executive |final )?(?:summary|key (?:findings?|insights?|points?)|findings?|conclusions?|answer|results?|recommendations?|tl;?dr)\b/i;
const HEADING = /^#{1,6}\s|^\*\*[^*\n]{1,80}\*\*:?(?:\n|$)/;

export function insightOf(report: string): string {
  const blocks = blocksOf(withoutWrapping(report));
  const total = blocks.reduce((sum, block) => sum + block.length + 2, 0);
  const ordered = total > MAX_INSIGHT ? summaryFirst(blocks) : blocks;
  const kept: string[] = [];
  let length = 0;
  for (const block of ordered) {
    const short = total > MAX_INSIGHT ? shortBlock(block) : block;
    if (length + short.length > MAX_INSIGHT) {
      if (kept.length === 0) kept.push(short.slice(0, MAX_INSIGHT));
      break;
    }
    kept.push(short);
    length += short.length + 2;
  }
  while (kept.length > 1 && HEADING.test(kept.at(-1)!) && !kept.at(-1)!.includes('\n')) kept.pop(); // a heading of nothing
  return `${kept.join('\n\n')}${kept.length < ordered.length ? '\n\n…' : ''}`.trim();
}

/** Reminders and numbers that the client puts around a report. */
function withoutWrapping(report: string): string {
  let text = report.replace(/\r\n?/g, '\n');
  for (const tag of ['system-reminder', 'usage', 'task-notification', 'memory-context'])
    text = withoutElement(text, tag);
  return text
    .split('\n')
    .filter((line) => !/^\s*agentId:\s*\w+/.test(line))
    .join('\n');
}

function withoutElement(text: string, tag: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(`<${tag}`, from);
    if (start === -1) break;
    parts.push(text.slice(from, start));
    const end = text.indexOf(`</${tag}>`, start);
    if (end === -1) return parts.join('');
    from = end + tag.length + 3;
  }
  return parts.join('') + text.slice(from);
}

/** Paragraphs, lists and whole code blocks. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  const close = (): void => {
    const block = current.join('\n').trim();
    if (block !== '') blocks.push(block);
    current = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) {
      close();
      fence = mark;
    } else if (fence !== undefined && mark?.startsWith(fence)) {
      current.push(line);
      fence = undefined;
      close();
      continue;
    }
    if (fence === undefined && line.trim() === '') close();
    else current.push(line.trimEnd());
  }
  close();
  return blocks;
}

/** The section that sums it up comes first, with its heading. */
function summaryFirst(blocks: readonly string[]): string[] {
  const start = blocks.findIndex((block) => HEADING.test(block) && SUMMARY.test(block));
  if (start <= 0) return [...blocks];
  const next = blocks.findIndex((block, at) => at > start && /^#{1,6}\s/.test(block));
  const end = next === -1 ? blocks.length : next;
  return [...blocks.slice(start, end), ...blocks.slice(0, start), ...blocks.slice(end)];
}

function shortBlock(block: string): string {
  const lines = block.split('\n');
  const isCode = /^\s{0,3}(?:`{3,}|~{3,})/.test(lines[0]!);
  if (isCode && lines.length > MAX_CODE + 2) return [...lines.slice(0, MAX_CODE + 1), '…', lines.at(-1)!].join('\n');
  const isList = /^\s*(?:[-*+]|\d+[.)])\s/.test(lines[0]!);
  if (isList && lines.length > MAX_LIST) return [...lines.slice(0, MAX_LIST), '- …'].join('\n');
  if (isCode || block.length <= MAX_BLOCK) return block;
  const cut = block.lastIndexOf(' ', MAX_BLOCK);
  return `${block.slice(0, cut > MAX_BLOCK / 2 ? cut : MAX_BLOCK)}…`;
}
