// A question with its answer, as conversations are kept: `The page is long. Where shall it lie? — In the footer`. Where there is little room,
// what was said before the question goes, so that the answer stays.

const ANSWERED = /\s*[?？]\s+—\s+/;

/** `question` without its mark; `undefined` for what is no question with an answer. */
export function askedAndAnswered(text: string): { readonly question: string; readonly answer: string } | undefined {
  const mark = ANSWERED.exec(text);
  if (!mark) return undefined;
  const [question = ''] = text
    .slice(0, mark.index)
    .split(/[.!?]\s+/)
    .slice(-1);
  return { question, answer: text.slice(mark.index + mark[0].length) };
}
