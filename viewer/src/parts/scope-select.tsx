// Which project's memory a page is about.

import { useRegistry } from '../registry.tsx';
import { changeParams } from '../route.ts';

/** Nothing where there is only one project to choose. */
export function ScopeSelect({ params }: { params: URLSearchParams }) {
  const { projects } = useRegistry();
  if (projects.length < 2) return null;
  const others = projects.filter(({ current }) => !current);
  return (
    <div class="field">
      <label for="scope">Project</label>
      <select
        id="scope"
        value={params.get('project') ?? 'this'}
        onChange={(event) => {
          const project = event.currentTarget.value;
          changeParams({ project: project === 'this' ? undefined : project });
        }}
      >
        <option value="this">This project</option>
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
