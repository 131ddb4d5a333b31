// Times as files hold them: UTC, to the second; and days as the user's clock shows them, which budgets, charts and answers count.

export const timestampOf = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** 2026-01-31, where the user is. */
export function localDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
