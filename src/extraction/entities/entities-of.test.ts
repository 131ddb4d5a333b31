import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entitiesOf } from './entities-of.ts';
import type { EntityOptions } from './entity.ts';
import { projectAliases } from './project-aliases.ts';

const names = (text: string, kind?: string, options: EntityOptions = {}): string[] =>
  entitiesOf(text, options)
    .filter((each) => !kind || each.kind === kind)
    .map((each) => each.name)
    .sort();

describe('entities', () => {
  it('are files, in one spelling', () => {
    expect(
      names('See ./src/auth.ts:12, src/auth.ts and `docs/a b`; also Dockerfile and package.json.', 'file'),
    ).toEqual(['dockerfile', 'package.json', 'src/auth.ts']);
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
      'maxretries',
      'parse index line',
      'useauthstore',
      'userid',
    ]);
  });

  it('are people who speak or are spoken of', () => {
    expect(names('Caroline: I met Melanie on Monday in May.', 'person')).toEqual(['caroline', 'melanie']);
  });

  it('are no people where a heading or a title capitalises everything', () => {
    expect(names('Verification Steps: Run All Tests', 'person')).toEqual([]);
    expect(names('Committed: Add the Summary Tab', 'person')).toEqual([]);
    expect(names('We use the Grammarly app at the Lakeside Film Festival', 'person')).toEqual([]);
    expect(names('We use the Grammarly app at the Lakeside Film Festival', 'concept')).toEqual([
      'grammarly',
      'lakeside film festival',
    ]);
    expect(names('It was late and Quentilla suggested a break.', 'person')).toEqual(['quentilla']);
  });

  it('are not taken from addresses, and a list of files is not a path', () => {
    expect(names('see http://localhost:3000/chunk-1.js and @AGENTS.md or A.md/B.md', 'file')).toEqual([
      'a.md',
      'agents.md',
      'b.md',
    ]);
  });

  it('are no speakers where somebody who is no given name says one line: a heading does, too', () => {
    for (const heading of ['Verdict', 'Done', 'Cause', 'Zorblax'])
      expect(names(`${heading}: I think the flag is wrong.`, 'person')).toEqual([]);
    expect(names('Zorblax: I would rather stay.\nMe: why?\nZorblax: because.', 'person')).toEqual(['zorblax']);
    expect(names('Charlie: I would rather stay.', 'person')).toEqual(['charlie']);
  });

  it('are a bare or shortened file name as the one known path that it can mean, in any case', () => {
    const files = ['src/b/auth.ts', 'src/log.ts', 'lib/log.ts', '.planning/STATE.md', 'src/terminal/writer.go'];
    const found = entitiesOf('auth.ts calls src/b/auth.ts, and log.ts', { files });
    expect(found.map(({ name, count }) => [name, count])).toEqual([
      ['src/b/auth.ts', 2],
      ['log.ts', 1],
    ]);
    expect(names('see state.md and terminal/writer.go:12', 'file', { files })).toEqual([
      '.planning/state.md',
      'src/terminal/writer.go',
    ]);
    expect(names('in /home/me/work/src/b/auth.ts', 'file', { files })).toEqual(['src/b/auth.ts']);
    expect(names('writer.go, later cmd/terminal/writer.go', 'file')).toEqual(['cmd/terminal/writer.go']);
  });

  it('are no files that nobody keeps, and no domains', () => {
    for (const path of [
      '/tmp/a.txt',
      '/private/tmp/claude-501/scratchpad/notes.md',
      'node_modules/zod/index.js',
      'tests/test-results/run/error-context.md',
      'C:\\Users\\me\\AppData\\Local\\Temp\\x.log',
      'chunk-36jrqfj4.js',
      `\`$\{name}-prompt.md\``,
    ])
      expect(names(`It is in ${path} now.`, 'file'), path).toEqual([]);
    expect(names('starship.rs and bun.sh tell more', 'file')).toEqual([]);
    expect(names('starship.rs reads it', 'file', { files: ['src/starship.rs'] })).toEqual(['src/starship.rs']);
    expect(names('main.rs, shell/starship.rs and read_only.rs', 'file')).toEqual([
      'main.rs',
      'read_only.rs',
      'shell/starship.rs',
    ]);
  });

  it('are no technology that only a path or the name of a tool contains', () => {
    expect(
      names(
        'moved to .claude/skills/x and ~/.claude (.claude), opened by POSTGRES_URL and mcp__Claude_Browser__open',
        'technology',
      ),
    ).toEqual([]);
    expect(names('Claude wrote it', 'technology')).toEqual(['anthropic']);
  });

  it('are models by their family, whatever the version', () => {
    expect(names('claude-sonnet-4-5-20250929, Opus 4.6, gpt-4o-mini', 'technology')).toEqual([
      'claude opus',
      'claude sonnet',
      'openai',
    ]);
  });

  it('are tools in whatever way they are written', () => {
    expect(names('golangci-lint, CodeRabbit, Web3Auth, winget, gofmt; checked by Vale', 'technology')).toEqual([
      'coderabbit',
      'gofmt',
      'golangci-lint',
      'vale',
      'web3auth',
      'winget',
    ]);
    expect(names('github-actions and GithubActions', 'technology')).toEqual(['github actions']);
  });

  it('are no hashes, numbers, verbs, or words that begin something', () => {
    for (const text of [
      'cherry-pick `25b285969` and `0baa988b`, at `0x1f` or `deadbeef12`',
      'then press Enter, and Users who Write it',
      'it says **Authorized** origins - Lookup cache - "Remove" (Badge) / Issues',
      '`Read`, `Write`, `down()`, `data`, `text-sm`, `w-4`, `logs.length`, `tmp/clones/`',
      'Proxy is at /Users/dev/Code/Work and in .planning/Phases/x',
      'it broke\n at renderWithHooks (index.js:12:24) at beginWork (index.js:1:2) performWork @ index.js:17',
    ])
      expect(names(text, 'concept'), text).toEqual([]);
  });

  it('are found as seed 004 names them', () => {
    const projects = projectAliases(['control-v1.1', 'lora-test']);
    const text =
      'Maria asked for mesh networking in control-v1.1: the ESP32 with an SX1262 writes to SQLite, see src/mesh.cpp. It must be fail-safe, as lora-test is.';
    const found = entitiesOf(text, { projects }).map(({ name, kind }) => `${kind} ${name}`);
    expect(found.sort()).toEqual([
      'concept failsafe',
      'concept mesh networking',
      'file src/mesh.cpp',
      'person maria',
      'project controlv1.1',
      'project loratest',
      'technology esp32',
      'technology sqlite',
      'technology sx1262',
    ]);
  });

  it('are projects in every spelling of their names, but not every app', () => {
    const projects = projectAliases(['tide-table', 'web-app', 'app', 'react']);
    expect(entitiesOf('TideTable, tide-table, `tidetable` and tide table', { projects })).toEqual([
      { name: 'tidetable', kind: 'project', count: 4 },
    ]);
    expect(names('the web app is an app; web-app is ours', undefined, { projects })).toEqual(['webapp']);
    expect(names('React', undefined, { projects })).toEqual([]);
  });

  it('are the same things for every spelling in a text', () => {
    const spellings = [
      'feedPrivateKey',
      'feed_private_key',
      'FEED_PRIVATE_KEY',
      'FeedPrivateKey',
      '`feed-private-key`',
    ];
    for (const spelling of spellings)
      expect(names(`see ${spelling}`, 'concept'), spelling).toEqual(['feed private key']);
  });

  it('follow the aliases and projects of the user', () => {
    const found = entitiesOf('the warehouse and cairn', {
      aliases: new Map([['warehouse', 'snowflake']]),
      projects: projectAliases(['cairn']),
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
    const options = { aliases: new Map([['warehouse', 'snowflake']]), projects: projectAliases(['cairn']) };
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

  it('are not the capitals of a title above a statement, but those of the statement', () => {
    const names = (text: string) => entitiesOf(text).map(({ name }) => name);
    expect(names('Report Given By Maria Lopez: the harbour is closed.')).not.toContain('maria');
    expect(names('The report was given by Maria Lopez: the harbour is closed.')).toContain('maria');
    expect(names('Harbour Report: it was given by Maria Lopez.')).toContain('maria');
  });
});
