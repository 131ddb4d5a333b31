// The marks that memories carry everywhere: kind, status, staleness, time, source.

import type { Origin, Source, Staleness } from '../../../src/viewer-api/protocol.ts';
import { hueStyle } from '../kind-colours.ts';
import { kindName, useRegistry } from '../registry.tsx';
import { ago, fullTime, LAYER_NAMES, shortPath, words } from '../wording.ts';

export function KindMark({ layer, kind }: { layer: string; kind: string }) {
  const name = kindName(useRegistry(), layer, kind);
  return (
    <span class="kind hue" style={hueStyle(kind)} data-layer={layer} title={`${LAYER_NAMES[layer] ?? layer}: ${name}`}>
      {name}
    </span>
  );
}

/** The coloured shape alone, for where the name stands beside it. */
export function KindDot({ layer, kind }: { layer: string; kind: string }) {
  return <span class="dot hue" style={hueStyle(kind)} data-layer={layer} aria-hidden="true" />;
}

const QUIET = ['active', 'accepted'];
const GONE = ['retired', 'wrong'];

/** Nothing for what is as it should be. */
export function StatusMark({ status }: { status: string }) {
  if (QUIET.includes(status)) return null;
  return <span class={`badge ${GONE.includes(status) ? 'bad' : ''}`}>{words(status)}</span>;
}

const STALE_WORDS: { readonly [state in Exclude<Staleness, null>]: readonly [style: string, text: string] } = {
  unchanged: ['good', 'Files unchanged'],
  changed: ['warn', 'Files changed since'],
  gone: ['bad', 'Files are gone'],
  unknown: ['', 'Files not checked'],
};

export function StalenessMark({ state }: { state: Staleness }) {
  if (state === null) return null;
  const [style, text] = STALE_WORDS[state];
  return <span class={`badge ${style}`}>{text}</span>;
}

/** It came with a repository: shown and found, never injected until the user agrees. */
export function UntrustedMark() {
  return (
    <span class="badge warn" title="It came with the repository and is not injected until you agree: cairn trust">
      Not agreed to
    </span>
  );
}

/** Who said it; what they did not say themselves is marked, for it is never told to the model unasked. */
export function OriginMark({ origin }: { origin: Origin | null }) {
  if (origin === null) return null;
  const isSaid = origin.provenance === 'said';
  return (
    <span
      class={isSaid ? '' : 'badge'}
      title={isSaid ? '' : 'Not in the words of a speaker: found when asked for, never injected'}
    >
      {origin.text}
    </span>
  );
}

export function When({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {ago(at)}
    </time>
  );
}

export function SourceText({ source }: { source: Source }) {
  return (
    <span class="mono" title={source.file}>
      {shortPath(source.file, 2)}
      {source.line !== null && `:${source.line}`}
    </span>
  );
}
