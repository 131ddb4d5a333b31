import { describe, expect, it } from 'vitest';
import { CairnError } from '../../errors.ts';
import type { Io } from './io.ts';
import { printError } from './print-error.ts';

function printed(error: unknown, json = false): string {
  const lines: string[] = [];
  const io = { out: (text: string) => lines.push(text), err: (text: string) => lines.push(text) } as unknown as Io;
  printError(io, error, json);
  return lines.join('\n');
}

const system = (code: string): Error => Object.assign(new Error(`${code}: no, open '/x'`), { code });

describe('an error in print', () => {
  it('says what happened, the facts, and what to do', () => {
    const error = new CairnError('READ_ERROR', 'It is torn.', { details: [['target', 'a\nb']], fix: 'Mend it.' });
    expect(printed(error)).toBe('cairn: It is torn.\n  target: a b\nWhat to do: Mend it.');
    expect(JSON.parse(printed(error, true)).error).toMatchObject({ code: 'READ_ERROR', fix: 'Mend it.' });
  });

  it.each(['EACCES', 'EPERM', 'ENOSPC', 'EROFS', 'EMFILE', 'EIO', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'])(
    'of the system says what to do, too: %s',
    (code) => {
      expect(printed(system(code))).toMatch(/^cairn: E[A-Z]+: no, open '\/x'\nWhat to do: .{20}/);
      expect(JSON.parse(printed(system(code), true)).error).toMatchObject({
        code: 'IO_ERROR',
        fix: expect.any(String),
      });
    },
  );

  it('of another kind is told as it is', () => {
    expect(printed(new TypeError('odd'))).toBe('cairn: odd');
  });
});
