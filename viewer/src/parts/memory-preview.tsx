// A record or note as it is read, in place: for the preview of a hit.

import type { RefQuery } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { MemoryContent } from '../memory/memory-content.tsx';
import { Answer } from './states.tsx';

export function MemoryPreview({ ask }: { ask: RefQuery }) {
  const answer = useAnswer('memory', ask);
  return <Answer of={answer}>{(memory) => <MemoryContent memory={memory} />}</Answer>;
}
