import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAsking, isLooking, readCommand } from './shell-command.ts';

const ROOT = '/work/shop';
const read = (command: string, cwd = ROOT) => readCommand(command, ROOT, cwd);
const key = (command: string, cwd = ROOT): string => read(command, cwd).key;

describe('a shell command', () => {
  it.each([
    'npm test',
    '  npm   test ',
    'npm test 2>&1',
    'npm test 2>&1 | tail -20',
    'npm test | head -n 5',
    'npm test > /dev/null',
    'cd /work/shop && npm test',
    'CI=1 npm test',
    'NODE_ENV="test" DEBUG=x npm test',
    'export CI=1 && npm test',
    'time npm test',
    'timeout 60s npm test',
    'npm test;',
    'npm test || true',
    'npm test; echo "exit: $?"',
  ])('is `npm test` with something around it: %j', (command) => {
    expect(key(command)).toBe('. npm test');
  });

  it('is another command in another folder, or with other arguments', () => {
    expect(key('cd web && npm test')).toBe('web npm test');
    expect(key('npm test', '/work/shop/web')).toBe('web npm test');
    expect(key('cd web && npm test', '/work/shop/web')).toBe('web npm test');
    expect(key('cd ../api; npm test', '/work/shop/web')).toBe('api npm test');
    expect(key('npm test -- --watch')).not.toBe(key('npm test'));
    expect(key('npm test', '/elsewhere')).toBe('/elsewhere npm test');
  });

  it('knows when its success says nothing', () => {
    expect(read('npm test 2>&1').isMasked).toBe(false);
    for (const command of ['npm test | tail -5', 'npm test || true', 'npm test; echo done'])
      expect(read(command).isMasked).toBe(true);
  });

  it('has a program and a verb, behind those that run others', () => {
    const words = (command: string) => read(command).words.slice(0, 2);
    expect(words('npm run build')).toEqual(['npm', 'run']);
    expect(words('npx vitest run src')).toEqual(['vitest', 'run']);
    expect(words('pnpm exec tsc -p .')).toEqual(['tsc']);
    expect(words('python3 -m pytest -x tests/a.py')).toEqual(['pytest', 'a.py']);
    expect(words('./scripts/check.sh')).toEqual(['check.sh']);
    expect(words('go test ./...')).toEqual(['go', 'test']);
  });

  it('is told from those that only look or ask', () => {
    for (const command of ['ls -la', 'cat a', 'git status', 'git diff', 'rg x', 'echo hi'])
      expect(isLooking(read(command))).toBe(true);
    for (const command of ['npm i', 'git commit -m x', 'rm a', 'make']) expect(isLooking(read(command))).toBe(false);
    for (const command of ['grep x a', 'test -f a', 'diff a b', 'git diff --exit-code'])
      expect(isAsking(read(command))).toBe(true);
    expect(isAsking(read('cat a'))).toBe(false);
  });

  it('shows no secrets', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { key: own, shown, lead } = read(`GITHUB_TOKEN=${secret} gh api -H "Authorization: Bearer ${secret}"`);
    for (const text of [own, shown, lead]) expect(text).not.toContain(secret);
  });

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (command) => {
        expect(read(command).key.length).toBeLessThanOrEqual(600);
      }),
    );
    read('A=1 '.repeat(2_000));
    read(`x${' | tail'.repeat(1_000)}`);
    read(`${'"'.repeat(2_000)}`);
  });
});
