// The summary of a topic begins with its words, for those who search; whoever reads wants what came of it.

export const ABOUT = 'About: ';

export function topicOutcome(summary: string): string {
  if (!summary.startsWith(ABOUT)) return summary;
  const end = summary.indexOf('\n');
  return end === -1 ? summary : summary.slice(end + 1);
}
