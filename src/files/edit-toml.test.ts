// One table of a TOML file comes and goes; every other byte stays. `smol-toml` judges what the file says before and after.
import fc from 'fast-check';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { hasTable, removeTable, setTable } from './edit-toml.ts';

const NAME = ['mcp_servers', 'cairn'] as const;
const ENTRY = { command: '/usr/bin/node', args: ['/a b/é.js', 'mcp'] };
const TABLE = '[mcp_servers.cairn]\ncommand = "/usr/bin/node"\nargs = ["/a b/é.js", "mcp"]\n';
const said = (text: string): TomlTable => parse(text, { integersAsBigInt: true });

describe('a table', () => {
  it('is put at the end of a file, which ends as it ended before', () => {
    expect(setTable('', NAME, ENTRY)).toBe(TABLE);
    expect(setTable('model = "o"\n', NAME, ENTRY)).toBe(`model = "o"\n\n${TABLE}`);
    expect(setTable('model = "o"', NAME, ENTRY)).toBe(`model = "o"\n\n${TABLE.trimEnd()}`);
  });

  it('takes the keys that it needs in one that is there, and leaves the others to the user', () => {
    const old =
      '[a]\nx = 1\n\n[ mcp_servers . "cairn" ] # ours\n# slow machine\nstartup_timeout_sec = 20\ncommand = "old" # moved\n[mcp_servers.cairn.env]\nX = "1"\n\n# about z\n[z]\ny = 2\n';
    const set = setTable(old, NAME, ENTRY);
    expect(set).toBe(
      old.replace('# ours\n', '# ours\nargs = ["/a b/é.js", "mcp"]\n').replace('"old"', '"/usr/bin/node"'),
    );
    expect(setTable(set, NAME, ENTRY)).toBe(set);
    expect(removeTable(set, NAME)).toBe('[a]\nx = 1\n# slow machine\n\n# about z\n[z]\ny = 2\n');
  });

  it('leaves the comment above the next table when it goes', () => {
    const text = `${TABLE}\n# my notes about z\n[z]\ny = 2\n`;
    expect(removeTable(text, NAME)).toBe('\n# my notes about z\n[z]\ny = 2\n');
  });

  it.each([
    [
      'a = """\n[mcp_servers.cairn]\n"""\nb = \'\'\'\n[mcp_servers.cairn]\'\'\'\n# [mcp_servers.cairn]\nc = "\\"" # """\n',
    ],
    ["a = \"\"\"two \\\n  quotes\"\"\"\"\"\n[x]\ny = '''it's\n[mcp_servers.cairn]\n'''''\n"],
    ['rules = [\n  ["mcp_servers.cairn"], # [mcp_servers.cairn]\n  [\n"x"],\n]\n'],
    ['["mcp_servers.cairn"]\nx = 1\n'],
    ['["a]b"]\nx = 1\n[\'c [d]\']\ny = 2\n'],
    ['"mcp_servers.cairn" = 1\nmcp_servers.other.command = "x"\n'],
    ['[[list]]\nx = 1\n[[list]]\nx = 2\n[list.sub]\ny = { a = "]", b = \'#\' }\n'],
    ['[mcp_servers]\nother = { command = "x" }\n'],
    ['[mcp_servers.other]\ncommand = "x"\nargs = []'],
    ['\uFEFFa = 1\r\n\r\n[b]\r\nc = """\r\n[d]\r\n"""\r\n'],
    ['# only a comment'],
    ['\n\n\n'],
    ['big = 9223372036854775807\nfloat = 1.10\ndate = 1979-05-27T07:32:00-08:00\nnan = nan\n'],
  ])('comes and goes and leaves the bytes of %j', (text) => {
    expect(hasTable(text, NAME)).toBe(false);
    const set = setTable(text, NAME, ENTRY);
    expect(set.startsWith(text)).toBe(true);
    expect((said(set).mcp_servers as TomlTable).cairn).toMatchObject(ENTRY);
    expect(setTable(set, NAME, ENTRY)).toBe(set);
    expect(removeTable(set, NAME)).toBe(text);
  });

  it('that was parted goes with all its parts', () => {
    const text = `${TABLE}[z]\ny = 2\n[mcp_servers.cairn.env]\nA = "1"\n# end\n`;
    expect(removeTable(text, NAME)).toBe('[z]\ny = 2\n# end\n');
  });

  it('is taken out between tables whose names have brackets and dots', () => {
    const text = `${TABLE}["x]y"]\na = 1\n["mcp_servers.cairn"]\nb = 2\n`;
    expect(removeTable(text, NAME)).toBe('["x]y"]\na = 1\n["mcp_servers.cairn"]\nb = 2\n');
  });

  it.each([
    ['mcp_servers = { other = { command = "x" } }\n', 'its line 1'],
    ['a = 1\nmcp_servers.cairn.command = "x"\n', 'its line 2'],
    ['"mcp_servers" . \'cairn\' = { command = "x" }\n', 'its line 1'],
    ['[mcp_servers]\ncairn = { command = "x" }\n', 'its line 2'],
    ['[mcp_servers]\ncairn.command = "x"\n', 'its line 2'],
    ['mcp_servers = 3\n', 'its line 1'],
    ['[[mcp_servers.cairn]]\ncommand = "x"\n', 'its line 1'],
    ['a = \n', 'no valid TOML'],
    ['[a]\n[a]\n', 'no valid TOML'],
  ])('is not put beside what says the same in another way, or into what is no TOML: %j', (text, why) => {
    expect(() => setTable(text, NAME, ENTRY)).toThrow(why);
  });

  it.each(['mcp_servers.cairn.command = "x"\n', '[mcp_servers]\ncairn = { command = "x" }\n'])(
    'that is written in another way is not left behind without a word: %j',
    (text) => {
      expect(() => removeTable(text, NAME)).toThrow('its line');
    },
  );

  it('that says the same in another way is left as it is', () => {
    const text = `mcp_servers = { cairn = { command = "${ENTRY.command}", args = ["/a b/é.js", 'mcp'] } }\n`;
    expect(setTable(text, NAME, ENTRY)).toBe(text);
  });

  it('comes and goes without a trace in any file', () => {
    const key = fc.oneof(
      fc.constantFrom('mcp_servers', 'cairn', 'a.b', 'x]y', '', 'é', '"', '#'),
      fc.string({ maxLength: 5 }),
    );
    const leaf = fc.oneof(
      fc.constantFrom('[mcp_servers.cairn]', '\n[mcp_servers.cairn]\n', '"""', "'''", '# x', '\\', '\u007f'),
      fc.string(),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const { table } = fc.letrec<{ node: unknown; table: { [key: string]: unknown } }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        tie('table'),
        fc.array(tie('table'), { minLength: 1, maxLength: 2 }),
      ),
      table: fc.dictionary(
        key.filter((each) => each !== '__proto__'),
        tie('node'),
        { maxKeys: 4 },
      ),
    }));
    const extra = fc.constantFrom(
      '',
      '# note',
      '\n',
      '\n\n# [mcp_servers.cairn]\n',
      'z9 = """\n[mcp_servers.cairn]\n"""\n',
    );
    const file = fc.tuple(extra, table, fc.boolean(), fc.boolean()).map(([above, value, crlf, open]) => {
      const text = `${above}${above === '' || above.endsWith('\n') ? '' : '\n'}${stringify(value)}`;
      const ended = open ? text.replace(/\n+$/, '') : text;
      return crlf ? ended.replace(/\r?\n/g, '\r\n') : ended;
    });
    fc.assert(
      fc.property(file, (text) => {
        let set: string;
        try {
          set = setTable(text, NAME, ENTRY);
        } catch (error) {
          expect((error as Error).message).toMatch(/would not go together|cannot be changed|no valid TOML/);
          return;
        }
        const [before, after] = [said(text), said(set)];
        expect((after.mcp_servers as TomlTable).cairn).toMatchObject(ENTRY);
        const others = (from: TomlTable): unknown => {
          const { mcp_servers, ...rest } = from;
          const { cairn: _, ...servers } = (mcp_servers ?? {}) as TomlTable;
          return { rest, servers };
        };
        expect(others(after)).toEqual(others(before));
        if ((before.mcp_servers as TomlTable | undefined)?.cairn === undefined)
          expect(removeTable(set, NAME)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
