// A file that is called by its name alone is the one of that name that the work has just touched, if there is only one.

import type { Entity } from './entities-of.ts';

/** `touched`: paths, the newest first. */
export function resolveFiles(entities: Entity[], touched: readonly string[]): Entity[] {
  if (touched.length === 0 || !entities.some(isBareFile)) return entities;
  const resolved: Entity[] = [];
  for (const entity of entities) {
    const paths = isBareFile(entity) ? touched.filter((path) => path.endsWith(`/${entity.name}`)) : [];
    const name = paths.length === 1 ? paths[0]! : entity.name;
    const known = resolved.findIndex((each) => each.kind === entity.kind && each.name === name);
    if (known === -1) resolved.push({ ...entity, name });
    else resolved[known] = { ...entity, name, count: resolved[known]!.count + entity.count };
  }
  return resolved;
}

const isBareFile = ({ kind, name }: Entity): boolean => kind === 'file' && !name.includes('/');
