// What is truly open, each with the two ways to settle it. What was settled goes from the list; the message takes it back.

import type { OpenMatter } from '../../../src/viewer-api/protocol.ts';
import { perform } from '../memory/perform.ts';
import { KindMark, When } from '../parts/marks.tsx';
import { memoryHref } from '../parts/memory-row.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';

type ListProps = { matters: readonly OpenMatter[]; refresh: () => void };

export function OpenList({ matters, refresh }: ListProps) {
  return (
    <ul class="rows open-list">
      {matters.map((matter) => (
        <Matter key={`${matter.project} ${matter.ref} ${matter.text}`} matter={matter} refresh={refresh} />
      ))}
    </ul>
  );
}

function Matter({ matter, refresh }: { matter: OpenMatter; refresh: () => void }) {
  const { project: here } = useRegistry();
  const { ref, project, layer, kind, text, at, by, session, sessionTitle, topic } = matter;
  const isHere = here.scopes.includes(project);
  const settle = (state: 'done' | 'dropped') => void perform({ action: 'settle', ref, project, state }, refresh);
  return (
    <li class="row open-row">
      <div class="open-said">
        <a class="plain" href={memoryHref(matter)} data-row>
          <PlainText text={text} />
        </a>
        <p class="facts">
          <KindMark layer={layer} kind={kind} />
          {by && <span>{by}</span>}
          <When at={at} />
          {session && (
            <a href={hrefOf('conversations', { session })}>{sessionTitle ?? topic?.name ?? 'Conversation'}</a>
          )}
        </p>
      </div>
      {isHere && (
        <div class="settle">
          <button type="button" onClick={() => settle('done')} aria-label={`Done: ${text.slice(0, 80)}`}>
            Done
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => settle('dropped')}
            aria-label={`Drop: ${text.slice(0, 80)}`}
          >
            Drop
          </button>
        </div>
      )}
    </li>
  );
}
