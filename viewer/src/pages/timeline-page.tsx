// Timeline: conversations as lanes, their topics as spans in time. Zoomed and moved by wheel, drag, buttons and keys; a span opens
// its ideas and the lines of the transcript.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Conversation, TimelineAnswer } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { goTo } from '../route.ts';
import { ConversationDetail } from '../timeline/conversation-detail.tsx';
import { Lanes } from '../timeline/lanes.tsx';
import { SpanDetail } from '../timeline/span-detail.tsx';
import { plainScale, squeezedScale } from '../timeline/time-scale.ts';
import { TimeStrip } from '../timeline/time-strip.tsx';
import { around, pan, type Room, type TimeWindow, zoom } from '../timeline/time-window.ts';
import { fullDay, fullTime, plural } from '../wording.ts';

const LANES = 120;
const SETTLED_MS = 250;
const ZOOM = 0.6;
const PAN = 0.25;

export function TimelinePage({ params }: { params: URLSearchParams }) {
  const project = params.get('project');
  const [asked, setAsked] = useState<TimeWindow | undefined>();
  const answer = useAnswer('timeline', {
    limit: LANES,
    ...(project ? { project } : {}),
    ...(asked ? { from: Math.floor(asked.from), to: Math.ceil(asked.to) } : {}),
  });
  return (
    <>
      <div class="head">
        <div>
          <h1>Timeline</h1>
          <p>Conversations and their topics. Choose a topic to read its ideas and the lines they are from.</p>
        </div>
      </div>
      <Answer of={answer}>
        {(timeline) =>
          timeline.extent === null ? (
            <Empty>No conversation was indexed yet. `cairn backfill` reads those that are there.</Empty>
          ) : (
            <Timeline key={project} timeline={timeline} extent={timeline.extent} params={params} look={setAsked} />
          )
        }
      </Answer>
    </>
  );
}

type TimelineProps = {
  timeline: TimelineAnswer;
  extent: TimeWindow;
  params: URLSearchParams;
  look: (window: TimeWindow | undefined) => void;
};

function Timeline({ timeline, extent, params, look }: TimelineProps) {
  const [squeezed, setSqueezed] = useState(true);
  const room = useMemo((): Room => {
    const times = timeline.conversations.map(({ startAt, endAt }) => ({ from: startAt, to: endAt }));
    const scale = squeezed ? squeezedScale(times) : plainScale;
    return { whole: around(extent, scale), scale };
  }, [timeline, extent.from, extent.to, squeezed]);
  const [window, setWindow] = useState(() => around(spanOf(timeline.conversations) ?? extent, room.scale));
  const [isComplete] = useState(() => timeline.total <= timeline.conversations.length);
  // With more conversations than lanes, those of the time that is looked at are asked for once it stands still.
  useEffect(() => {
    if (isComplete) return;
    const timer = setTimeout(() => look(window), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [window, isComplete]);
  const shown = timeline.conversations.filter(({ startAt, endAt }) => endAt >= window.from && startAt <= window.to);
  const choose = (chosen: { session?: string; span?: string; spanProject?: string }) => {
    goTo('timeline', chosen);
  };
  const session = params.get('session');
  const spanRef = params.get('span');
  const open = timeline.conversations.find((each) => each.session === session);
  return (
    <div class={`timeline ${spanRef || open ? 'split' : ''}`}>
      <div>
        <Controls
          window={window}
          set={setWindow}
          room={room}
          squeezed={squeezed}
          setSqueezed={setSqueezed}
          text={`${plural(shown.length, 'conversation')} of ${Math.max(timeline.total, shown.length)}`}
        />
        <TimeStrip room={room} density={timeline.density} window={window} set={setWindow} />
        <Lanes
          conversations={shown}
          window={window}
          room={room}
          set={setWindow}
          chosen={{ session, span: spanRef }}
          chooseSpan={(span, of) => choose({ session: of.session, span: span.ref, spanProject: span.project })}
          chooseConversation={(of) => choose({ session: of.session })}
        />
      </div>
      {spanRef ? (
        <aside class="panel detail" aria-label="Topic">
          <SpanDetail
            key={spanRef}
            ask={{ ref: spanRef, ...projectOf(params, open) }}
            titled={true}
            close={() => choose(session ? { session } : {})}
          />
        </aside>
      ) : (
        open && (
          <aside class="panel detail" aria-label="Conversation">
            <ConversationDetail
              conversation={open}
              zoom={() => setWindow(around({ from: open.startAt, to: open.endAt }, room.scale))}
              choose={(span) => choose({ session: open.session, span: span.ref, spanProject: span.project })}
              close={() => choose({})}
            />
          </aside>
        )
      )}
    </div>
  );
}

/** Where the address does not tell the span's project, its conversation does. */
function projectOf(params: URLSearchParams, open: Conversation | undefined): { project?: string } {
  const scope = params.get('project');
  const project = params.get('spanProject') ?? open?.project ?? (scope === 'all' ? undefined : (scope ?? undefined));
  return project ? { project } : {};
}

function spanOf(conversations: readonly Conversation[]): TimeWindow | undefined {
  if (conversations.length === 0) return undefined;
  return {
    from: Math.min(...conversations.map(({ startAt }) => startAt)),
    to: Math.max(...conversations.map(({ endAt }) => endAt)),
  };
}

type ControlsProps = {
  window: TimeWindow;
  room: Room;
  set: (window: TimeWindow) => void;
  squeezed: boolean;
  setSqueezed: (squeezed: boolean) => void;
  text: string;
};

function Controls({ window, room, set, squeezed, setSqueezed, text }: ControlsProps) {
  const long = window.to - window.from > 2 * 86_400_000;
  const format = long ? fullDay : fullTime;
  return (
    <div class="timeline-controls">
      <fieldset class="actions">
        <legend class="hidden-visually">Zoom and move</legend>
        <button type="button" onClick={() => set(zoom(window, ZOOM, room))}>
          Zoom in
        </button>
        <button type="button" onClick={() => set(zoom(window, 1 / ZOOM, room))}>
          Zoom out
        </button>
        <button type="button" aria-label="Earlier" onClick={() => set(pan(window, -PAN, room))}>
          ←
        </button>
        <button type="button" aria-label="Later" onClick={() => set(pan(window, PAN, room))}>
          →
        </button>
        <button type="button" onClick={() => set(room.whole)}>
          All
        </button>
        <label class="choice">
          <input type="checkbox" checked={squeezed} onChange={(event) => setSqueezed(event.currentTarget.checked)} />
          Skip quiet time
        </label>
      </fieldset>
      <p class="small muted" aria-live="polite" data-window={`${Math.round(window.from)} ${Math.round(window.to)}`}>
        {format(window.from)} – {format(window.to)}, {text}
      </p>
    </div>
  );
}
