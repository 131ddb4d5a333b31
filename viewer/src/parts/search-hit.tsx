// One result of a search: what it says, where it is from, whether it still holds, and why it is here.

import type { Hit } from '../../../src/viewer-api/protocol.ts';
import { hrefOf } from '../route.ts';
import { words } from '../wording.ts';
import { KindMark, OriginMark, SourceText, StalenessMark, StatusMark, UntrustedMark, When } from './marks.tsx';
import { memoryHref } from './memory-row.tsx';
import { Reasons } from './reasons.tsx';

export function SearchHit({ hit, most }: { hit: Hit; most: number }) {
  const text = hit.gist ?? hit.text;
  return (
    <li class="hit row">
      <div class="hit-said">
        <div class="facts">
          <KindMark layer={hit.layer} kind={hit.kind} />
          <StatusMark status={hit.status} />
          <StalenessMark state={hit.staleness} />
          {hit.untrusted && <UntrustedMark />}
          <OriginMark origin={hit.origin} />
          <When at={hit.createdAt} />
        </div>
        <h2>
          <a href={memoryHref(hit)} data-row>
            {hit.title}
          </a>
        </h2>
        {text !== hit.title && <p class="clamp hit-text">{text}</p>}
        <div class="facts">
          {hit.source && <SourceText source={hit.source} />}
          {hit.span && (
            <a href={hrefOf('timeline', { span: hit.span.ref, spanProject: hit.project })}>Topic: {hit.span.name}</a>
          )}
          {hit.folded.length > 0 && <span>and {hit.folded.length} that say the same</span>}
        </div>
        {hit.chain.length > 0 && (
          <ul class="facts" aria-label="How it belongs to others">
            {hit.chain.map(({ ref, relation, title }) => (
              <li key={`${relation} ${ref}`}>
                {words(relation)} <a href={memoryHref({ ref, project: hit.project })}>{title ?? ref}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Reasons points={hit.points} factors={hit.factors} ranks={hit.ranks} most={most} />
    </li>
  );
}
