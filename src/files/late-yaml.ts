// The `yaml` package, loaded when a note is met that only a whole YAML parser can read or change. Loading takes longer than most
// hooks do, and most notes never need it; a test sees to it that no hook carries it.

import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

// What the bundles are given (faces/launcher/load-bundle.ts).
declare const __bundleRequire: NodeJS.Require | undefined;

let loaded: typeof Yaml | undefined;

export function lateYaml(): typeof Yaml {
  const load = typeof __bundleRequire === 'function' ? __bundleRequire : createRequire(import.meta.url);
  loaded ??= load('yaml') as typeof Yaml;
  return loaded;
}
