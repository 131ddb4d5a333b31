// From what a file imports to files of the project, as far as a look at the disk can tell; the rest are packages.
// Never leaves the project, and asks the disk a bounded number of questions.

import fs from 'node:fs';
import path from 'node:path';

export type Dependencies = {
  /** Paths from the project's root. */
  files: string[];
  /** Names of packages and modules, and imports that lead nowhere. */
  packages: string[];
};

type Resolver = (spec: string, from: From) => { candidates: readonly string[]; name: string };
type From = { projectRoot: string; file: string; folder: string };

const MAX_CANDIDATES = 24;
const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.vue', '.svelte'];

/** `file` is a path from the project's root, with forward slashes. */
export function resolveImports(
  projectRoot: string,
  file: string,
  language: string,
  specs: readonly string[],
): Dependencies {
  const from: From = { projectRoot, file, folder: path.posix.dirname(file) };
  const resolve = RESOLVERS[language];
  const files = new Set<string>();
  const packages = new Set<string>();
  for (const spec of specs) {
    const { candidates, name } = resolve ? resolve(spec, from) : { candidates: [], name: spec };
    const found = candidates
      .slice(0, MAX_CANDIDATES)
      .map((candidate) => path.posix.normalize(candidate))
      .find((candidate) => isProjectFile(projectRoot, candidate));
    if (found === undefined) packages.add(name);
    else if (found !== file) files.add(found);
  }
  packages.delete('');
  return { files: [...files], packages: [...packages] };
}

function isProjectFile(projectRoot: string, relative: string): boolean {
  if (relative.startsWith('..') || relative.startsWith('/') || relative.includes('\0')) return false;
  try {
    return fs.statSync(path.join(projectRoot, relative), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // a name that no system takes, or a folder that may not be read
  }
}

/** The address may name what the compiler makes: `./store.js` is written as `store.ts`. */
const script: Resolver = (spec, { folder }) => {
  const clean = spec.replace(/[?#].*$/, '');
  const isAlias = /^[@~]\//.test(clean);
  if (!isAlias && !/^\.{0,2}\//.test(clean) && !/^\.{1,2}$/.test(clean))
    return { candidates: [], name: packageName(clean) };
  const bases = isAlias
    ? [`src/${clean.slice(2)}`, clean.slice(2), `app/${clean.slice(2)}`]
    : [clean.startsWith('/') ? clean.slice(1) : `${folder}/${clean}`];
  const candidates = bases.flatMap((base) => {
    const source = /^(.*)\.([mc]?)js(x?)$/.exec(base);
    const sources = source ? [`${source[1]}.${source[2]}ts${source[3]}`, `${source[1]}.tsx`] : [];
    return [
      base,
      ...sources,
      ...SCRIPT_ENDINGS.map((ending) => base + ending),
      `${base}/index.ts`,
      `${base}/index.tsx`,
      `${base}/index.js`,
    ];
  });
  return { candidates: bases.length > 1 ? candidates.filter((each) => /\.\w+$/.test(each)) : candidates, name: spec };
};

/** `@scope/name/part` is a part of `@scope/name`. */
function packageName(spec: string): string {
  const parts = spec.split('/');
  return spec.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}

const python: Resolver = (spec, { folder }) => {
  const dots = /^\.*/.exec(spec)![0].length;
  const rest = spec.slice(dots).replaceAll('.', '/');
  const forms = (base: string): string[] => [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`];
  if (dots > 0) {
    const base = path.posix.join(folder, ...Array.from({ length: dots - 1 }, () => '..'), rest);
    return { candidates: forms(base), name: spec };
  }
  const parents = ['.', 'src', ...foldersAbove(folder)];
  return { candidates: parents.flatMap((parent) => forms(path.posix.join(parent, rest))), name: spec.split('.')[0]! };
};

function foldersAbove(folder: string): string[] {
  const parts = folder === '.' ? [] : folder.split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).slice(0, 5);
}

/** A package is a folder; the file that is named like it stands for it. */
const go: Resolver = (spec, { projectRoot }) => {
  const module = moduleOf(projectRoot);
  if (!module || (spec !== module && !spec.startsWith(`${module}/`))) return { candidates: [], name: spec };
  const folder = spec.slice(module.length + 1) || '.';
  const name = path.posix.basename(folder === '.' ? module : folder);
  return { candidates: [`${folder}/${name}.go`, `${folder}/doc.go`, `${folder}/main.go`], name: folder };
};

function moduleOf(projectRoot: string): string | undefined {
  try {
    const text = fs.readFileSync(path.join(projectRoot, 'go.mod'), 'utf8').slice(0, 10_000);
    return /^module\s+(\S+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

const rust: Resolver = (spec, { file, folder }) => {
  const stem = path.posix.basename(file, '.rs');
  // A module's children lie in the folder of its name, unless it is the root of one.
  const own = /^(?:mod|lib|main)$/.test(stem) ? folder : `${folder}/${stem}`;
  const forms = (base: string): string[] => [`${base}.rs`, `${base}/mod.rs`];
  const module = /^mod (\w+)$/.exec(spec)?.[1];
  if (module) return { candidates: [...forms(`${own}/${module}`), ...forms(`${folder}/${module}`)], name: '' };
  const [first = '', ...rest] = spec.split('::');
  if (!/^(?:crate|self|super)$/.test(first)) return { candidates: [], name: first };
  const source = /^(?:.*\/)?src(?=\/|$)/.exec(folder)?.[0] ?? folder;
  let base = first === 'crate' ? source : first === 'self' ? own : path.posix.dirname(own);
  while (rest[0] === 'super') {
    rest.shift();
    base = path.posix.dirname(base);
  }
  // The last names may be items of a module, so the longest path that is a file counts.
  const candidates = rest
    .slice(0, 6)
    .flatMap((_, at) => forms(path.posix.join(base, ...rest.slice(0, rest.length - at))));
  return { candidates, name: '' };
};

/** The folders of a class are its package; the source root is what is left of this file's path without its own. */
const java: Resolver = (spec, { folder }) => {
  const target = spec.replace(/\.\*$/, '').replaceAll('.', '/');
  const parts = folder.split('/');
  const roots = ['.', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))].reverse();
  const name = spec.replace(/\.\*$/, '').replace(/(?:\.[A-Z]\w*)+$/, '');
  return { candidates: spec.endsWith('.*') ? [] : roots.map((root) => path.posix.join(root, `${target}.java`)), name };
};

const cFamily: Resolver = (spec, { folder }) => {
  const file = spec.slice(1, -1);
  const places = [folder, ...foldersAbove(folder), '.', 'include', 'src', 'lib'];
  const isOwn = spec.startsWith('"');
  return {
    candidates: (isOwn ? places : ['include', 'src/include', 'src']).map((place) => path.posix.join(place, file)),
    name: isOwn ? spec : file,
  };
};

const ruby: Resolver = (spec, { folder }) => {
  const places = /^\.{1,2}\//.test(spec) ? [folder] : ['lib', 'app', 'app/models', '.'];
  const target = spec.endsWith('.rb') ? spec : `${spec}.rb`;
  return {
    candidates: places.map((place) => path.posix.join(place, target)),
    name: spec.startsWith('.') ? spec : spec.split('/')[0]!,
  };
};

/** Only what is there: a link in prose that leads nowhere is no package. */
const markdown: Resolver = (spec, { folder }) => {
  const target = spec.startsWith('/') ? spec.slice(1) : `${folder}/${spec}`;
  return { candidates: [target, decoded(target), `${target}.md`], name: '' };
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const RESOLVERS: { readonly [language: string]: Resolver } = {
  typescript: script,
  javascript: script,
  vue: script,
  svelte: script,
  python,
  go,
  rust,
  java,
  c: cFamily,
  cpp: cFamily,
  ruby,
  markdown,
};
