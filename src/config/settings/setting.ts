// What a row of the table of settings says, and the names of the categories that rows may speak of.

export const CATEGORY_NAMES = [
  'session_summary',
  'decision',
  'runbook',
  'constraint',
  'tech_debt',
  'preference',
] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];

/** What a field of a custom category holds: a text, a list of texts, or one of the given words. */
export type FieldType = 'text' | 'list' | readonly string[];

/** Phrases by language, category and role. The role is `primary` (makes a line evidence) or `boosters` (strengthens it). */
export type VocabularySetting = {
  readonly [language: string]: {
    readonly [category: string]: { readonly primary?: readonly string[]; readonly boosters?: readonly string[] };
  };
};

export type SettingValue =
  | boolean
  | number
  | string
  | readonly string[]
  | { readonly [name: string]: FieldType }
  | VocabularySetting;

export type Setting = {
  /** `retrieval.max_inject`; in the table `*` stands for the name of a category. */
  readonly path: string;
  readonly type:
    | 'boolean'
    | 'integer'
    | 'number'
    | 'text'
    | 'path'
    | 'folder'
    | 'enum'
    | 'list'
    | 'fields'
    | 'vocabulary';
  /** Left out: the setting does not exist until somebody sets it. */
  readonly default?: SettingValue;
  /** For a path with `*`: the defaults of the six, where they differ from `default`. */
  readonly defaults?: { readonly [category in CategoryName]?: SettingValue };
  /** For a path with `*`: which categories have it. */
  readonly only?: 'custom';
  /** Numbers outside are moved to the nearest end. */
  readonly min?: number;
  readonly max?: number;
  /** A number that would have to be changed to fit is refused instead: the nearest value could destroy something. */
  readonly exact?: true;
  readonly values?: readonly string[];
  /** Longer texts are cut; longer lists too. */
  readonly maxLength?: number;
  readonly maxItems?: number;
  /** A project file comes with a clone and is not trusted with this. */
  readonly userOnly?: true;
  /**
   * What counts from a project that the user has not agreed to (`cairn trust`): any value where it only says where files lie and
   * how they are checked, `off` where it can only make Cairn do less. Absent: nothing.
   */
  readonly fromStrangers?: 'any' | 'off';
  readonly description: string;
};
