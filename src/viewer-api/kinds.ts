// The registry of kinds as the viewer needs it: names for filters and colours, forms for editing. All of it is derived from the
// model; a category that a project adds is there without anybody naming it here.

import { currentProject } from '../app/project-scopes.ts';
import { isTrusted } from '../config/load.ts';
import { VERDICTS } from '../learning/feedback.ts';
import { Kinds } from '../model/kinds.ts';
import { NOTE_KINDS } from '../model/notes.ts';
import type { Schema } from '../model/schema.ts';
import { INTENTS } from '../model/trace.ts';
import { version } from '../version.ts';
import { projectsOf, remembered, statsOf, type View } from './viewer.ts';

const ENTITY_KINDS = 40;

export async function kindsOf(view: View) {
  const { config } = view;
  const { categories } = new Kinds(config.settings.categories);
  const { documents } = await statsOf(view);
  const { id } = currentProject(config);
  const projects = await projectsOf(view);
  const named = [
    ...categories.map(({ name }) => ({ layer: 'record' as const, name })),
    ...NOTE_KINDS.map(({ type }) => ({ layer: 'note' as const, name: type })),
    ...[...INTENTS, 'span'].map((name) => ({ layer: 'trace' as const, name })),
    // What the store holds besides: kinds of other projects, the client's own files.
    ...documents.flatMap(({ layer, kind }) => (isLayer(layer) ? [{ layer, name: kind }] : [])),
    ...(await entityKinds(view)).map((name) => ({ layer: 'entity' as const, name })),
  ];
  const once = new Map(named.map((each) => [`${each.layer} ${each.name}`, { ...each, display: displayOf(each.name) }]));
  return {
    version,
    project: {
      id,
      name: projects.find(({ current }) => current)!.name,
      memoryRoot: config.paths.memoryRoot,
      userRoot: config.paths.userRoot,
      scopes: view.recall.scopesOf(),
      untrusted: !isTrusted(config.trust),
    },
    projects,
    kinds: [...once.values()],
    categories: categories.map(({ name, folder, content }) => ({ name, folder, fields: formOf(content) })),
    noteTypes: NOTE_KINDS.map(({ type, statuses, sections }) => ({ type, statuses, sections })),
    intents: INTENTS,
    verdicts: VERDICTS,
  };
}

const isLayer = (layer: string): layer is 'record' | 'note' | 'trace' => ['record', 'note', 'trace'].includes(layer);

function entityKinds(view: View): Promise<string[]> {
  return remembered(view, 'entity kinds', async () => {
    const common = await view.store.entities({ limit: 2_000 });
    return [...new Set(common.map(({ kind }) => kind))].sort().slice(0, ENTITY_KINDS);
  });
}

/** `tech_debt` → `Tech debt` */
function displayOf(name: string): string {
  const words = name.replace(/[_-]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

type Field = {
  name: string;
  type: 'text' | 'lines' | 'choice' | 'boolean' | 'number' | 'object' | 'objects';
  required: boolean;
  describe?: string;
  choices?: readonly string[];
  maxLength?: number;
  minItems?: number;
  fields?: Field[];
};

function formOf(schema: Schema): Field[] {
  return Object.entries(schema.fields ?? {}).map(([name, field]) => {
    const inner = field.type === 'object' ? field : field.item?.type === 'object' ? field.item : undefined;
    return {
      name,
      type: typeOf(field),
      required: field.optional !== true,
      ...(field.describe === undefined ? {} : { describe: field.describe }),
      ...(field.choices === undefined ? {} : { choices: field.choices }),
      ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
      ...(field.minItems === undefined ? {} : { minItems: field.minItems }),
      ...(inner === undefined ? {} : { fields: formOf(inner) }),
    };
  });
}

function typeOf({ type, item }: Schema): Field['type'] {
  if (type === 'list') return item?.type === 'object' ? 'objects' : 'lines';
  if (type === 'choice' || type === 'boolean' || type === 'object') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}
