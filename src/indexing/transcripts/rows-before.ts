// Rows of an earlier reading of a transcript, which a new reading replaces line by line: those of lines that it has not reached stay, so
// whatever interrupts it, nothing is gone that is not there anew.

import { type Fork, generationAt } from '../../model/forks.ts';
import type { Change, Store } from '../../store/store.ts';

const PAGE = 1_000;

type Row = { readonly project: string; readonly ref: string; readonly line: number; readonly generation: number };

export class RowsBefore {
  #rows: readonly Row[];

  private constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** Those of lines behind this one. */
  static async of(store: Store, file: string, behind: number): Promise<RowsBefore> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const filter = { files: [file], layers: ['trace'] };
      const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
      for (const { project, ref, source, meta } of page.documents) {
        const line = source?.line ?? 0;
        if (line > behind) rows.push({ project, ref, line, generation: Number(meta?.generation ?? 1) });
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return new RowsBefore(rows);
  }

  /** What has to go now that the lines up to this one were read and gave these changes. Rows of other generations stay. */
  replacedBy(changes: readonly Change[], line: number, forks: readonly Fork[]): Change[] {
    const put = new Set(changes.map((each) => (each.op === 'put' ? keyOf(each.document) : '')));
    const reached = this.#rows.filter((row) => row.line <= line);
    this.#rows = this.#rows.filter((row) => row.line > line);
    const stale = reached.filter((row) => row.generation === generationAt(forks, row.line) && !put.has(keyOf(row)));
    return [...new Set(stale.map(({ project }) => project))].map((project) => ({
      op: 'delete',
      where: { projects: [project], refs: stale.filter((row) => row.project === project).map(({ ref }) => ref) },
    }));
  }
}

const keyOf = ({ project, ref }: { project: string; ref: string }): string => `${project}\0${ref}`;
