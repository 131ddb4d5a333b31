import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempProject } from '../../test/fixtures/temp-project.ts';
import { resolveImports } from './resolve-import.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const files = (...names: string[]): void => {
  for (const name of names) project.write(name, 'x');
};
const resolve = (file: string, language: string, ...specs: string[]) =>
  resolveImports(project.root, file, language, specs);

describe('what a file imports', () => {
  it('is a file for TypeScript and JavaScript: with and without ending, compiled names, folders, aliases', () => {
    files(
      'src/a.ts',
      'src/store.ts',
      'src/view.tsx',
      'src/lib/index.ts',
      'src/old.js',
      'src/data.json',
      'shared/x.mts',
    );
    expect(
      resolve(
        'src/a.ts',
        'typescript',
        './store.js',
        './view',
        './lib',
        './old',
        './data.json',
        '../shared/x.mjs',
        '@/store',
        './gone',
        'react',
        '@scope/pkg/part',
        'node:fs',
        './a.ts',
      ),
    ).toEqual({
      files: ['src/store.ts', 'src/view.tsx', 'src/lib/index.ts', 'src/old.js', 'src/data.json', 'shared/x.mts'],
      packages: ['./gone', 'react', '@scope/pkg', 'node:fs'],
    });
  });

  it('is a module for Python: relative, absolute, in src, packages', () => {
    files('src/app/models.py', 'src/app/db/__init__.py', 'src/shared/util.py', 'tools/x.py');
    expect(
      resolve(
        'src/app/main.py',
        'python',
        '.models',
        '.db',
        '..shared.util',
        'app.models',
        'shared.util',
        'tools.x',
        'numpy.linalg',
      ),
    ).toEqual({
      files: ['src/app/models.py', 'src/app/db/__init__.py', 'src/shared/util.py', 'tools/x.py'],
      packages: ['numpy'],
    });
  });

  it('is a folder of the module for Go', () => {
    project.write('go.mod', 'module example.com/shop\n\ngo 1.22\n');
    files('internal/store/store.go', 'api/handlers.go');
    expect(
      resolve(
        'main.go',
        'go',
        'example.com/shop/internal/store',
        'example.com/shop/api',
        'fmt',
        'example.com/shopping',
      ),
    ).toEqual({
      files: ['internal/store/store.go'],
      packages: ['api', 'fmt', 'example.com/shopping'],
    });
  });

  it('is a module of the crate for Rust', () => {
    files('src/lib.rs', 'src/store.rs', 'src/store/cache.rs', 'src/model/mod.rs', 'src/config.rs');
    expect(
      resolve(
        'src/store.rs',
        'rust',
        'mod cache',
        'crate::model::Blob',
        'super::config::Settings',
        'self::cache::Cache',
        'serde',
        'std',
      ),
    ).toEqual({
      files: ['src/store/cache.rs', 'src/model/mod.rs', 'src/config.rs'],
      packages: ['serde', 'std'],
    });
    expect(resolve('src/lib.rs', 'rust', 'mod store', 'mod gone').files).toEqual(['src/store.rs']);
  });

  it('is a class for Java, a header for C, a file for Ruby, a link for Markdown', () => {
    files(
      'src/main/java/com/acme/Money.java',
      'include/ring.h',
      'src/util.h',
      'lib/shop/letter.rb',
      'docs/a b.md',
      'src/x.ts',
    );
    expect(
      resolve('src/main/java/com/acme/orders/Orders.java', 'java', 'com.acme.Money', 'java.util.List', 'java.util.*'),
    ).toEqual({
      files: ['src/main/java/com/acme/Money.java'],
      packages: ['java.util'],
    });
    expect(resolve('src/ring.c', 'c', '"util.h"', '<ring.h>', '<stdio.h>', '"gone.h"')).toEqual({
      files: ['src/util.h', 'include/ring.h'],
      packages: ['stdio.h', '"gone.h"'],
    });
    expect(resolve('lib/shop.rb', 'ruby', './shop/letter', 'shop/letter', 'json')).toEqual({
      files: ['lib/shop/letter.rb'],
      packages: ['json'],
    });
    expect(resolve('docs/index.md', 'markdown', './a%20b.md', '../src/x.ts', './gone.md')).toEqual({
      files: ['docs/a b.md', 'src/x.ts'],
      packages: [],
    });
  });

  it('never leads out of the project, whatever it says', () => {
    project.write('../secret.ts', 'x');
    expect(resolve('src/a.ts', 'typescript', '../../secret.ts', '/../secret.ts').files).toEqual([]);
    fc.assert(
      fc.property(
        fc.constantFrom('typescript', 'python', 'go', 'rust', 'java', 'c', 'ruby', 'markdown', 'other'),
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('../../x', '..', '.', '"', '<', 'crate::', 'mod ', '@/', '%'),
          ),
        ),
        (language, specs) => {
          for (const file of resolve('src/a.ts', language, ...specs).files) expect(file).not.toMatch(/^(?:\.\.|\/)/);
        },
      ),
    );
  });
});
