// What a summary is made of: the answer of every extractor, one per language. Pure data, bounded by whoever makes it.

export type Definition = {
  name: string;
  /** One line, as it stands in the source, without its body. */
  signature: string;
  /** 1-based. */
  line: number;
  /** Others may use it: exported, public, capitalised, whatever the language says. */
  exported: boolean;
  /** The first sentence of its documentation. */
  doc?: string;
  /** The class, trait or module that it is part of. */
  owner?: string;
};

export type Extract = {
  /** The first paragraph of what the file says about itself; empty if it says nothing. */
  purpose: string;
  definitions: Definition[];
  /** As the language writes them (`./config`, `.models`, `"util.h"`, `crate::store`); each once, in order. */
  imports: string[];
};

export type Extractor = (text: string) => Extract;

/** A file with more definitions than this is data or an attack; the rest is not worth the time. */
const MAX_COLLECTED = 2_000;
const MAX_IMPORTS = 200;

/** Reading a definition costs something even if it is known already, or is none. */
const MAX_TRIED = 3 * MAX_COLLECTED;

/** Collects while the limits hold, so that no extractor has to think of them. */
export class Collector {
  readonly #definitions = new Map<string, Definition>();
  readonly #imports = new Set<string>();
  #tried = 0;

  get full(): boolean {
    return this.#definitions.size >= MAX_COLLECTED || this.#tried >= MAX_TRIED;
  }

  tried(): void {
    this.#tried++;
  }

  /** The first of its name wins, unless the language tells overloads apart by their signatures. */
  define(definition: Definition, by: 'name' | 'signature' = 'name'): void {
    this.#tried++;
    const key = `${definition.owner ?? ''}\n${definition[by]}`;
    if (definition.name !== '' && definition.signature !== '' && !this.full && !this.#definitions.has(key))
      this.#definitions.set(key, definition);
  }

  named(name: string): Definition | undefined {
    return this.#definitions.get(`\n${name}`);
  }

  /** What was found to be exported after its definition; its members are too. */
  export(name: string): boolean {
    const known = this.named(name);
    if (!known) return false;
    for (const each of this.#definitions.values()) if (each === known || each.owner === name) each.exported = true;
    return true;
  }

  import(spec: string): void {
    const clean = spec.trim();
    if (clean !== '' && clean.length <= 300 && this.#imports.size < MAX_IMPORTS) this.#imports.add(clean);
  }

  extract(purpose: string): Extract {
    return { purpose, definitions: [...this.#definitions.values()], imports: [...this.#imports] };
  }
}
