// Lines of a transcript around the source of a memory, as the server reads them: masked, bounded, from the file or the archive.

import { useState } from 'preact/hooks';
import type { RefQuery } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { Answer } from '../parts/states.tsx';
import { shortPath, words } from '../wording.ts';
import { placeOf } from './quotation.ts';

/** `quote`: the very words of a memory, which are marked where they stand. */
type LinesProps = { ask: RefQuery; before?: number; after?: number; quote?: string };
const MORE = 12;
const MOST = 50;

export function TranscriptLines({ ask, before = 3, after = 3, quote }: LinesProps) {
  const [around, setAround] = useState({ before, after });
  const { ref, project } = ask;
  const answer = useAnswer('transcript', { ref, ...(project ? { project } : {}), ...around });
  const more = (side: 'before' | 'after') => setAround({ ...around, [side]: Math.min(MOST, around[side] + MORE) });
  return (
    <Answer of={answer}>
      {({ file, line, lines, from }) =>
        from === null ? (
          <p class="muted small">
            The transcript is neither at <span class="mono">{shortPath(file)}</span> nor in the archive.
          </p>
        ) : (
          <div class="transcript">
            {around.before < MOST && (
              <button type="button" class="quiet small" onClick={() => more('before')}>
                Earlier lines
              </button>
            )}
            <ol>
              {lines.map((each) => (
                <li key={each.line} data-who={each.who} aria-current={each.line === line ? 'true' : undefined}>
                  <span class="line-number">{each.line}</span>
                  <span class="who">{words(each.who)}</span>
                  <span class="prose">
                    <Quoted text={each.text} quote={each.line === line ? quote : undefined} />
                    {each.cut && <span class="muted"> … (cut)</span>}
                  </span>
                </li>
              ))}
            </ol>
            {around.after < MOST && (
              <button type="button" class="quiet small" onClick={() => more('after')}>
                Later lines
              </button>
            )}
            {from === 'archive' && <p class="small muted">Read from the archive; the transcript itself is gone.</p>}
          </div>
        )
      }
    </Answer>
  );
}

function Quoted({ text, quote }: { text: string; quote: string | undefined }) {
  const place = quote === undefined ? undefined : placeOf(text, quote);
  if (!place) return <>{text}</>;
  return (
    <>
      {text.slice(0, place.from)}
      <mark>{text.slice(place.from, place.to)}</mark>
      {text.slice(place.to)}
    </>
  );
}
