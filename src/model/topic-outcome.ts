// The summary of a topic begins with its words, for those who search; whoever reads wants what came of it.

export const ABOUT = 'About: ';
/** Stands between two things that were said. No slash: “login / word: …” looks like a password to the redaction. */
export const BETWEEN_SAID = ' · ';

export function topicOutcome(summary: string): string {
  if (!summary.startsWith(ABOUT)) return summary;
  const end = summary.indexOf('\n');
  return end === -1 ? summary : summary.slice(end + 1);
}
