// A memory with a graph in a temporary folder, and short ways to put notes and records into it.

import fs from 'node:fs';
import path from 'node:path';
import type { Graph } from '../../src/graph/graph.ts';
import { type GraphPlace, readGraph } from '../../src/indexing/graph/graph-file.ts';
import { Kinds } from '../../src/model/kinds.ts';
import { noteKind } from '../../src/model/notes.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

export class TestGraph implements GraphPlace {
  readonly root: string;
  readonly kinds: Kinds;
  readonly rules = { rebuild_on_change: true, cache_ttl_seconds: 300 };
  time = Date.parse('2026-03-01T12:00:00Z');
  readonly now = (): Date => new Date(this.time);

  constructor(root = path.join(temporaryFolder(), '.claude', 'memory'), kinds = new Kinds()) {
    this.root = root;
    this.kinds = kinds;
    fs.mkdirSync(root, { recursive: true });
  }

  get file(): string {
    return path.join(this.root, 'graph.json');
  }

  get text(): string {
    return fs.readFileSync(this.file, 'utf8');
  }

  read(): Graph {
    return readGraph(this);
  }

  /** `note('task-a', 'See [[task-b]].', { tags: '[x]' })`; the type is told by the id unless given. */
  note(id: string, body = '', properties: { [key: string]: string } = {}): string {
    const { folder: given, ...rest } = properties;
    const prefix = id.split('-')[0]!.toLowerCase();
    const type = rest.type ?? (prefix === 'file' ? 'file-summary' : prefix);
    const folder = given ?? noteKind(type)?.folder ?? 'discoveries';
    const lines = Object.entries({ id, type: noteKind(type) ? type : 'discovery', ...rest });
    const head = lines.map(([key, value]) => `${key}: ${value}\n`).join('');
    return put(path.join(this.root, 'nodes', folder, `${id}.md`), `---\n${head}---\n${body}\n`);
  }

  /** `record('decisions/use-jwt', { title: … })` */
  record(name: string, fields: { [key: string]: unknown } = {}): string {
    const [folder, slug] = name.split('/');
    const record = {
      schema_version: '1.0',
      category: this.kinds.byFolder(folder!)?.name,
      id: slug,
      title: slug,
      record_status: 'active',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
      tags: ['made'],
      content: {},
      ...fields,
    };
    return put(path.join(this.root, `${name}.json`), record);
  }
}
