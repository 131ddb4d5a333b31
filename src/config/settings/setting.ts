// How a setting is described (setting-table.ts describes them all), and the names of the categories that one may speak of.

import type { Schema } from '../../model/schema.ts';

export const CATEGORY_NAMES = [
  'session_summary',
  'decision',
  'runbook',
  'constraint',
  'tech_debt',
  'preference',
] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];

type Rules<T> = {
  /** Below `*`: the defaults of the six, where they differ from `default`. */
  readonly defaults?: { readonly [category in CategoryName]?: T };
  /** Below `*`: the one category that has it, or those of the user's own. */
  readonly only?: CategoryName | 'custom';
  /** A number that would have to be changed to fit is refused instead: the nearest value could destroy something. */
  readonly exact?: boolean;
  /** What cannot be used of the value is left out, and the rest counts. */
  readonly partly?: boolean;
  /** A project file comes with a clone and is not trusted with this. */
  readonly userOnly?: true;
  /**
   * What counts from a project that the user has not agreed to (`cairn trust`): any value where it only says where files lie and
   * how they are checked, `off` where it can only make Cairn do less. Absent: nothing.
   */
  readonly fromStrangers?: 'any' | 'off';
};

export type Described<T = unknown> = Rules<T> & {
  readonly description: string;
  readonly schema: Schema<T>;
  /** Undefined: the setting does not exist until somebody sets it. */
  readonly default: T | undefined;
};

/** A section of settings; `*` stands for the name of a category. */
export type SettingTree = { readonly [key: string]: Described | SettingTree };

/** `retrieval.max_inject`; in the table with `*` for the name of a category. */
export type Setting = Described & { readonly path: string };

export const setting = <T, R extends Rules<NoInfer<T>>>(
  description: string,
  schema: Schema<T>,
  preset: NoInfer<T> | undefined,
  rules?: R,
): Described<T> & R => ({ ...(rules as R), description, schema, default: preset });
