// A machine of a person as sync sees it: a home with an archive, and conversations that are held on it. Everything is real but the
// sudden end: a place that gives up after so many steps, as a process that is killed does.

import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../../src/sync/place.ts';
import { readMachines } from '../../src/sync/place-contents.ts';
import { type PullReport, pull } from '../../src/sync/pull.ts';
import { type PushReport, push } from '../../src/sync/push.ts';
import { newMachine, type SyncConfig } from '../../src/sync/sync-state.ts';
import type { Vault } from '../../src/sync/vault.ts';
import { type Archive, openArchive } from '../../src/transcripts/archive/archive.ts';
import { rewriteEntry } from '../../src/transcripts/archive/redact.ts';

export class Killed extends Error {}

/** The same place for somebody who is killed at the given step; a step is a read or a write. */
export function mortal(place: Place, steps: number): Place {
  let left = steps;
  const step = (): void => {
    if (left-- <= 0) throw new Killed('killed');
  };
  return {
    label: place.label,
    kind: place.kind,
    refresh: () => place.refresh(),
    list: () => place.list(),
    read: async (names) => {
      const found = new Map<string, Uint8Array>();
      for (const name of names) {
        step();
        for (const [key, bytes] of await place.read([name])) found.set(key, bytes);
      }
      return found;
    },
    put: async (name, bytes) => {
      step();
      await place.put(name, bytes);
    },
    putNew: (name, bytes) => place.putNew(name, bytes),
    remove: async (names) => {
      for (const name of names) {
        step();
        await place.remove([name]);
      }
    },
    flush: (options) => place.flush(options),
    isForeign: () => place.isForeign(),
  };
}

export class TestMachine {
  readonly root: string;
  readonly archive: Archive;
  readonly config: SyncConfig;
  readonly forgotten = new Set<string>();
  readonly #vault: Vault;

  constructor(root: string, vault: Vault, label: string) {
    this.root = root;
    fs.mkdirSync(root, { recursive: true });
    this.#vault = vault;
    this.archive = openArchive(path.join(root, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    this.config = { kind: 'folder', place: '', machine: newMachine(), label, auto: false };
  }

  sourceOf(conversation: string): string {
    return path.join(this.root, 'projects', 'shop', `${conversation}.jsonl`);
  }

  async say(conversation: string, lines: readonly string[], waits = false): Promise<void> {
    const source = this.sourceOf(conversation);
    const known = this.archive.entryFor(source)?.line ?? 0;
    await this.archive.add(source, {
      ...{ fromLine: known + 1, lines, line: known + lines.length, offset: (known + lines.length) * 10, mark: 'm' },
      ...{ head: { session: conversation }, reader: 'claude-code', project: 'example.org/shop', waits },
    });
  }

  /** As `cairn redact` and forgetting do it: lines keep their numbers. */
  async rewrite(conversation: string, change: (line: string, number: number) => string): Promise<void> {
    const entry = this.archive.entryFor(this.sourceOf(conversation));
    if (entry) await rewriteEntry(entry, change);
  }

  /** By where they were held: machine and conversation. */
  holds(): { [source: string]: string[] } {
    return Object.fromEntries(this.archive.entries().map((entry) => [entry.source, [...this.archive.lines(entry)]]));
  }

  async push(place: Place, again = false): Promise<PushReport> {
    await place.refresh();
    return push({
      ...{ place, vault: this.#vault, config: this.config, userRoot: this.root, archive: this.archive, again },
      machines: await readMachines(place, this.#vault, this.config.machine),
      now: () => new Date(),
      isForgotten: ({ session }) => this.forgotten.has(session),
      anyForgotten: this.forgotten.size > 0,
      projectOf: ({ project }) => project,
      foldersOf: () => ({}),
      forgotten: undefined,
      shared: new Map(),
      stopped: () => false,
      onProgress: () => {},
    });
  }

  async pull(place: Place): Promise<PullReport> {
    await place.refresh();
    return pull({
      ...{ place, vault: this.#vault, userRoot: this.root, archive: this.archive },
      machines: await readMachines(place, this.#vault, this.config.machine),
      now: () => new Date(),
      isKeptOut: ({ session }) => this.forgotten.has(session),
      hasRoom: () => true,
      assertWritable: () => {},
      filterOf: () => (line) => line,
      stopped: () => false,
      onProgress: () => {},
    });
  }
}
