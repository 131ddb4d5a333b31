// The settings for the page: what README's “Turning parts off” names, as switches and fields with what they are now, and everything
// that was changed from its default, with where.

import { settingTable } from '../config/settings/settings.ts';
import type { View } from './viewer.ts';

/** `on` null: as it is by default. */
type Switch = { readonly key: string; readonly stops: string; readonly on: string | null; readonly off: string };
/** More to say than on or off: a number, or patterns. `hint` says what it does, and what is nothing. */
type Field = { readonly key: string; readonly stops: string; readonly kind: 'number' | 'list'; readonly hint: string };

export const SWITCHES: readonly Switch[] = [
  { key: 'retrieval.enabled', stops: 'Memories before prompts', on: 'true', off: 'false' },
  { key: 'triage.enabled', stops: 'The question at the end of a turn', on: 'true', off: 'false' },
  { key: 'capture.enabled', stops: 'Notes made from tool use', on: 'true', off: 'false' },
  { key: 'traces.enabled', stops: 'Reading conversations', on: 'true', off: 'false' },
  { key: 'traces.archive_max_mb', stops: 'The copies of conversations', on: null, off: '0' },
  { key: 'embeddings.provider', stops: 'Vectors', on: 'local', off: 'none' },
];

export const FIELDS: readonly Field[] = [
  {
    key: 'traces.exclude',
    stops: 'Conversations of some projects or folders',
    kind: 'list',
    hint: 'Patterns like those of .gitignore, one on each line: they are kept out from the start.',
  },
  {
    key: 'retention.conversation_days',
    stops: 'Conversations after some time',
    kind: 'number',
    hint: 'Days after its last word that a conversation is forgotten for good; 0 keeps all.',
  },
];

const OFFERED = new Set([...SWITCHES, ...FIELDS].map(({ key }) => key));
/** Only what the page offers: a page must not be able to move the memory or name a program. */
export const isOffered = (key: string): boolean => OFFERED.has(key);

export async function settingsOf({ config }: View) {
  const switches = SWITCHES.map((each) => {
    const value = String(valueAt(config.settings, each.key));
    return { ...each, value, isOn: value !== each.off };
  });
  const fields = FIELDS.map((each) => {
    const value = valueAt(config.settings, each.key);
    return { ...each, value: Array.isArray(value) ? value.map(String).join('\n') : String(value ?? '') };
  });
  const changed = settingTable().flatMap(({ path, default: preset, description }) => {
    if (path.includes('*')) return [];
    const value = valueAt(config.settings, path);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(preset)) return [];
    return [
      {
        key: path,
        value: shown(path, value),
        preset: preset === undefined ? null : shown(path, preset),
        description,
        canReset: isOffered(path),
      },
    ];
  });
  return {
    switches,
    fields,
    changed,
    files: { user: config.paths.userConfig, project: config.paths.projectConfig },
  };
}

function valueAt(settings: object, path: string): unknown {
  let at: unknown = settings;
  for (const part of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as { readonly [key: string]: unknown })[part];
  }
  return at;
}

/** Whoever looks over a shoulder sees no key and no address with one. */
const SECRET = /(?:key|token|secret|password|url)$/i;
const shown = (path: string, value: unknown): string =>
  SECRET.test(path) && value ? '(set)' : typeof value === 'string' ? value : JSON.stringify(value);
