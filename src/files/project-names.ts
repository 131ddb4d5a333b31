// What a project is called: by its folder, its remote, and the manifest of its packages. Read once for a run of the indexer; a few small
// files for each of the projects that were worked on last.

import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { isObject } from '../model/json.ts';
import { readText } from './json-file.ts';
import type { Registry } from './project-registry.ts';

const MAX_MANIFEST = 256 * 1024;
const MAX_PLACES = 30;

/** Of every known project, by all its names and places; of the latest places also what their manifests say. */
export function knownProjectNames({ projects }: Registry): string[] {
  const places = projects.flatMap((each) => each.places);
  const latest = [...places].sort((a, b) => (a.seen < b.seen ? 1 : a.seen > b.seen ? -1 : 0)).slice(0, MAX_PLACES);
  const names = [
    ...projects.flatMap(({ scopes }) => scopes.flatMap(nameInId)),
    ...places.map((place) => baseName(place.path)),
    ...latest.flatMap((place) => manifestNames(place.path)),
  ];
  return [...new Set(names)].filter((name) => name !== '');
}

/** A remote and a path end with it; a first commit says nothing. */
export const nameInId = (id: string): string[] => (id.startsWith('git:') ? [] : [baseName(id).replace(/\.git$/, '')]);

const baseName = (place: string): string => place.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '');

type Manifest = { readonly file: string; readonly names: (text: string) => string[] };

const MANIFESTS: readonly Manifest[] = [
  { file: 'package.json', names: namesOfPackage },
  { file: 'Cargo.toml', names: (text) => nameInTable(text, 'package') },
  { file: 'pyproject.toml', names: (text) => [...nameInTable(text, 'project'), ...nameInTable(text, 'tool.poetry')] },
  { file: 'go.mod', names: (text) => [/^module\s+(\S+)/m.exec(text)?.[1] ?? ''].map(withoutVersion).map(baseName) },
];

/** One that cannot be read names nothing. */
export function manifestNames(root: string): string[] {
  return MANIFESTS.flatMap(({ file, names }) => {
    try {
      const text = readText(path.join(root, file), MAX_MANIFEST);
      return text === undefined ? [] : names(text).filter((name) => name !== '');
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof CairnError || isSystemError(error)) return [];
      throw error;
    }
  });
}

/** `@scope/name` belongs to the project of that scope. */
function namesOfPackage(text: string): string[] {
  const manifest: unknown = JSON.parse(text);
  if (!isObject(manifest) || typeof manifest.name !== 'string') return [];
  const [, scope, name = manifest.name] = /^@([^/]+)\/(.+)$/.exec(manifest.name) ?? [];
  return scope === undefined ? [name] : [scope, name];
}

/** The `name` in a table of a TOML file: one line is needed of it, and no parser is loaded for that. */
function nameInTable(text: string, table: string): string[] {
  const start = text.search(new RegExp(`^\\[${table.replace('.', '\\.')}\\]\\s*$`, 'm'));
  if (start === -1) return [];
  const body = text.slice(start).split(/\n(?=\s*\[)/, 1)[0] ?? '';
  return [/^\s*name\s*=\s*["']([^"'\n]+)["']/m.exec(body)?.[1] ?? ''];
}

/** `example.org/tool/v2` is the second version of tool. */
const withoutVersion = (module: string): string => module.replace(/\/v\d+$/, '');
