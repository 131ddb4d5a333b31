// The stream that tells open pages what changed: server-sent events, fed by a look at the marks of files once a second as long as a
// page listens. Nobody listening, nothing runs.

import type { ServerResponse } from 'node:http';
import { CairnError } from '../../errors.ts';
import type { ChangeEvent } from '../../viewer-api/protocol.ts';
import type { Viewer } from '../../viewer-api/viewer.ts';
import { changedParts, type Marks, marksOf, type Part } from '../../viewer-api/watch.ts';

const LOOK_MS = 1_000;
/** Every so many looks all files are looked at, and a sign of life is sent. */
const CLOSELY = 10;
const MOST_LISTENERS = 32;

export class ChangeStream {
  readonly #viewer: Viewer;
  readonly #listeners = new Set<ServerResponse>();
  readonly #lookMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #marks: Marks | undefined;
  #closeMark: string | undefined;

  constructor(viewer: Viewer, { lookMs = LOOK_MS }: { lookMs?: number } = {}) {
    this.#viewer = viewer;
    this.#lookMs = lookMs;
  }

  get isFull(): boolean {
    return this.#listeners.size >= MOST_LISTENERS;
  }

  /** The response is ours from here on; its headers are sent. */
  add(response: ServerResponse): void {
    this.#listeners.add(response);
    response.on('close', () => this.#remove(response));
    response.on('error', () => this.#remove(response));
    if (this.#timer === undefined) {
      this.#look(true);
      this.#timer = setInterval(() => this.#look(false), this.#lookMs);
    }
    send(response, { at: Date.now(), what: [] });
  }

  close(): void {
    for (const response of [...this.#listeners]) response.end();
    this.#listeners.clear();
    this.#rest();
  }

  #remove(response: ServerResponse): void {
    this.#listeners.delete(response);
    if (this.#listeners.size === 0) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#marks = undefined;
    this.#closeMark = undefined;
  }

  #look(first: boolean): void {
    const closely = first || ++this.#looks % CLOSELY === 0;
    try {
      const config = this.#viewer.config();
      const marks = marksOf(config);
      const changed = new Set<Part>(this.#marks ? changedParts(this.#marks, marks) : []);
      this.#marks = marks;
      if (closely) {
        const { memory } = marksOf(config, { closely: true });
        if (this.#closeMark !== undefined && this.#closeMark !== memory) changed.add('memory');
        this.#closeMark = memory;
        if (!first) for (const response of this.#listeners) response.write(': here\n\n');
      }
      if (changed.size > 0) this.#tell([...changed]);
    } catch (error) {
      // A file that comes and goes between two looks is looked at next time.
      if (!(error instanceof CairnError) && !(error instanceof Error && 'code' in error)) throw error;
    }
  }

  #tell(what: Part[]): void {
    if (what.includes('memory')) this.#viewer.touch();
    const event: ChangeEvent = { at: Date.now(), what };
    for (const response of this.#listeners) send(response, event);
  }
}

const send = (response: ServerResponse, event: ChangeEvent): void =>
  void response.write(`event: change\ndata: ${JSON.stringify(event)}\n\n`);
