// The few drawings of the frame, as strokes in the colour of the text beside them.

import type { PageName } from '../route.ts';

const PATHS: { readonly [page in PageName]: string } = {
  today: 'M3 10.5 10 4l7 6.5M5.5 9v7h9V9',
  conversations: 'M4 4h12v9H9l-3.5 3v-3H4ZM7 7.5h6M7 10h4',
  search: 'M8.8 14.1a5.3 5.3 0 1 0 0-10.6 5.3 5.3 0 0 0 0 10.6ZM12.8 12.8 17 17',
  graph:
    'M5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM15 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6.9 5l6.2 2M13.9 9.2l-4.6 5M5.5 6.5l2 7',
  timeline: 'M3 5h8M6 10h11M4 15h6M13 15h4',
  memory: 'M5 3h7l3 3v11H5ZM12 3v3h3M8 10h4M8 13h4',
  review: 'M4 10.5l3.5 3.5L16 5.5M4 17h12',
  settings:
    'M10 12.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M5 15l1.5-1.5M13.5 6.5 15 5',
  injections: 'M10 3v9M6.5 9l3.5 3.5L13.5 9M4 16.5h12',
};

export function PageIcon({ page }: { page: PageName }) {
  return <Stroke path={PATHS[page]} />;
}

export function ThemeIcon() {
  return <Stroke path="M10 3a7 7 0 1 0 0 14V3ZM10 3a7 7 0 0 1 0 14" />;
}

function Stroke({ path }: { path: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
