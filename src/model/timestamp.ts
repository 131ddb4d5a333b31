// Times as files hold them: UTC, to the second.

export const timestampOf = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');
