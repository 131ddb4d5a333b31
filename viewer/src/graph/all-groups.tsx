// Everything as groups: the bubbles, and in words the same beside them: each group with its size, or the nodes that a name finds.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useRegistry } from '../registry.tsx';
import { hrefOf, readRoute } from '../route.ts';
import { count, plural } from '../wording.ts';
import type { Group } from './graph-groups.ts';
import { NodeList } from './graph-list.tsx';
import { type GraphModel, type GraphNode, seen } from './graph-model.ts';
import { GroupBubbles } from './group-bubbles.tsx';

type AllProps = {
  model: GraphModel;
  groups: readonly Group[];
  choose: (group: Group) => void;
  open: (node: GraphNode) => void;
  children: ComponentChildren;
};

export function AllGroups({ model, groups, choose, open, children }: AllProps) {
  const { projects } = useRegistry();
  const [search, setSearch] = useState('');
  const found = useMemo(() => {
    if (search.trim() === '') return undefined;
    const { strong } = seen(model, { hidden: new Set(), search, focus: undefined, isNear: false });
    return model.nodes.filter(({ at }) => strong.has(at));
  }, [model, search]);
  const isSeveral = new Set(groups.map(({ project }) => nameOf(project, projects))).size > 1;
  const projectOf = useMemo(
    () => (isSeveral ? ({ project }: Group) => nameOf(project, projects) : undefined),
    [isSeveral, projects],
  );
  const alone = model.nodes.length - groups.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <div class="graph">
      <div class="graph-stage">
        <GroupBubbles model={model} groups={groups} projectOf={projectOf} pick={choose} />
      </div>
      <div class="graph-side stack">
        <div class="panel">
          <div class="field">
            <label for="graph-search">Find a node</label>
            <input
              id="graph-search"
              data-search
              type="search"
              autocomplete="off"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </div>
          {found && <NodeList nodes={found} choose={(at) => open(model.nodes[at]!)} />}
        </div>
        <section class="panel" aria-labelledby="groups-title">
          <header>
            <h2 id="groups-title">Groups ({count(groups.length)})</h2>
            <a class="small" href={hrefOf('graph', { ...Object.fromEntries(readRoute().params), dots: 'true' })}>
              Draw every node
            </a>
          </header>
          <ul class="rows">
            {groups.map((group) => (
              <li class="row" key={group.ref}>
                <div class="row-title">
                  <button type="button" class="link" data-row onClick={() => choose(group)}>
                    {group.title}
                  </button>
                  <span class="end">{plural(group.members.length, 'node')}</span>
                </div>
                {(projectOf || group.about.length > 0) && (
                  <p class="small muted">{[...(projectOf ? [projectOf(group)] : []), ...group.about].join(' · ')}</p>
                )}
              </li>
            ))}
          </ul>
          {alone > 0 && (
            <p class="small muted">
              {plural(alone, 'node')} more {alone === 1 ? 'is' : 'are'} alone, or with two others at most.
            </p>
          )}
        </section>
        {children}
      </div>
    </div>
  );
}

/** Of the place where a memory lies, the project that it belongs to. */
function nameOf(place: string, projects: readonly { id: string; name: string }[]): string {
  const known = projects.find(({ id }) => place === id || place.startsWith(`${id}/`) || place.startsWith(`${id}\\`));
  return (
    known?.name ??
    place
      .split(/[\\/]/)
      .filter((part) => part !== '.claude' && part !== 'memory')
      .at(-1) ??
    place
  );
}
