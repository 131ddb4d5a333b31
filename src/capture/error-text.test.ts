import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidentCause, fingerprintOf, readError } from './error-text.ts';

const PLACES = { projectRoot: '/work/shop', home: '/home/ann' };
const read = (text: string) => readError(text, PLACES);

describe('what a failed command said', () => {
  it.each([
    ['Exit code 3\noops', 'oops'],
    [
      "Exit code 1\n/work/shop/src/a.js:3\n  x.y\n    ^\n\nTypeError: Cannot read properties of undefined (reading 'y')\n    at main (/work/shop/src/a.js:3:5)\n\nNode.js v20",
      "TypeError: Cannot read properties of undefined (reading 'y')",
    ],
    [
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: \'a\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\nValueError: no such order',
      'ValueError: no such order',
    ],
    [
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "error TS2322: Type 'string' is not assignable to type 'number'.",
    ],
    ['error[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:5', 'error[E0382]: borrow of moved value: `x`'],
    ["src/ring.c:12:5: error: unknown type name 'sise_t'\n", "unknown type name 'sise_t'"],
    [
      'panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:',
      'panic: runtime error: index out of range [3] with length 3',
    ],
    [
      'fatal: not a git repository (or any of the parent directories): .git',
      'fatal: not a git repository (or any of the parent directories): .git',
    ],
    [' FAIL  src/a.test.ts > adds\nAssertionError: expected 1 to be 2', 'AssertionError: expected 1 to be 2'],
    ['bash: line 1: frobnicate: command not found', 'bash: line 1: frobnicate: command not found'],
    ['npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! missing script: lint', 'missing script: lint'],
    ['all is well\nlast words', 'last words'],
    ['Exit code 1', ''],
    ['', ''],
  ])('%j is called %j', (text, title) => {
    expect(read(text).title).toBe(title);
  });

  it('has no colours, no paths of this machine, and its exit code apart', () => {
    expect(
      read('Exit code 2\n\u001b[31mError: x\u001b[39m in /work/shop/src/a.ts and /home/ann/.config/y, /work/shop\n'),
    ).toEqual({
      message: 'Error: x in src/a.ts and ~/.config/y, .',
      title: 'x in src/a.ts and ~/.config/y, .',
      exit: 2,
    });
  });

  it('is cut around the line that names it', () => {
    const noise = Array.from({ length: 500 }, (_, at) => `line ${at}`);
    noise[250] = 'TypeError: here';
    const { message } = read(noise.join('\n'));
    expect(message.split('\n').length).toBeLessThanOrEqual(42);
    expect(message).toContain('TypeError: here');
    expect(message.startsWith('…\nline 245\n')).toBe(true);
    expect(read('x'.repeat(10_000)).message.length).toBeLessThan(2_000);
  });

  it('is masked before it is cut: half a secret looks like nothing', () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const { message, title } = readError(`Error: ${'no '.repeat(28)}${token} ${'no '.repeat(55)}${token}`, {
      projectRoot: '/p',
      home: '/h',
    });
    for (const text of [message, title]) expect(text).not.toContain(token.slice(0, 6));
  });

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const { message, title } = read(text);
        expect(message.length).toBeLessThanOrEqual(2_000);
        expect(title.length).toBeLessThanOrEqual(101);
        expect(title).not.toContain('\n');
      }),
    );
    read(`${'a:1'.repeat(60_000)}`);
    read(`${'Error'.repeat(40_000)}`);
  });

  it('has the same fingerprint on every run', () => {
    expect(fingerprintOf('jest', 'Timeout of 5000ms exceeded at 0x7fff12')).toBe(
      fingerprintOf('jest', 'Timeout of 4321ms exceeded at 0x12ab'),
    );
    expect(fingerprintOf('jest', 'a')).not.toBe(fingerprintOf('tsc', 'a'));
  });

  it('shows its cause only where there is no doubt', () => {
    expect(evidentCause("Error: Cannot find module 'zod'")).toBe('The module `zod` was not there.');
    expect(evidentCause("ModuleNotFoundError: No module named 'numpy'")).toBe(
      'The Python module `numpy` was not installed.',
    );
    expect(evidentCause('bash: line 1: jq: command not found')).toBe(
      'The program `jq` was not installed or not on the PATH.',
    );
    expect(evidentCause('Error: listen EADDRINUSE: address already in use :::3000')).toBe('Port 3000 was in use.');
    expect(evidentCause("ENOENT: no such file or directory, open 'a.json'")).toBe('`a.json` did not exist.');
    expect(evidentCause('TypeError: x is not a function')).toBeUndefined();
  });
});
