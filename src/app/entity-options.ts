// What is known beforehand of the names in conversations: the aliases of the user, and what projects are called.

import type { Config } from '../config/load.ts';
import { aliasTable } from '../extraction/entities/alias-table.ts';
import type { EntityOptions } from '../extraction/entities/entity.ts';
import { projectAliases } from '../extraction/entities/project-aliases.ts';
import { knownProjectNames, manifestNames, nameInId } from '../files/project-names.ts';
import type { Registry } from '../files/project-registry.ts';
import { lazy } from '../model/lazy.ts';

/** By the project of a conversation, whose own name is known whether or not it was noted before. The names are read once, when first asked for. */
export function entityOptions({ settings, paths }: Config, registry: Registry): (project: string) => EntityOptions {
  const aliases = aliasTable(settings.traces.aliases);
  const known = lazy(() => [...knownProjectNames(registry), ...manifestNames(paths.projectRoot)]);
  const byProject = new Map<string, EntityOptions>();
  return (project) => {
    const options = byProject.get(project) ?? { aliases, projects: projectAliases([...known(), ...nameInId(project)]) };
    byProject.set(project, options);
    return options;
  };
}
