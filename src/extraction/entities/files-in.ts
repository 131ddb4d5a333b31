// Files that a text names, each as one path: in one spelling, a bare or shortened name as the one known file that it can mean. What
// nobody keeps (temporary files, dependencies, reports of test runs, bundles) and what only looks like a file (a domain) is none.

import { foldFile } from './fold-name.ts';
import { technologyAliases } from './technologies.ts';

const EXTENSIONS =
  'tsx?|jsx?|mjs|cjs|mts|cts|py|go|rs|java|kts?|swift|cc?|cpp|hpp?|cs|rb|php|ex|exs|scala|lua|dart|zig|sh|bash|zsh|fish|nu|ps1|bat|cmd|sql|html?|css|s[ac]ss|less|vue|svelte|astro|json[lc5]?|ya?ml|toml|ini|cfg|conf|plist|env|xml|csv|tsv|mdx?|mdc|txt|rst|lock|proto|graphql|tf|gradle|ino|ipynb|db|sqlite|log|pdf|png|jpe?g|svg|wasm';
const FILE = new RegExp(
  `(?<![\\w@/.}$-])(?:(?<![*>])(?:~|\\.{1,2})?/)?(?:[\\w@.+-]+/)*[\\w@+][\\w@.+-]*\\.(?:${EXTENSIONS})(?![\\w/(-])(?::\\d+)?`,
  'g',
);
const ENDS_LIKE_FILE = new RegExp(`\\.(?:${EXTENSIONS})$`);
const NAMED_FILE = /(?<![\w/-])(?:[\w.-]+\/)*(?:Dockerfile|Makefile|Gemfile|Procfile|README|LICENSE)(?![\w-]|\.\w)/g;
// What a text must have in it to be worth a closer look: seen in one quick walk, and most texts have none of it.
const MAY_HAVE_FILE = /\.[a-z]/;
const MAY_HAVE_NAMED_FILE = /(?:Docker|Make|Gem|Proc)file|README|LICENSE/;
const WINDOWS_PATH = /\b[A-Za-z]:\\[\w\\.@+~-]+/g;

const OUTSIDE =
  /(?:^|\/)(?:te?mp|node_modules|test-results|scratchpad|playwright-report|__pycache__|site-packages|\.venv|\.git)\/|^\/(?:private\/)?(?:var|usr|library|system|opt)\//;
const BUNDLE = /(?:^|\/)(?:chunk|index|main|vendor)[-.](?=[\w-]*\d)[\w-]{6,}\.(?:m?js|css)$/;
/** These endings are those of domains, too (starship.rs, bun.sh): by itself such a name is a file only if it is known, or no domain. */
const LIKE_DOMAIN = /^[a-z\d-]+\.(?:rs|sh|cc)$/;
const USUAL_NAME =
  /^(?:main|lib|mod|build|tests?|install|setup|run|start|deploy|entrypoint|util|utils|config|error|errors)\./;

export type FoundFiles = {
  /** As often as they are named. */
  readonly files: readonly string[];
  /** The text without them. */
  readonly prose: string;
};

/** `known`: paths of the conversation, the newest first. */
export function filesIn(text: string, known: readonly string[] = []): FoundFiles {
  const body = text.includes(':\\') ? text.replace(WINDOWS_PATH, (path) => path.slice(2).replace(/\\+/g, '/')) : text;
  const written: string[] = MAY_HAVE_NAMED_FILE.test(body) ? (body.match(NAMED_FILE) ?? []) : [];
  const take = (file: string): string => {
    if (isNamedLikeFile(file)) return file;
    written.push(file);
    return ' ';
  };
  const prose = MAY_HAVE_FILE.test(body) ? body.replace(FILE, take) : body;
  if (written.length === 0) return { files: written, prose };
  const paths = foldedPaths(known);
  const found: string[] = [];
  for (const each of written) {
    if (isLikeDomain(each) && fitting(foldFile(each), paths).length === 0) continue;
    for (const part of separateFiles(normaliseFile(each))) {
      const kept = keptFile(part);
      if (kept !== undefined) found.push(kept);
    }
  }
  return { files: found.map((file) => resolved(file, paths, found)), prose };
}

/** A path as it is stored; `undefined` for what nobody keeps. */
export function keptFile(path: string): string | undefined {
  const folded = foldFile(path);
  if (OUTSIDE.test(folded) || BUNDLE.test(folded)) return undefined;
  return folded === 'readme' || folded.endsWith('/readme') ? `${folded}.md` : folded;
}

export const endsLikeFile = (name: string): boolean => ENDS_LIKE_FILE.test(name);

/** `Node.js` looks like a file and is none. */
const isNamedLikeFile = (written: string): boolean =>
  technologyAliases().has(written.toLowerCase()) || /\b(?:process\.env|meta\.env|console\.log)$/.test(written);

const isLikeDomain = (written: string): boolean => LIKE_DOMAIN.test(written) && !USUAL_NAME.test(written);

/** The path that it is a part of, if there is only one: among those that are known, or in the same text. */
function resolved(file: string, known: readonly string[], beside: readonly string[]): string {
  if (known.includes(file)) return file;
  const longer = fitting(file, known);
  if (longer.length > 0) return longer.length === 1 && longer[0] !== undefined ? longer[0] : file;
  // Somebody's absolute path of a file that is known inside the project.
  const within = known.filter((path) => path.includes('/') && file.endsWith(`/${path}`));
  if (within.length > 0) return within.reduce((best, path) => (path.length > best.length ? path : best));
  const named = fitting(file, beside);
  return named.length === 1 && named[0] !== undefined ? named[0] : file;
}

function fitting(file: string, paths: readonly string[]): string[] {
  const ending = `/${file}`;
  const longer = paths.filter((path) => path.endsWith(ending));
  return longer.length > 1 ? [...new Set(longer)] : longer;
}

/** The same list is asked about for every statement until another file is touched. */
const folded = new WeakMap<readonly string[], readonly string[]>();
function foldedPaths(known: readonly string[]): readonly string[] {
  let paths = folded.get(known);
  if (paths === undefined) {
    paths = known.flatMap((path) => foldedPath(path) ?? []);
    folded.set(known, paths);
  }
  return paths;
}

/** Another list has nearly the same files in it. */
const MOST_FOLDED = 5_000;
const foldedOf = new Map<string, string | null>();
function foldedPath(path: string): string | undefined {
  let kept = foldedOf.get(path);
  if (kept === undefined) {
    kept = keptFile(normaliseFile(path)) ?? null;
    if (foldedOf.size >= MOST_FOLDED) foldedOf.clear();
    foldedOf.set(path, kept);
  }
  return kept ?? undefined;
}

/** `AGENTS.md/CLAUDE.md`: two files, not a folder with one. */
function separateFiles(file: string): string[] {
  const parts = file.split('/');
  const areFiles =
    parts.length > 1 && parts.length <= 4 && parts.every((part) => /\w\.(?:md|mdx|ts|tsx|js|py|json)$/.test(part));
  return areFiles ? parts : [file];
}

/** `./src/a.ts:12`, `src//a.ts` and `src/a.ts` are one file. */
export function normaliseFile(file: string): string {
  return file
    .replace(/:\d+(?::\d+)?$/, '')
    .replaceAll('\\', '/')
    .replace(/^@(?=[\w.-]+(?:\/[\w.-]+)*\.\w)/, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/');
}
