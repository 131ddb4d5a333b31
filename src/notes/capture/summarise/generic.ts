// Any other text: the comment at its top, lines that look like definitions in one language or another, sections of
// settings files. It knows nothing for certain and promises little, in linear time.

import { Collector, type Extract } from './extract.ts';
import { commentLines, paragraphsOf, purposeText, sentenceOf, tidySignature } from './prose.ts';

const COMMENT = /^\s*(?:\/\/|#(?!include|define|if|endif|else|\[)|--(?!>)|;|%|\*|\/\*|<!--|'''|""")/;
const DEFINITION =
  /^(?<indent>\s{0,8})(?:@\w+\s+)?(?:(?:export|pub|public|protected|internal|open|override|static|final|abstract|sealed|data|async|partial|inline|local|virtual|suspend|case|default|unsafe|extern)\s+){0,6}(?<kind>function|func|fun|fn|def|defp|defmodule|class|interface|trait|struct|enum|module|namespace|object|record|type|protocol|extension|actor|sub|procedure|proc|mixin|service|message|rpc|resource|variable|theorem|lemma)\s+(?<name>["']?[\p{L}_][\p{L}\p{N}_.:$-]*)/u;
const SQL =
  /^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(?:table|view|function|procedure|index|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`[\]]+)/i;
const SHELL_FUNCTION = /^\s{0,4}(?<name>[\w:-]+)\s*\(\)\s*\{?\s*$/;
const SECTION = /^\s*\[{1,2}(?<name>[^[\]=]{1,80})\]{1,2}\s*$/;
const TOP_KEY = /^(?<name>[A-Za-z_][\w .-]{0,60}):(?:\s|$)/;
const MAX_LINE = 1_000;

export function extractGeneric(text: string): Extract {
  const lines = text.split('\n').map((line) => line.slice(0, MAX_LINE));
  const found = new Collector();
  const keys: [string, number][] = [];
  let comment: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (found.full) break;
    if (COMMENT.test(line)) {
      if (comment.length < 100) comment.push(line);
      continue;
    }
    const match = DEFINITION.exec(line) ?? SQL.exec(line) ?? SHELL_FUNCTION.exec(line) ?? SECTION.exec(line);
    const name = match?.groups?.name;
    if (name) {
      const doc = sentenceOf(paragraphsOf(commentLines(comment.join('\n'))).at(-1) ?? '');
      const isTop = (match.groups!.indent ?? '').length === 0;
      found.define({
        name,
        signature: tidySignature(signatureOf(line)),
        line: at + 1,
        exported: isTop,
        ...(doc ? { doc } : {}),
      });
    } else if (keys.length < 100) {
      const key = TOP_KEY.exec(line)?.groups?.name;
      if (key) keys.push([key, at + 1]);
    }
    comment = [];
  }
  const extract = found.extract(purposeOf(lines));
  if (extract.definitions.length > 0) return extract;
  for (const [name, line] of keys) found.define({ name, signature: name, line, exported: true });
  return found.extract(extract.purpose);
}

function signatureOf(line: string): string {
  const body = line.search(/\s*(?:\{|=>|\bdo\s*$|:\s*$)/);
  return (body > 0 ? line.slice(0, body) : line).trim().replace(/\s*\($/, '');
}

/** The comment at the top, else the first lines that read like a sentence. */
function purposeOf(lines: readonly string[]): string {
  const header: string[] = [];
  let isText = false;
  for (const line of lines.slice(0, 60)) {
    if (line.startsWith('#!') || (header.length === 0 && line.trim() === '')) continue;
    const isComment = COMMENT.test(line);
    if (header.length === 0)
      isText = !isComment && /^\p{L}[^={}();<>]*$/u.test(line) && line.trim().split(/\s+/).length > 4;
    if (!isComment && !isText) break;
    if (isText && line.trim() === '') break;
    header.push(line);
  }
  for (const paragraph of paragraphsOf(commentLines(header.join('\n')))) {
    if (/\b(?:copyright|licen[cs]e)\b/i.test(paragraph)) break;
    const purpose = purposeText(paragraph);
    if (purpose !== '') return purpose;
  }
  return '';
}
