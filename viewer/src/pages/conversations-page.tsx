// Conversations: a journal by day. Each conversation says what it was about, what came out, what was committed and decided; it opens
// in place to its topics and exchanges, and an exchange to its statements and lines.

import { useEffect, useState } from 'preact/hooks';
import type { JournalAnswer, JournalDay, JournalQuery } from '../../../src/viewer-api/protocol.ts';
import { ask } from '../client.ts';
import { Conversation } from '../conversations/conversation.tsx';
import { useAnswer } from '../live.ts';
import { memoryHref } from '../parts/memory-row.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { changeParams, dayIn, hrefOf } from '../route.ts';
import { say } from '../toasts.tsx';
import { dayName, plural } from '../wording.ts';

export function ConversationsPage({ params }: { params: URLSearchParams }) {
  const query = journalQuery(params);
  const answer = useAnswer('journal', query);
  return (
    <>
      <div class="head">
        <div>
          <h1>Conversations</h1>
          <p>What was done, day by day: asked, came out, committed.</p>
        </div>
        <div class="actions day-choice">
          <div class="field">
            <label for="journal-day">Day</label>
            <input
              id="journal-day"
              type="date"
              value={query.day ?? ''}
              onChange={(event) => changeParams({ day: event.currentTarget.value || undefined, session: undefined })}
            />
          </div>
          <a class="button" href={hrefOf('timeline')}>
            Timeline
          </a>
        </div>
      </div>
      <Answer of={answer}>
        {(first) => <Journal key={JSON.stringify(query)} query={query} first={first} session={params.get('session')} />}
      </Answer>
    </>
  );
}

function journalQuery(params: URLSearchParams): JournalQuery {
  const [project, session] = ['project', 'session'].map((name) => params.get(name));
  const day = dayIn(params);
  return { ...(project ? { project } : {}), ...(session ? { session } : day ? { day } : {}) };
}

type JournalProps = { query: JournalQuery; first: JournalAnswer; session: string | null };

function Journal({ query, first, session }: JournalProps) {
  const [more, setMore] = useState<{ days: readonly JournalDay[]; next: string | null } | undefined>();
  const next = more ? more.next : first.next;
  const load = () => {
    if (next === null) return;
    ask('journal', { ...query, cursor: next }).then(
      (page) => setMore({ days: [...(more?.days ?? []), ...page.days], next: page.next }),
      (error: Error) => say(error.message, { bad: true }),
    );
  };
  // The one that a link names is looked at first.
  useEffect(() => {
    if (session) document.getElementById(`talk-${session}`)?.scrollIntoView({ block: 'start' });
  }, [session]);
  const isOneDay = query.day !== undefined || query.session !== undefined;
  const days = joined([...first.days, ...(more?.days ?? [])]);
  if (first.total === 0)
    return (
      <Empty>
        No conversation is indexed yet. <code>cairn backfill</code> reads those that are there.
      </Empty>
    );
  return (
    <>
      {isOneDay && first.nearest && <DayLinks nearest={first.nearest} />}
      {days.length === 0 && <Empty>Nothing happened on {query.day ? dayName(query.day) : 'that day'}.</Empty>}
      {days.map((day) => (
        <Day key={day.day} of={day} open={session} />
      ))}
      {next && (
        <p class="more">
          <button type="button" onClick={load}>
            Show older ones
          </button>
        </p>
      )}
    </>
  );
}

/** A day that two pages share is one day. */
function joined(days: readonly JournalDay[]): JournalDay[] {
  const byName = new Map<string, JournalDay>();
  for (const day of days) {
    const known = byName.get(day.day);
    byName.set(day.day, known ? { ...known, conversations: [...known.conversations, ...day.conversations] } : day);
  }
  return [...byName.values()];
}

function DayLinks({ nearest }: { nearest: NonNullable<JournalAnswer['nearest']> }) {
  const link = (day: string | null, text: string) =>
    day && (
      <a class="button" href={hrefOf('conversations', { day })}>
        {text} {dayName(day)}
      </a>
    );
  return (
    <nav class="day-links" aria-label="Other days">
      {link(nearest.before, '←')}
      {link(nearest.after, '→')}
      <a class="button" href={hrefOf('conversations')}>
        All days
      </a>
    </nav>
  );
}

function Day({ of: { day, conversations, saved, committed }, open }: { of: JournalDay; open: string | null }) {
  const commits = conversations.reduce((sum, each) => sum + each.commits.length, committed.length);
  const facts = [
    conversations.length > 0 ? plural(conversations.length, 'conversation') : '',
    commits > 0 ? plural(commits, 'commit') : '',
    saved.length > 0 ? `${plural(saved.length, 'record')} saved` : '',
  ].filter(Boolean);
  return (
    <section class="day" aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`}>
        <a href={hrefOf('conversations', { day })}>{dayName(day)}</a>
        <span class="muted small">{facts.join(', ')}</span>
      </h2>
      {conversations.map((talk) => (
        <Conversation key={`${talk.project} ${talk.session}`} talk={talk} isNamed={talk.session === open} />
      ))}
      {saved.length > 0 && <Items title="Saved" items={saved} />}
      {committed.length > 0 && <Items title="Committed by hand" items={committed} />}
    </section>
  );
}

function Items({ title, items }: { title: string; items: JournalDay['saved'] }) {
  return (
    <div class="day-items">
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={`${item.project} ${item.ref}`}>
            <a href={memoryHref(item)} data-row>
              {item.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
