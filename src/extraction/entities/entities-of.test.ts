import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entitiesOf } from './entities-of.ts';
import { resolveFiles } from './resolve-files.ts';

const names = (text: string, kind?: string): string[] =>
  entitiesOf(text)
    .filter((each) => !kind || each.kind === kind)
    .map((each) => each.name)
    .sort();

describe('entities', () => {
  it('are files, in one spelling', () => {
    expect(
      names('See ./src/auth.ts:12, src/auth.ts and `docs/a b`; also Dockerfile and package.json.', 'file'),
    ).toEqual(['Dockerfile', 'package.json', 'src/auth.ts']);
    expect(entitiesOf('src/a.ts then ./src/a.ts').find((each) => each.name === 'src/a.ts')?.count).toBe(2);
  });

  it('are technologies, whatever they are called', () => {
    expect(names('We moved from Postgres to PostgreSQL 16 and k8s; pg and psql work.', 'technology')).toEqual([
      'kubernetes',
      'postgresql',
    ]);
    expect(names('GitHub Actions and VS Code, React Native with Node.js', 'technology')).toEqual([
      'github actions',
      'node.js',
      'react native',
      'vscode',
    ]);
  });

  it('are not everyday words that are also names of technologies', () => {
    expect(names('we make the rest go to the next node and react to it', 'technology')).toEqual([]);
    expect(names('it runs on Express and we react to Linear', 'technology')).toEqual(['express', 'linear']);
  });

  it('are identifiers as concepts', () => {
    expect(names('Call `parseIndexLine()` in the useAuthStore, set MAX_RETRIES and user_id', 'concept')).toEqual([
      'MAX_RETRIES',
      'parseIndexLine',
      'useAuthStore',
      'user_id',
    ]);
  });

  it('are people who speak or are spoken of', () => {
    expect(names('Caroline: I met Melanie on Monday in May.', 'person')).toEqual(['Caroline', 'Melanie']);
  });

  it('are no people where a heading or a title capitalises everything', () => {
    expect(names('Verification Steps: Run All Tests', 'person')).toEqual([]);
    expect(names('Committed: Add the Summary Tab', 'person')).toEqual([]);
    expect(names('We use the Grammarly app at the Lakeside Film Festival', 'person')).toEqual([]);
    expect(names('We use the Grammarly app at the Lakeside Film Festival', 'concept')).toEqual([
      'Grammarly',
      'Lakeside Film Festival',
    ]);
    expect(names('It was late and Quentilla suggested a break.', 'person')).toEqual(['Quentilla']);
    expect(names('Zorblax: I would rather stay.', 'person')).toEqual(['Zorblax']);
  });

  it('are not taken from addresses, and a list of files is not a path', () => {
    expect(names('see http://localhost:3000/chunk-1.js and @AGENTS.md or A.md/B.md', 'file')).toEqual([
      'A.md',
      'AGENTS.md',
      'B.md',
    ]);
  });

  it('a bare file name is the file of that name that was touched', () => {
    const found = entitiesOf('auth.ts calls src/b/auth.ts, and log.ts');
    expect(
      resolveFiles(found, ['src/b/auth.ts', 'src/log.ts', 'lib/log.ts']).map(({ name, count }) => [name, count]),
    ).toEqual([
      ['src/b/auth.ts', 2],
      ['log.ts', 1],
    ]);
  });

  it('follow the aliases and projects of the user', () => {
    const found = entitiesOf('the warehouse and cairn', {
      aliases: new Map([['warehouse', 'snowflake']]),
      projects: new Set(['cairn']),
    });
    expect(found.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual(['project cairn', 'technology snowflake']);
  });

  it('are the same in plain text and beside letters of other languages, which are read another way', () => {
    const parts = [
      'Postgres',
      "Redis's",
      'react native',
      'Node.js',
      'c++',
      'C#',
      'pg',
      'Anna',
      'said',
      'with',
      '1.2',
      'cairn',
    ];
    const marks = [' ', '. ', ', ', "'", '-', '...', ' (', ': ', '\n', ' — '];
    const options = { aliases: new Map([['warehouse', 'snowflake']]), projects: new Set(['cairn']) };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, ...marks, ...marks), { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(entitiesOf(`${text} é`, options)).toEqual(entitiesOf(`${text} e`, options));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found in any text, the same each time', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.string({ unit: fc.constantFrom('a', 'B', '_', '/', '.', 't', 's', '`', ' ', ':'), maxLength: 300 }),
        ),
        (text) => {
          expect(entitiesOf(text)).toEqual(entitiesOf(text));
          expect(entitiesOf(text).length).toBeLessThanOrEqual(40);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
