// Types of build-viewer.mjs, for the test of the page's size.

export const PAGE_LIMIT: number;
export function pageSize(folder?: string): number;
export function buildViewer(): Promise<number>;
