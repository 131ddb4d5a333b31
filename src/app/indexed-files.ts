// Where the records and notes of a project are, and what is searched with them: the same for the background, for questions and for
// prompts. A file of its own, because a prompt loads it only when there is a store.

import type { Config } from '../config/load.ts';
import { realPath } from '../files/paths.ts';
import type { IndexedFiles } from '../indexing/files/index-files.ts';
import { readOnlySources } from '../indexing/files/read-only-sources.ts';
import { Kinds } from '../model/kinds.ts';
import { blobsFile } from './user-files.ts';

export function indexedFiles(config: Config): IndexedFiles {
  const { paths, settings } = config;
  const root = realPath(paths.memoryRoot);
  return {
    root,
    project: root,
    kinds: new Kinds(settings.categories),
    projectRoot: paths.projectRoot,
    kept: blobsFile(config),
    readOnly: readOnlySources({ projectRoot: paths.projectRoot, clientFolder: paths.clientRoot }),
  };
}
