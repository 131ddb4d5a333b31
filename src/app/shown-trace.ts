// One idea or span as it is shown to somebody who asks for it.

import type { LabelReasons } from '../extraction/exchanges/explain-label.ts';
import type { CommitTie } from '../indexing/commits/tie-commits.ts';
import type { LinesAround } from '../indexing/transcripts/lines-around.ts';
import type { Document, Link } from '../store/store.ts';

export type ShownTrace = {
  document: Document;
  /** The topic that it belongs to; of a topic none. */
  span: Document | undefined;
  /** The exchange around it; of an exchange itself. */
  exchange: Document | undefined;
  /** Of a topic its exchanges, of an exchange its ideas. */
  inside: readonly Document[];
  relations: readonly { link: Link; other: Document | undefined }[];
  entities: readonly { name: string; kind: string; count: number }[];
  /** What was said around it; all of its exchange where that was asked for. */
  around: LinesAround | undefined;
  /** Of a commit: how it is known which exchange it comes from; null where that is not known. */
  tie?: Pick<CommitTie, 'how' | 'certainty'> | null;
  /** Where that was asked for: why it has its label; null where its words are gone, or an event said it. */
  label?: LabelReasons | null;
};

/** `full`: all that was said in its exchange or topic. */
export type ShowOptions = {
  readonly before: number;
  readonly after: number;
  readonly full?: boolean;
  /** Why it has its label. */
  readonly explain?: boolean;
};
