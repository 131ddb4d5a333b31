// The registry: every category of this project by name, by folder and by display name. Custom categories from the
// configuration join the six here, and nothing after this line knows the difference.

import { CATEGORIES, type Category } from './categories.ts';
import { choice, list, object, optional, type Schema, text } from './schema.ts';

/** What the configuration says about one category. */
export type CategorySetting = {
  folder?: string;
  fields?: { readonly [name: string]: 'text' | 'list' | readonly string[] };
  required?: readonly string[];
};

const CUSTOM_PRIORITY = 7;
const KEY_FIELDS = 3;

export class Kinds {
  readonly categories: readonly Category[];
  readonly #byName: ReadonlyMap<string, Category>;
  readonly #byFolder: ReadonlyMap<string, Category>;

  constructor(settings: { readonly [category: string]: CategorySetting } = {}) {
    const builtIn = CATEGORIES.map((category) => ({
      ...category,
      folder: settings[category.name]?.folder ?? category.folder,
    }));
    const names = new Set(builtIn.map((category) => category.name));
    const custom = Object.entries(settings)
      .filter(([name]) => !names.has(name))
      .map(([name, setting]) => customCategory(name, setting));
    this.categories = [...builtIn, ...custom];
    this.#byName = new Map(this.categories.map((category) => [category.name, category]));
    this.#byFolder = new Map(this.categories.map((category) => [category.folder, category]));
  }

  get names(): string[] {
    return this.categories.map((category) => category.name);
  }

  byName(name: string): Category | undefined {
    return this.#byName.get(name);
  }

  byFolder(folder: string): Category | undefined {
    return this.#byFolder.get(folder);
  }

  /** `DECISION`; a category that nobody declared is shown by its own name, so that no record disappears from the index. */
  displayOf(name: string): string {
    return this.#byName.get(name)?.display ?? name.toUpperCase();
  }
}

/** Without declared fields a custom category holds a summary and a list of details. */
function customCategory(name: string, setting: CategorySetting): Category {
  const fields =
    setting.fields && Object.keys(setting.fields).length > 0
      ? setting.fields
      : ({ summary: 'text', details: 'list' } as const);
  const required = setting.fields ? (setting.required ?? []) : ['summary'];
  const shape = Object.fromEntries(
    Object.entries(fields).map(([field, type]) => [
      field,
      required.includes(field) ? fieldSchema(type) : optional(fieldSchema(type)),
    ]),
  );
  return {
    name,
    folder: setting.folder ?? name.replaceAll('_', '-'),
    display: name.toUpperCase(),
    priority: CUSTOM_PRIORITY,
    content: object(shape),
    keyFields: Object.keys(shape).slice(0, KEY_FIELDS),
    deletableByHook: false,
    custom: true,
  };
}

function fieldSchema(type: 'text' | 'list' | readonly string[]): Schema {
  if (type === 'text') return text();
  return type === 'list' ? list(text()) : choice(type);
}
