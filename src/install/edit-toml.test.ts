// One table of a TOML file comes and goes; every other byte stays.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTable, otherwiseSaid, removeTable, setTable } from './edit-toml.ts';

const NAME = 'mcp_servers.cairn';
const ENTRY = { command: '/usr/bin/node', args: ['/a b/é.js', 'mcp'] };
const TABLE = '[mcp_servers.cairn]\ncommand = "/usr/bin/node"\nargs = ["/a b/é.js", "mcp"]\n';

describe('a table', () => {
  it('is put at the end of a file', () => {
    expect(setTable('', NAME, ENTRY)).toBe(TABLE);
    expect(setTable('model = "o"\n', NAME, ENTRY)).toBe(`model = "o"\n\n${TABLE}`);
    expect(setTable('model = "o"', NAME, ENTRY)).toBe(`model = "o"\n\n${TABLE}`);
  });

  it('takes the place of an older one and of what is below that', () => {
    const old =
      '[a]\nx = 1\n\n[ mcp_servers . "cairn" ] # ours\ncommand = "old"\n[mcp_servers.cairn.env]\nX = "1"\n\n[z]\ny = 2\n';
    expect(setTable(old, NAME, ENTRY)).toBe(`[a]\nx = 1\n\n${TABLE}\n[z]\ny = 2\n`);
  });

  it('is not looked for inside strings and comments', () => {
    const text =
      'a = """\n[mcp_servers.cairn]\n"""\nb = \'\'\'\n[mcp_servers.cairn]\'\'\'\n# [mcp_servers.cairn]\nc = "\\"" # """\n';
    expect(hasTable(text, NAME)).toBe(false);
    expect(removeTable(setTable(text, NAME, ENTRY), NAME)).toBe(text);
  });

  it.each([
    ['mcp_servers = { other = { command = "x" } }\n', 1],
    ['a = 1\nmcp_servers.cairn.command = "x"\n', 2],
    ['"mcp_servers" . \'cairn\' = { command = "x" }\n', 1],
    ['[mcp_servers]\ncairn = { command = "x" }\n', 2],
    ['[mcp_servers]\ncairn.command = "x"\n', 2],
    ['mcp_servers.other.command = "x"\n', undefined],
    ['[mcp_servers]\nother = { command = "x" }\n', undefined],
    ['[mcp_servers.cairn]\ncommand = "x"\n[mcp_servers.cairn.env]\nmcp_servers = "x"\n', undefined],
    ['[profile]\nmcp_servers = ["x"]\n', undefined],
    ['a = """\nmcp_servers = 1\n"""\n# mcp_servers = 1\n', undefined],
  ])('is not put beside what says the same in another way: %j', (text, line) => {
    expect(otherwiseSaid(text, NAME)).toBe(line);
  });

  it('keeps the line ends of the file', () => {
    expect(setTable('a = 1\r\n', NAME, ENTRY)).toBe(`a = 1\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`);
  });

  it('comes and goes without a trace between any other tables', () => {
    const other = fc
      .array(
        fc.constantFrom(
          '[a]\nx = 1\n',
          '[[list]]\ny = "[mcp_servers.cairn]"\n',
          '# note\n',
          '\n',
          '[mcp_servers.other]\ncommand = "x"\n',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(other, (text) => {
        const added = setTable(text, NAME, ENTRY);
        expect(hasTable(added, NAME)).toBe(true);
        expect(added.startsWith(text)).toBe(true);
        expect(setTable(added, NAME, ENTRY)).toBe(added);
        expect(removeTable(added, NAME).trimEnd()).toBe(text.trimEnd());
      }),
    );
  });
});
