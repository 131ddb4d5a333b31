// One answer of a search: what it says with the words of the question marked, how sure it is that it is meant, what was asked and came
// out around it, and, on demand, why it is here and the lines it is from.

import { useState } from 'preact/hooks';
import type { Hit } from '../../../src/viewer-api/protocol.ts';
import { hrefOf } from '../route.ts';
import { TranscriptLines } from '../timeline/transcript-lines.tsx';
import { words } from '../wording.ts';
import { KindMark, OriginMark, SourceText, StalenessMark, StatusMark, UntrustedMark, When } from './marks.tsx';
import { snippet } from './match-words.ts';
import { Marked } from './matched.tsx';
import { MemoryPreview } from './memory-preview.tsx';
import { memoryHref } from './memory-row.tsx';
import { WhyHere } from './why-here.tsx';

/** As the command line does: from here on a result is plainly about the question. */
export const PLAIN = 0.5;
/** Below, it is folded away where others are plainly about it. */
export const WEAK = 0.3;

const CHAIN = 2;

type HitProps = { hit: Hit; most: number; terms: readonly string[] };

export function SearchHit({ hit, most, terms }: HitProps) {
  const [isOpen, setOpen] = useState(false);
  const isIdea = hit.layer === 'trace' && hit.kind !== 'span';
  const text = isIdea ? hit.text : (hit.gist ?? hit.text);
  const title = isIdea ? snippet(text, terms, 220) : hit.title;
  const rest = isIdea ? '' : snippet(text, terms);
  const { exchange } = hit;
  return (
    <li class="hit row">
      <div class="facts">
        <KindMark layer={hit.layer} kind={hit.kind} />
        <StatusMark status={hit.status} />
        <StalenessMark state={hit.staleness} />
        {hit.untrusted && <UntrustedMark />}
        <OriginMark origin={hit.origin} />
        {hit.stance && <span class="badge">{hit.stance}</span>}
        <When at={hit.createdAt} />
        <Relevance value={hit.relevance} />
      </div>
      <h2>
        <a href={memoryHref(hit)} data-row>
          <Marked text={title} terms={terms} />
        </a>
      </h2>
      {rest !== '' && rest !== title && (
        <p class="hit-text">
          <Marked text={rest} terms={terms} />
        </p>
      )}
      {exchange && exchange.ref !== hit.ref && exchange.asked !== '' && (
        <p class="small muted clamp">
          Asked: <Marked text={exchange.asked} terms={terms} />
          {exchange.outcome !== '' && (
            <>
              {' → '}
              <Marked text={exchange.outcome} terms={terms} />
            </>
          )}
        </p>
      )}
      {hit.chain.length > 0 && (
        <ul class="facts" aria-label="How it belongs to others">
          {hit.chain.slice(0, CHAIN).map(({ ref, relation, title: other }) => (
            <li key={`${relation} ${ref}`}>
              {words(relation)} <a href={memoryHref({ ref, project: hit.project })}>{other ?? ref}</a>
            </li>
          ))}
          {hit.chain.length > CHAIN && <li>and {hit.chain.length - CHAIN} more</li>}
        </ul>
      )}
      <div class="facts hit-more">
        {hit.session && (
          <a href={hrefOf('conversations', { session: hit.session })}>{hit.span ? hit.span.name : 'Conversation'}</a>
        )}
        {hit.source && <SourceText source={hit.source} />}
        {hit.folded.length > 0 && <span>and {hit.folded.length} that say the same</span>}
        <button type="button" class="link small" data-preview aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close the preview' : 'Preview'}
        </button>
      </div>
      {isOpen && (
        <div class="preview">
          {hit.layer === 'trace' && hit.source?.line ? (
            <TranscriptLines ask={{ ref: hit.ref, project: hit.project }} quote={hit.text} />
          ) : (
            <MemoryPreview ask={{ ref: hit.ref, project: hit.project }} />
          )}
        </div>
      )}
      <WhyHere hit={hit} most={most} />
    </li>
  );
}

/** How likely it is about the question at all. */
function Relevance({ value }: { value: number }) {
  const percent = Math.round(value * 100);
  const said = value >= PLAIN ? 'Fits' : value >= WEAK ? 'May fit' : 'Weak';
  return (
    <span class="fits" title={`How likely it is about the question: ${percent} %`}>
      {said}
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.max(4, percent)}%` }} />
      </span>
      <span class="hidden-visually">{percent} %</span>
    </span>
  );
}
