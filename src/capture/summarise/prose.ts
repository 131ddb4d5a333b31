// Text that a note quotes stays text: what would be a link, a field or a tag of the note is escaped, except inside code.

/** Prose: what would be a link, a field or a tag is only text. */
export function plainProse(text: string): string {
  return outsideCode(text, (line) =>
    line
      .replace(/(?<!\\)\[(?=\[)/g, '\\[') // each of them: of three in a row the last two make a link
      .replace(/(^|[\s(,;])#(?=[\p{L}_])/gu, '$1\\#')
      .replace(/^(\s*(?:[-*+]\s+)?[([]?)(related|supersedes|depends_on)::/i, '$1$2\\::'),
  );
}

export function outsideCode(
  text: string,
  prose: (line: string) => string,
  code = (line: string): string => line,
): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined;
      return code(line);
    }
    if (mark) {
      fence = mark;
      return line;
    }
    return prose(line);
  });
  // What is not closed would take the rest of the note for code.
  return fence === undefined ? lines.join('\n') : `${lines.join('\n')}\n${fence}`;
}
