// All of time at a glance: how much was said when, and which piece of it is shown. A click goes there.

import type { TimelineAnswer } from '../../../src/viewer-api/protocol.ts';
import { placeOf, type Room, type TimeWindow, zoom } from './time-window.ts';

type StripProps = {
  room: Room;
  density: TimelineAnswer['density'];
  window: TimeWindow;
  set: (window: TimeWindow) => void;
};

const HEIGHT = 36;
const WIDTH = 1000;

export function TimeStrip({ room, density, window, set }: StripProps) {
  const { whole } = room;
  if (!density || density.exchanges.length === 0) return null;
  const most = Math.max(...density.exchanges, 1);
  const left = Math.max(0, placeOf(whole, window.from));
  const right = Math.min(1, placeOf(whole, window.to));
  const goTo = (event: MouseEvent) => {
    const { left: start, width } = (event.currentTarget as Element).getBoundingClientRect();
    const at = whole.from + ((event.clientX - start) / width) * (whole.to - whole.from);
    const place = room.scale.place(at);
    const half = (room.scale.place(window.to) - room.scale.place(window.from)) / 2;
    set(zoom({ from: room.scale.time(place - half), to: room.scale.time(place + half) }, 1, room));
  };
  return (
    // The same is done by the buttons above; this is a shortcut for the pointer.
    <div class="strip" onClick={goTo} aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {density.exchanges.map((many, at) => {
          const x = WIDTH * placeOf(whole, density.from + at * density.step);
          const width = (WIDTH * density.step) / (whole.to - whole.from);
          const height = many === 0 ? 0 : 3 + (HEIGHT - 5) * Math.sqrt(many / most);
          return <rect key={at} x={x} y={HEIGHT - height} width={Math.max(width * 0.85, 1)} height={height} />;
        })}
      </svg>
      <span class="strip-window" style={{ left: `${100 * left}%`, width: `max(3px, ${100 * (right - left)}%)` }} />
    </div>
  );
}
