// Which project's memory all pages are about: chosen once, kept from page to page.

import type { Kinds } from '../../../src/viewer-api/protocol.ts';
import { chooseProject } from '../route.ts';

/** Nothing where there is only one project to choose. */
export function ScopeSelect({ registry, params }: { registry: Kinds; params: URLSearchParams }) {
  const { projects, project: here } = registry;
  if (projects.length < 2) return null;
  const others = projects.filter(({ current }) => !current);
  return (
    <div class="scope">
      <label class="hidden-visually" for="scope">
        Project
      </label>
      <select
        id="scope"
        value={params.get('project') ?? 'this'}
        onChange={(event) => {
          const project = event.currentTarget.value;
          chooseProject(project === 'this' ? undefined : project);
        }}
      >
        <option value="this">{here.name}</option>
        <option value="all">All projects</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
