// A named thing that texts mention, and what is known beforehand when they are searched for such things.

export type EntityKind = 'project' | 'technology' | 'concept' | 'person' | 'file';

/** By its normalised name: equal for all spellings of a thing. */
export type Entity = { readonly name: string; readonly kind: EntityKind; readonly count: number };

export type EntityOptions = {
  /** Further spellings: alias → name. A user's own come from the configuration. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Every way to write the name of a project → its name; see project-aliases.ts. */
  readonly projects?: ReadonlyMap<string, string>;
  /** Paths that the conversation has touched or named, the newest first: what a bare file name may mean. */
  readonly files?: readonly string[];
};
