// Cleans text that comes from people, models and files before it is stored, written into index.md or shown to a model.
// Two attacks matter: characters nobody can see (control, zero-width, bidi, tag characters) that carry hidden orders,
// and the markers of our own formats (` -> `, `#tags:`, XML tags) that would let one field pose as another.

import { cutCodePoints, LINE_BREAK, stripUnsafe } from '../model/text.ts';

const TAGS_MARKER = '#tags:';

/** A title as it is stored: one line, no index markers, trimmed. The length is the validator's business. */
export function cleanTitle(text: string): string {
  return replaceArrows(removeTagsMarker(stripUnsafe(text)), '-').trim();
}

/** A tag as it is stored: lower case, one space between words, nothing that ends a tag or a tag list. */
export function cleanTag(text: string): string {
  const words = removeTagsMarker(stripUnsafe(text).toLowerCase().replaceAll(',', ' '));
  return replaceArrows(words, ' ').replace(/\s+/g, ' ').trim();
}

/** Escapes for XML text and for attribute values in double quotes. */
export function escapeXml(text: string): string {
  return escapeMarkup(text).replaceAll('"', '&quot;');
}

/** A title for a line inside `<memory-context>`. Cut before escaping, so that no entity is ever split. */
export function titleForPrompt(text: string): string {
  // The cut can leave a bare arrow or a space at the end, hence the second cleaning.
  return escapeXml(cleanTitle(cutCodePoints(cleanTitle(text))));
}

/** A tag for a line inside `<memory-context>`. */
export function tagForPrompt(text: string): string {
  return escapeXml(cleanTag(cutCodePoints(cleanTag(text), 60)));
}

/** A line quoted from a conversation in the triage message. Quotes stay readable: it never stands in an attribute. */
export function snippetForPrompt(text: string): string {
  const line = stripUnsafe(text.replace(LINE_BREAK, ' ')).replaceAll('`', '').trim();
  return escapeMarkup(cutCodePoints(line).trimEnd());
}

/**
 * Makes it impossible for `text` to open or close `<tagName>`, and leaves all other markup as it was. Blanks, slashes
 * and invisible characters are looked through, because a model reads `< /memory-context >` as the closing tag too.
 */
export function neutraliseTag(text: string, tagName: string): string {
  const letters = Array.from(tagName, (letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&'));
  const name = letters.join('[\\p{Cc}\\p{Cf}]*');
  const lead = '<(?=[\\s\\p{Cc}\\p{Cf}/\\\\]*';
  return text.replace(new RegExp(`${lead}${name}(?![\\p{L}\\p{N}_-]))`, 'giu'), '&lt;');
}

/** Escapes for XML text: no tag can be opened or closed. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * An arrow between blanks (or at an edge, where the index line supplies the blank) separates title and path. The blank
 * may be any white space, since readers of the index split on `\s`.
 */
function replaceArrows(text: string, by: string): string {
  return text.includes('->') ? text.replace(/(?<=^|\s)->(?=\s|$)/g, by) : text;
}

/** Removes the marker until none is left, in one pass: `#ta#tags:gs:` must not become `#tags:`. */
function removeTagsMarker(text: string): string {
  if (!text.toLowerCase().includes(TAGS_MARKER)) return text;
  const kept: string[] = [];
  for (let i = 0; i < text.length; i += 1) {
    kept.push(text[i]!);
    if (text[i] === ':' && kept.slice(-TAGS_MARKER.length).join('').toLowerCase() === TAGS_MARKER) {
      kept.length -= TAGS_MARKER.length;
    }
  }
  return kept.join('');
}
