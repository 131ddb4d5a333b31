// The memories that mention an entity.

import { useAnswer } from '../live.ts';
import { MemoryRow } from '../parts/memory-row.tsx';
import { Answer, Empty } from '../parts/states.tsx';

const SHOWN = 100;

export function Mentioning({ entity, project }: { entity: string; project: string }) {
  const answer = useAnswer('list', { entity, limit: SHOWN, project: project || 'this' });
  return (
    <section class="panel" aria-labelledby="mentioning-title">
      <h2 id="mentioning-title">Memories that mention it</h2>
      <Answer of={answer}>
        {({ memories }) =>
          memories.length === 0 ? (
            <Empty>None any more.</Empty>
          ) : (
            <ul class="rows">
              {memories.map((brief) => (
                <MemoryRow key={`${brief.project} ${brief.ref}`} of={brief} at={brief.createdAt} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
