// The registry of kinds, asked for once and given to every part of the page: display names, forms, projects.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Kinds } from '../../src/viewer-api/protocol.ts';
import { words } from './wording.ts';

const NOTHING: Kinds = {
  version: '',
  project: { id: '', name: '', memoryRoot: '', userRoot: '', scopes: [], untrusted: false },
  projects: [],
  kinds: [],
  categories: [],
  noteTypes: [],
  intents: [],
  verdicts: [],
};

export const Registry = createContext<Kinds>(NOTHING);
export const useRegistry = (): Kinds => useContext(Registry);

/** `TECH_DEBT` of the index becomes “Tech debt” on a page. */
export function kindName(registry: Kinds, layer: string, kind: string): string {
  const known = registry.kinds.find((each) => each.layer === layer && each.name === kind);
  if (!known) return words(kind);
  return known.display === known.display.toUpperCase() ? words(known.display.toLowerCase()) : known.display;
}
