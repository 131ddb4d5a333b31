// Builds dist/. Several bundles, because cold start counts:
//   faces/cli/main.js   the binary, CommonJS and tiny: it picks one of the next two
//   faces/hooks/main.js all hooks in one file, CommonJS, opened with a code cache (src/faces/cli/load-hooks.ts)
//   faces/cli/*.mjs     the command line, split so that shared code is there once
//   index.js            the public API
// Packages stay outside; the native ones are optional and imported late.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** In the binary, the command line is another bundle. */
const commandLineOutside = {
  name: 'command-line-outside',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^\.\/(program|io)\.ts$/ }, (args) =>
      args.kind === 'dynamic-import' ? { path: args.path.replace(/\.ts$/, '.mjs'), external: true } : undefined,
    );
  },
};

/**
 * Node's own modules, once each. Left to itself, the bundler copies every property of `fs` for every file that imports it,
 * which cost a hook more than its work. Named imports are looked up in the sources, so that no lazy getter is touched.
 */
const builtinsOnce = {
  name: 'builtins-once',
  setup: (esbuild) => {
    const names = namedBuiltins();
    esbuild.onResolve({ filter: /^node:/ }, (args) =>
      args.namespace === 'builtin' ? { path: args.path, external: true } : { path: args.path, namespace: 'builtin' },
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, (args) => {
      const named = [...(names.get(args.path) ?? [])].map((name) => `export const ${name} = builtin.${name};`);
      return { contents: `const builtin = require('${args.path}');\nexport default builtin;\n${named.join('\n')}` };
    });
  },
};

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

rmSync('dist', { recursive: true, force: true });
const hooks = await build({
  ...common,
  entryPoints: ['src/faces/hooks/main.ts'],
  format: 'cjs',
  minify: true, // half the bytes to read on every prompt
  plugins: [builtinsOnce],
  metafile: true,
});
const hooksBuild = createHash('sha256').update(readFileSync('dist/faces/hooks/main.js')).digest('hex').slice(0, 12);
await Promise.all([
  build({
    ...common,
    entryPoints: ['src/faces/cli/main.ts'],
    format: 'cjs',
    minify: true,
    plugins: [commandLineOutside, builtinsOnce],
    define: { __HOOKS_BUILD__: JSON.stringify(hooksBuild) },
  }),
  build({
    ...common,
    entryPoints: ['src/faces/cli/program.ts', 'src/faces/cli/io.ts'],
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
  }),
  build({ ...common, entryPoints: ['src/index.ts'], format: 'esm' }),
]);
writeFileSync('dist/faces/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/faces/hooks/main.meta.json', JSON.stringify(hooks.metafile)); // what the hooks load; a test reads it
chmodSync('dist/faces/cli/main.js', 0o755);

if (!process.argv.includes('--no-types')) {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [path.join(path.dirname(tsc), 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
