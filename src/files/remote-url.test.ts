// How remotes are spelled, with git itself as the judge: it is asked which host and which path it would go to.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../test/fixtures/temporary.ts';
import { normaliseRemote } from './remote-url.ts';

describe('a remote', () => {
  it.each([
    ['git@github.com:Owner/Name.git', 'github.com/owner/name'],
    ['ssh://git@github.com:22/owner/name', 'github.com/owner/name'],
    ['ssh://git@ssh.github.com:443/owner/name.git', 'github.com/owner/name'],
    ['https://token@github.com/owner/name/', 'github.com/owner/name'],
    ['https://GitHub.com./owner//name.git/', 'github.com/owner/name'],
    ['git://github.com/owner/name', 'github.com/owner/name'],
    ['git+ssh://git@github.com/owner/name', 'github.com/owner/name'],
    ['https://example.com/some%20team/app', 'example.com/some team/app'],
    ['host:name.git', 'host/name'],
    ['host:/srv/git/name.git', 'host/srv/git/name'],
    ['[host:2222]:team/name', 'host/team/name'],
    ['ssh://git@[::1]:2222/team/name', '[::1]/team/name'],
    ['git@ssh.dev.azure.com:v3/org/team/app', 'dev.azure.com/org/team/_git/app'],
    ['https://org@dev.azure.com/org/team/_git/app', 'dev.azure.com/org/team/_git/app'],
    ['/srv/git/name.git', undefined],
    ['C:\\git\\name', undefined],
    ['C:/git/name', undefined],
    ['file:///srv/name', undefined],
    ['../name', undefined],
    ['./a:b', undefined],
    ['ext::sh -c evil', undefined],
    ['codecommit::eu-west-1://app', undefined],
    ['https://example.com', undefined],
    ['https://example.com/', undefined],
    ['', undefined],
    ['git@host:', undefined],
    ['https://exa mple.com/x', undefined],
  ])('%s is %s', (url, expected) => {
    expect(normaliseRemote(url)).toBe(expected);
  });

  const word = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,10}$/).filter((text) => !/\.git$|\.$/.test(text));

  it('never keeps a user, a password or a token, however it is written', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9!#$%&*+,.;=?@:^_~-]{1,20}$/).map((text) => `zQ${text}Qz`);
    const spelling = fc.constantFrom(
      (key: string) => `https://me:${key}@example.com/team/app.git`,
      (key: string) => `https://${key}@example.com/team/app`,
      (key: string) => `http://${key}:x-oauth-basic@example.com/team/app`,
      (key: string) => `https://example.com/team/app.git?token=${key}`,
      (key: string) => `https://example.com/team/app#${key}`,
      (key: string) => `ssh://me:${key}@example.com:22/team/app`,
      (key: string) => `me:${key}@example.com:team/app`,
      (key: string) => `https:/me:${key}@example.com/team/app`,
      (key: string) => `https:me:${key}@example.com/team/app`,
    );
    fc.assert(
      fc.property(spelling, secret, (spell, key) => {
        const named = normaliseRemote(spell(key));
        expect(named === undefined || named === 'example.com/team/app').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes anything without failing, and its own answers as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (url) => {
        const named = normaliseRemote(url);
        if (named !== undefined) expect(named).toMatch(/^[^\s@]+\/[^@]+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  /** What git would run: the host after `ssh`, and the path in the command for it. */
  function whereGitGoes(url: string, folder: string): { host: string; path: string } {
    const said = path.join(folder, 'said');
    fs.rmSync(said, { force: true });
    const ssh = path.join(folder, 'ssh.cjs');
    fs.writeFileSync(
      ssh,
      `require('fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify(process.argv.slice(2)))`,
    );
    try {
      execFileSync('git', ['ls-remote', '--', url], {
        stdio: 'ignore',
        env: { ...process.env, GIT_SSH_COMMAND: `"${process.execPath}" "${ssh}"`, GIT_SSH_VARIANT: 'ssh' },
      });
    } catch {
      // There is nobody to answer.
    }
    const argv = JSON.parse(fs.readFileSync(said, 'utf8')) as string[];
    const command = argv.at(-1)!;
    return {
      host: argv.at(-2)!.replace(/^.*@/, '').toLowerCase(),
      path: /^git-upload-pack '(.*)'$/.exec(command)![1]!.toLowerCase(),
    };
  }

  it('has the host and the path that git would ask for, in every spelling of ssh', () => {
    const folder = newFolder();
    const spelled = fc.record({
      host: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{1,8}(\.[a-z]{2,4})?$/).filter((text) => !text.endsWith('-')),
      parts: fc.array(word, { minLength: 1, maxLength: 3 }),
      user: fc.constantFrom('', 'git@', 'me@'),
      port: fc.constantFrom('', ':22', ':2222'),
      end: fc.constantFrom('', '.git', '/', '.git/'),
      form: fc.constantFrom('scp', 'scp-root', 'ssh', 'git+ssh', 'bracket'),
    });
    try {
      fc.assert(
        fc.property(spelled, ({ host, parts, user, port, end, form }) => {
          const at = `${parts.join('/')}${end}`;
          const url = {
            scp: `${user}${host}:${at}`,
            'scp-root': `${user}${host}:/${at}`,
            ssh: `ssh://${user}${host}${port}/${at}`,
            'git+ssh': `git+ssh://${user}${host}${port}/${at}`,
            bracket: `${user}[${host}${port}]:${at}`,
          }[form];
          const seen = whereGitGoes(url, folder);
          const expected = `${seen.host}/${seen.path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`;
          expect(normaliseRemote(url)).toBe(expected);
        }),
        { numRuns: 20 },
      );
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
