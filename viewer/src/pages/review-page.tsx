// Review: what waits for somebody to decide. Drafts, memories that double or contradict each other, that speak of files that changed,
// that were replaced, or that no prompt ever got; each with its ways out.

import type { ComponentChildren } from 'preact';
import type { Action, ReviewAnswer, ReviewEntry } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { perform } from '../memory/perform.ts';
import { KindMark, When } from '../parts/marks.tsx';
import { MemoryRow, memoryHref } from '../parts/memory-row.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { count } from '../wording.ts';

export function ReviewPage() {
  const answer = useAnswer('review', {});
  return (
    <>
      <div class="head">
        <div>
          <h1>Review</h1>
          <p>What waits for you to decide, in this project.</p>
        </div>
      </div>
      <Answer of={answer}>{(review) => <Parts review={review} refresh={answer.refresh} />}</Answer>
    </>
  );
}

function Parts({ review, refresh }: { review: ReviewAnswer; refresh: () => void }) {
  const registry = useRegistry();
  const { drafts, pairs, stale, replaced, unused } = review;
  const run = (action: Action) => void perform(action, refresh);
  if (drafts.length + pairs.length + stale.length + replaced.length + unused.length === 0)
    return <Empty>Nothing waits: no drafts, no doubles, no contradictions, and every file is as it was.</Empty>;
  return (
    <div class="stack">
      <Part title="Drafts that nobody saved" many={drafts.length}>
        {drafts.map(({ id, category, title, at }) => (
          <li class="row review-row" key={id}>
            <div class="row-title">
              <KindMark layer="record" kind={category} />
              <span>{title}</span>
              <When at={at} />
            </div>
            <div class="actions">
              <button type="button" onClick={() => run({ action: 'draft', how: 'save', id })}>
                Save
              </button>
              <button type="button" onClick={() => run({ action: 'draft', how: 'drop', id })}>
                Drop
              </button>
            </div>
          </li>
        ))}
      </Part>
      <Part title="Contradicting or doubled" many={pairs.length}>
        {pairs.map(({ kind, why, a, b }) => (
          <li class="row review-row" key={`${a.ref} ${b.ref}`}>
            <p class="small muted">
              {kind === 'contradiction' ? 'They contradict each other' : 'They say the same'}: {why}
            </p>
            <div class="review-pair">
              <Side entry={a} name="Newer" />
              <Side entry={b} name="Older" />
            </div>
            <div class="actions">
              <button
                type="button"
                onClick={() => run({ action: 'review', how: 'supersede', ref: a.ref, other: b.ref })}
              >
                The newer one holds
              </button>
              <button type="button" onClick={() => run({ action: 'review', how: 'merge', ref: a.ref, other: b.ref })}>
                Make them one
              </button>
              <button type="button" onClick={() => run({ action: 'review', how: 'keep', ref: a.ref, other: b.ref })}>
                Keep both
              </button>
            </div>
          </li>
        ))}
      </Part>
      <Part title="Their files changed" many={stale.length}>
        {stale.map((entry) => (
          <li class="row review-row" key={entry.ref}>
            <Side entry={entry} />
            <p class="small muted">
              {entry.files.map(({ path, is }) => `${path} ${is === 'gone' ? 'is gone' : 'changed'}`).join(', ')}
            </p>
            <div class="actions">
              <button type="button" onClick={() => run({ action: 'review', how: 'keep', ref: entry.ref })}>
                It still holds
              </button>
              <a class="button" href={memoryHref({ ref: entry.ref, project: entry.project ?? '' })}>
                Look at it
              </a>
              {entry.layer === 'record' && (
                <button
                  type="button"
                  onClick={() => run({ action: 'retire', ref: entry.ref, reason: 'Its files changed' })}
                >
                  Retire
                </button>
              )}
            </div>
          </li>
        ))}
      </Part>
      <Part title="Replaced by something newer" many={replaced.length}>
        {replaced.map((brief) => (
          <MemoryRow key={brief.ref} of={brief} at={brief.updatedAt} />
        ))}
      </Part>
      <Part title="Never of use: two months old, and no prompt got them" many={unused.length}>
        {unused.map((brief) => (
          <MemoryRow key={brief.ref} of={brief} at={brief.createdAt}>
            <div class="actions">
              <button
                type="button"
                onClick={() => run({ action: 'archive', ref: brief.ref, project: brief.project, reason: 'Never used' })}
              >
                Archive
              </button>
            </div>
          </MemoryRow>
        ))}
      </Part>
      <p class="small muted">
        {kindName(registry, 'record', 'decision')}s and other records are listed; what is open is on{' '}
        <a href={hrefOf('today')}>Today</a>.
      </p>
    </div>
  );
}

function Part({ title, many, children }: { title: string; many: number; children: ComponentChildren }) {
  if (many === 0) return null;
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {title} ({count(many)})
      </h2>
      <ul class="rows">{children}</ul>
    </section>
  );
}

function Side({ entry, name }: { entry: ReviewEntry; name?: string }) {
  return (
    <div>
      <div class="row-title">
        {name && <span class="label">{name}</span>}
        <KindMark layer={entry.layer} kind={entry.kind} />
        <a href={memoryHref({ ref: entry.ref, project: entry.project ?? '' })} data-row>
          {entry.title || entry.text.slice(0, 120)}
        </a>
        <When at={entry.at} />
      </div>
      {entry.text !== entry.title && <p class="small clamp">{entry.text}</p>}
    </div>
  );
}
