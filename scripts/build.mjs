// Builds dist/. Several bundles, because cold start counts:
//   faces/cli/main.js   the binary, CommonJS and tiny: it picks one of the next three
//   faces/hooks/*.js    one file for each event, CommonJS, opened with a code cache (src/faces/launcher/load-bundle.ts)
//   faces/mcp/server.js the server of a conversation, likewise
//   faces/cli/command-line.js   all commands, likewise, with the parser of options in it
//   faces/late/*.js     what a failure or a server needs and nothing else does, loaded when there is one
//   index.js            the public API
//   viewer/             the page of `cairn ui` (scripts/build-viewer.mjs)
//   native/             SQLite for Node below 22.13, one binary for each platform (src/store/sqlite/carried-sqlite.ts)
// Packages stay outside; the native ones are optional and imported late.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
if (!existsSync('src')) process.exit(0); // installed from the package: dist/ is there

const { build } = await import('esbuild');
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  outbase: 'src',
  outdir: 'dist',
  logLevel: 'warning',
};

/**
 * Node's own modules, once each. Left to itself, the bundler copies every property of `fs` for every file that imports it,
 * which cost a hook more than its work. Named imports are looked up in the sources, so that no lazy getter is touched.
 */
const builtinsOnce = {
  name: 'builtins-once',
  setup: (esbuild) => {
    const names = namedBuiltins();
    esbuild.onResolve({ filter: /^node:/ }, (args) => {
      if (args.namespace === 'builtin') return { path: args.path, external: true };
      // A package's `require` gets the module itself.
      const isOurs = args.kind !== 'require-call' || SLOW_BUILTINS.test(args.path);
      return isOurs ? { path: args.path, namespace: 'builtin' } : { path: args.path, external: true };
    });
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, (args) => {
      const named = [...(names.get(args.path) ?? [])];
      if (SLOW_BUILTINS.test(args.path))
        return {
          contents: [
            `let builtin; const loaded = () => (builtin ??= ${load(args.path)});`,
            'export default new Proxy({}, { get: (_, name) => loaded()[name] });',
            ...named.map((name) => `export const ${name} = (...args) => loaded().${name}(...args);`),
          ].join('\n'),
        };
      const consts = named.map((name) => `export const ${name} = builtin.${name};`).join('\n');
      return { contents: `const builtin = ${load(args.path)};\nexport default builtin;\n${consts}` };
    });
  },
};

/** Loaded at the first call of one of their functions: they cost as much as a small command, and most of these do without. */
const SLOW_BUILTINS = /^node:(?:crypto|child_process|module|os|zlib)$/;
const load = (builtin) => `require('${builtin}')`;

/** `node:crypto` → what is imported from it by name. */
function namedBuiltins() {
  const names = new Map();
  for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
    const text = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
    for (const [, list, from] of text.matchAll(/^import (?:\w+, )?\{([^}]*)\} from '(node:[\w/]+)';/gm)) {
      const known = names.get(from) ?? new Set();
      for (const each of list.split(',')) {
        const name = each.trim().split(/\s+as\s+/)[0];
        if (name && !name.startsWith('type ')) known.add(name);
      }
      names.set(from, known);
    }
  }
  return names;
}

/**
 * What few need stands beside the bundles, and the others do not pay for it: the masking of a message about a failure, the store on a
 * server. Named as the binary sees them, which does the importing (src/faces/launcher/load-bundle.ts).
 */
const LATE = ['app/hooks/mask-message', 'app/server-store'];
const partsLate = {
  name: 'parts-late',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /\/(?:mask-message|server-store)\.ts$/ }, ({ kind, path: name }) =>
      kind === 'dynamic-import' ? { path: `../late/${path.basename(name, '.ts')}.js`, external: true } : undefined,
    );
  },
};

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
function hashOf(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Makes functions of the bundles, as src/faces/launcher/load-bundle.ts calls them. `import()` of a package goes through the loader: a
 * script that comes out of V8's code cache has lost what `import()` needs, and no model could be loaded from the second start on.
 */
function wrapForLoader(folder) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8').replace(/\bimport\(("[^"]+")\)/g, '__import($1)');
    // The loader reads ASCII; what is left of other letters stands in strings and patterns.
    const ascii = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    writeFileSync(file, `(function (exports, require, module, __bundleFile, __import, __bundleRequire) {${ascii}\n})`);
  }
}

/** In CommonJS there is no `import.meta`; the loader of the bundles passes their file (src/faces/launcher/load-bundle.ts). */
const bundleFile = { 'import.meta.url': '__bundleFile' };

rmSync('dist', { recursive: true, force: true });
const events = readdirSync('src/faces/hooks/entries').map((name) => path.basename(name, '.ts'));
const hooks = await build({
  ...common,
  entryPoints: events.map((event) => `src/faces/hooks/entries/${event}.ts`),
  outbase: 'src/faces/hooks/entries',
  outdir: 'dist/faces/hooks',
  format: 'cjs',
  minify: true, // half the bytes to read on every prompt
  plugins: [builtinsOnce, partsLate],
  define: bundleFile,
  metafile: true,
});
await build({
  ...common,
  entryPoints: ['src/faces/cli/command-line.ts', 'src/faces/mcp/server.ts'],
  format: 'cjs',
  minify: true,
  packages: 'bundle',
  mainFields: ['module', 'main'], // the main file of jsonc-parser asks for its parts in a way that no bundler sees
  // Native ones come with files of their own; age is for sync alone, and larger than most of the rest.
  external: [...Object.keys(optionalDependencies), 'age-encryption'],
  plugins: [builtinsOnce, partsLate],
  define: bundleFile,
});
for (const face of ['hooks', 'cli', 'mcp']) wrapForLoader(`dist/faces/${face}`);
await Promise.all([
  build({
    ...common,
    entryPoints: [{ in: 'src/faces/launcher/main.ts', out: 'faces/cli/main' }], // where the package and the plugin name it
    format: 'cjs',
    minify: true,
    plugins: [builtinsOnce],
    define: {
      __HOOKS_BUILD__: JSON.stringify(hashOf(...events.map((event) => `dist/faces/hooks/${event}.js`))),
      'import.meta.url': '__filename',
      __COMMAND_LINE_BUILD__: JSON.stringify(hashOf('dist/faces/cli/command-line.js')),
      __MCP_BUILD__: JSON.stringify(hashOf('dist/faces/mcp/server.js')),
    },
  }),
  build({
    ...common,
    entryPoints: LATE.map((name) => ({ in: `src/${name}.ts`, out: path.basename(name) })),
    outdir: 'dist/faces/late',
    format: 'cjs',
    minify: true,
    define: { 'import.meta.url': '__filename' },
  }),
  build({ ...common, entryPoints: ['src/index.ts'], format: 'esm' }),
]);
writeFileSync('dist/faces/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/faces/hooks/bundles.meta.json', JSON.stringify(hooks.metafile)); // what the hooks load; a test reads it
// They are part of that bundle.
const licences = [
  ['commander', 'LICENSE'],
  ['jsonc-parser', 'LICENSE.md'],
  ['smol-toml', 'LICENSE'],
].map(([name, file]) => `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, 'utf8')}`);
writeFileSync('dist/faces/cli/command-line.LICENSE.txt', licences.join('\n'));
chmodSync('dist/faces/cli/main.js', 0o755);
const sqlite = path.dirname(createRequire(import.meta.url).resolve('@photostructure/sqlite/package.json'));
cpSync(`${sqlite}/prebuilds`, 'dist/native', { recursive: true });
cpSync(`${sqlite}/LICENSE`, 'dist/native/LICENSE');

const { buildViewer } = await import('./build-viewer.mjs');
await buildViewer();

/** The declarations of the public API, and of nothing else: those that index.d.ts names, one after the other. */
function publishTypes() {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  const all = mkdtempSync(path.join(os.tmpdir(), 'cairn-types-'));
  try {
    const argv = [path.join(path.dirname(tsc), 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', all];
    execFileSync(process.execPath, argv, { stdio: 'inherit' });
    const wanted = ['index.d.ts'];
    for (const name of wanted) {
      const text = readFileSync(path.join(all, name), 'utf8').replace(/(from '\.[^']+)\.ts'/g, "$1.js'");
      for (const [, from] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
        const next = path.posix.join(path.posix.dirname(name), `${from}.d.ts`);
        if (!wanted.includes(next)) wanted.push(next);
      }
      mkdirSync(path.dirname(path.join('dist', name)), { recursive: true });
      writeFileSync(path.join('dist', name), text);
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

if (!process.argv.includes('--no-types')) publishTypes();
