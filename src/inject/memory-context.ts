// Found memories → the `<memory-context>` block that a prompt is given. Everything in it comes from files that anybody
// may have written, so nothing in it can close the block, forge a line or grow past what the client takes.

import { stripUnsafe } from '../model/text.ts';
import { escapeXml, tagForPrompt, titleForPrompt } from '../safety/sanitise.ts';

export type ContextEntry = {
  readonly display: string;
  readonly title: string;
  readonly path: string;
  readonly tags: readonly string[];
};

export type ContextOptions = {
  /** The memory root as people name it, with a slash at its end. */
  readonly source?: string;
  /** What the categories are for, by name. */
  readonly descriptions?: { readonly [category: string]: string };
  readonly maxCharacters?: number;
};

/** The client cuts injected text off at 10,000 characters and shows a file name instead. */
const MAX_CHARACTERS = 9_900;
/** Descriptions explain; they must leave room for what they explain. */
const DESCRIPTIONS_SHARE = 0.5;
const CLOSING = '</memory-context>\n';

/** The block, with a line break at its end; empty if there is nothing to show. */
export function memoryContext(entries: readonly ContextEntry[], options: ContextOptions = {}): string {
  const max = options.maxCharacters ?? MAX_CHARACTERS;
  const source = escapeXml(stripUnsafe(options.source ?? '.claude/memory/'));
  const opening = `<memory-context source="${source}"${descriptionsAttribute(options.descriptions ?? {}, max)}>\n`;
  let left = max - opening.length - CLOSING.length;
  const lines: string[] = [];
  for (const entry of entries) {
    const line = lineOf(entry, left);
    if (line === undefined) continue;
    lines.push(line);
    left -= line.length;
  }
  return lines.length === 0 ? '' : opening + lines.join('') + CLOSING;
}

/** The line without its tags if they do not fit, and no line if that does not fit either. */
function lineOf(entry: ContextEntry, room: number): string | undefined {
  const head = `- [${escapeXml(stripUnsafe(entry.display))}] ${titleForPrompt(entry.title)}`;
  const line = `${head} -> ${escapeXml(stripUnsafe(entry.path))}`;
  const tags = [...new Set(entry.tags.map(tagForPrompt))].filter((tag) => tag !== '').sort(compareText);
  const tagged = tags.length === 0 ? `${line}\n` : `${line} #tags:${tags.join(',')}\n`;
  if (tagged.length <= room) return tagged;
  return line.length < room ? `${line}\n` : undefined;
}

function descriptionsAttribute(descriptions: { readonly [category: string]: string }, max: number): string {
  const parts: string[] = [];
  let left = Math.floor(max * DESCRIPTIONS_SHARE) - ' descriptions=""'.length;
  for (const name of Object.keys(descriptions).sort(compareText)) {
    const text = titleForPrompt(descriptions[name] ?? '');
    const part = `${escapeXml(stripUnsafe(name))}=${text}`;
    if (text === '' || part.length + 2 > left) continue;
    parts.push(part);
    left -= part.length + 2;
  }
  return parts.length === 0 ? '' : ` descriptions="${parts.join('; ')}"`;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
