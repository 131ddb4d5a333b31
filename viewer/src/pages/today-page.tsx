// Today: is it working, what is new, what is open, what did the model see. The numbers are below, for who wants them.

import { useMemo } from 'preact/hooks';
import type { TodayAnswer, TodayTalk } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { HealthSentence } from '../parts/capture-health.tsx';
import { CopyCommand } from '../parts/copy.tsx';
import { When } from '../parts/marks.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Answer } from '../parts/states.tsx';
import { useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { lastVisit } from '../today/last-visit.ts';
import { Numbers } from '../today/numbers.tsx';
import { OpenList } from '../today/open-list.tsx';
import { ago, count, fullTime, plural } from '../wording.ts';

const SHOWN_OPEN = 8;

export function TodayPage({ params }: { params: URLSearchParams }) {
  const project = params.get('project');
  const { project: here } = useRegistry();
  const since = useMemo(() => lastVisit(project ?? here.id), [project, here.id]);
  const answer = useAnswer('today', { ...(project ? { project } : {}), ...(since === null ? {} : { since }) });
  return (
    <>
      <div class="head">
        <h1>Today</h1>
      </div>
      <HealthSentence />
      {here.untrusted && (
        <p class="notice warn">
          The records and notes of this project came with the repository. Nothing of them is injected until you have
          looked at them and agreed: <CopyCommand command="cairn trust" />
        </p>
      )}
      <Answer of={answer}>{(today) => <Today today={today} since={since} refresh={answer.refresh} />}</Answer>
      <details class="numbers" open>
        <summary>How much is remembered, and where</summary>
        <Numbers project={project} />
      </details>
    </>
  );
}

type TodayProps = { today: TodayAnswer; since: number | null; refresh: () => void };

function Today({ today, since, refresh }: TodayProps) {
  const { installed, indexed, seen } = today.steps;
  return (
    <>
      {!indexed && !(installed && seen) && <Onboarding steps={today.steps} />}
      <div class="today">
        <div class="stack">
          <New today={today} since={since} />
          <Injected of={today.injected} />
        </div>
        <Open today={today} refresh={refresh} />
      </div>
    </>
  );
}

function Onboarding({ steps }: { steps: TodayAnswer['steps'] }) {
  const rows = [
    {
      isDone: steps.installed,
      text: 'Install Cairn into Claude Code, so that it sees your conversations.',
      command: 'cairn install',
    },
    {
      isDone: steps.indexed,
      text: 'Read the conversations that you already had; it takes seconds.',
      command: 'cairn backfill --all',
    },
    {
      isDone: steps.seen,
      text: 'Talk to Claude Code as always. The first hook that runs is seen here.',
      command: null,
    },
  ];
  return (
    <section class="panel onboarding" aria-labelledby="onboarding-title">
      <h2 id="onboarding-title">Three steps to a memory</h2>
      <ol>
        {rows.map(({ isDone, text, command }) => (
          <li key={text} data-done={isDone}>
            <span class="step-state" aria-hidden="true">
              {isDone ? '✓' : '○'}
            </span>
            <span>
              {text} <span class="hidden-visually">{isDone ? 'Done.' : 'Still to do.'}</span>
            </span>
            {!isDone && command && <CopyCommand command={command} />}
          </li>
        ))}
      </ol>
      <p class="muted small">This page follows along: a step is ticked as soon as it is done.</p>
    </section>
  );
}

function New({ today, since }: { today: TodayAnswer; since: number | null }) {
  const { talks, written, decided } = today;
  const isNothing = talks.total === 0 && written.length === 0 && decided.length === 0;
  const from = since === null ? 'in the last day' : `since your last visit, ${ago(since)}`;
  return (
    <section class="panel" aria-labelledby="new-title">
      <header>
        <h2 id="new-title" title={since === null ? '' : fullTime(since)}>
          New {from}
        </h2>
        <a class="small" href={hrefOf('conversations')}>
          All conversations
        </a>
      </header>
      {isNothing && <p class="muted">Nothing. {talks.last && 'The last conversation:'}</p>}
      <ul class="rows">
        {[...talks.shown, ...(talks.last ? [talks.last] : [])].map((talk) => (
          <Talk key={`${talk.project} ${talk.session}`} talk={talk} />
        ))}
      </ul>
      {talks.total > talks.shown.length && (
        <p class="small muted">and {plural(talks.total - talks.shown.length, 'conversation')} more</p>
      )}
      {decided.length > 0 && (
        <>
          <h3>Decided in conversations</h3>
          <ul class="rows">
            {decided.map((brief) => (
              <MemoryRow key={`${brief.project} ${brief.ref}`} of={brief} at={brief.createdAt} plain />
            ))}
          </ul>
        </>
      )}
      {written.length > 0 && (
        <>
          <h3>Written down</h3>
          <ul class="rows">
            {written.map((brief) => (
              <MemoryRow key={`${brief.project} ${brief.ref}`} of={brief} at={brief.createdAt} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Talk({ talk }: { talk: TodayTalk }) {
  return (
    <li class="row">
      <div class="row-title">
        <a href={hrefOf('conversations', { session: talk.session })} data-row>
          {talk.title}
        </a>
        <When at={talk.startAt} />
      </div>
      {talk.outcome && (
        <p class="small muted clamp">
          <PlainText text={talk.outcome} />
        </p>
      )}
    </li>
  );
}

function Open({ today, refresh }: { today: TodayAnswer; refresh: () => void }) {
  const { open, totalOpen } = today;
  return (
    <section class="panel" aria-labelledby="open-title">
      <header>
        <h2 id="open-title">Open ({count(totalOpen)})</h2>
      </header>
      {open.length === 0 ? (
        <p class="muted">No open questions, nothing left to do.</p>
      ) : (
        <>
          <OpenList matters={open.slice(0, SHOWN_OPEN)} refresh={refresh} />
          {open.length > SHOWN_OPEN && (
            <details>
              <summary class="small">
                {totalOpen > open.length
                  ? `The next ${count(open.length - SHOWN_OPEN)} of ${count(totalOpen)}`
                  : `${count(open.length - SHOWN_OPEN)} more`}
              </summary>
              <OpenList matters={open.slice(SHOWN_OPEN)} refresh={refresh} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

function Injected({ of: { total, last } }: { of: TodayAnswer['injected'] }) {
  return (
    <section class="panel" aria-labelledby="injected-title">
      <header>
        <h2 id="injected-title">Told to the model today</h2>
        <a class="small" href={hrefOf('injections')}>
          All injections
        </a>
      </header>
      {last.length === 0 ? (
        <p class="muted">Nothing yet.</p>
      ) : (
        <>
          {total && (
            <p class="small muted">
              {plural(total.injections, 'prompt')} got {count(total.tokens)} tokens.
            </p>
          )}
          <ul class="rows">
            {last.map(({ at, prompt, entries, session }) => (
              <li class="row" key={`${at} ${session}`}>
                <div class="row-title">
                  <a
                    href={hrefOf('injections', { day: undefined, session: session ?? undefined })}
                    data-row
                    class="clamp"
                  >
                    {prompt || 'Start of a conversation'}
                  </a>
                  <When at={at} />
                </div>
                <p class="small muted clamp">{entries.map(({ title, ref }) => title ?? ref).join(' · ')}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
