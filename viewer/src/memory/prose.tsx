// Text as it was written, with its [[links]] made links where they lead to a memory that is known.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LinkRow } from '../../../src/viewer-api/protocol.ts';
import { memoryHref } from '../parts/memory-row.tsx';

export const KnownLinks = createContext<readonly LinkRow[]>([]);

const LINK = /\[\[([^[\]\n]{1,200})\]\]/g;

export function Prose({ text }: { text: string }) {
  const links = useContext(KnownLinks);
  const pieces = text.split(LINK); // every second piece is what stood in the brackets
  return (
    <span class="prose">
      {pieces.map((piece, at) =>
        at % 2 === 0 ? piece : <WikiLink key={`${at} ${piece}`} inner={piece} links={links} />,
      )}
    </span>
  );
}

function WikiLink({ inner, links }: { inner: string; links: readonly LinkRow[] }) {
  const [target = '', label] = inner.split('|', 2);
  const id = target.split('#', 1)[0]!.trim();
  const found = links.find(({ ref, title }) => title !== null && isNamed(ref, id));
  return found ? <a href={memoryHref(found)}>{label?.trim() || found.title}</a> : <span>{`[[${inner}]]`}</span>;
}

/** `record:decisions/use-jwt` is named by `use-jwt` and `decisions/use-jwt`. */
const isNamed = (ref: string, id: string): boolean => {
  const name = ref.slice(ref.indexOf(':') + 1);
  return name === id || name.endsWith(`/${id}`);
};
