// Session summaries that Cairn writes by itself when a session ends: records like any others, but private as session notes are, and
// never told unasked. The tag says so; whoever takes it away makes the record their own.

export const SUMMARY_CATEGORY = 'session_summary';
/** No word of a prompt is this tag, so it brings nothing by itself. */
export const SUMMARY_TAG = 'session-summary';
/** Below the folder of the category. */
export const SUMMARY_PREFIX = 'summary-';

const SHORT_ID = 8;

/** By the beginning of its session's id, and the day. */
export const summaryName = (session: string, day: string): string => `${SUMMARY_PREFIX}${day}-${shortOf(session)}`;

/** Whether a file is the summary of this session, or a copy of it. */
export const isSummaryOf = (session: string, fileName: string): boolean =>
  fileName.startsWith(SUMMARY_PREFIX) &&
  fileName.slice(SUMMARY_PREFIX.length + DAY_LENGTH).startsWith(`-${shortOf(session)}`);

const DAY_LENGTH = 'yyyy-mm-dd'.length;
const shortOf = (session: string): string =>
  session
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
    .slice(0, SHORT_ID) || 'unknown';

export const isOwnSummary = (category: string, tags: readonly unknown[]): boolean =>
  category === SUMMARY_CATEGORY && tags.includes(SUMMARY_TAG);
