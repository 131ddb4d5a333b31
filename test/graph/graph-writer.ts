// One of several processes that write notes and tell the graph: `graph-writer <root> <name> <count>`.

import fs from 'node:fs';
import path from 'node:path';
import { updateGraph } from '../../src/indexing/graph/graph-file.ts';
import { Kinds } from '../../src/model/kinds.ts';

const [root, name, count] = process.argv.slice(2) as [string, string, string];
const place = {
  root,
  kinds: new Kinds(),
  rules: { rebuild_on_change: true, cache_ttl_seconds: 300 },
  now: () => new Date(),
};
for (let at = 0; at < Number(count); at++) {
  const id = `task-${name}-${at}`;
  const file = path.join(root, 'nodes', 'tasks', `${id}.md`);
  fs.writeFileSync(file, `---\nid: ${id}\ntype: task\n---\nAfter [[task-${name}-${at - 1}]] and [[task-shared]].\n`);
  updateGraph(place, { files: [file] });
}
