// Getting to a server that asks who one is and says who it is itself: the password comes from the environment, ~/.pgpass or a service file, and
// a server whose certificate is not trusted, or is another's, gets nothing. A real server with TLS and passwords, the binary as it is shipped.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { sayLoudly } from '../faults/mount-space.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
/** The program itself, where it is installed. */
const OPENSSL: string = 'openssl';
const PASSWORD = 'a word that nobody knows';

function hasOpenssl(): boolean {
  return spawnSync(OPENSSL, ['version'], { stdio: 'ignore' }).status === 0;
}
const none = postgresBinaries() === undefined || !fs.existsSync(binary) || process.platform === 'win32';
const noTls =
  none || sayLoudly(hasOpenssl() ? undefined : 'there is no openssl to make a certificate', 'tests with TLS');

describe.skipIf(none)('the way to a server', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = await startServer();
    base = newFolder();
    await server.sql(`CREATE ROLE alice LOGIN PASSWORD '${PASSWORD}'; CREATE ROLE bob LOGIN`);
    await server.sql('CREATE DATABASE cairn OWNER alice');
    const [row] = await server.sql('SHOW hba_file');
    const file = String(row?.hba_file);
    fs.writeFileSync(file, `host all alice 127.0.0.1/32 scram-sha-256\n${fs.readFileSync(file, 'utf8')}`);
    await server.sql('SELECT pg_reload_conf()');
  });
  afterAll(async () => {
    await server?.remove();
    if (base) await removeBusyFolder(base);
  });

  type Home = { files?: { [name: string]: string }; env?: { [name: string]: string } };
  let homes = 0;

  function status(
    url: string,
    { files = {}, env = {} }: Home = {},
  ): { status: number | null; out: string; err: string } {
    const home = path.join(base, `home-${++homes}`);
    fs.mkdirSync(path.join(home, 'project'), { recursive: true });
    put(path.join(home, '.cairn/config.json'), { store: { url } });
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(home, name), text, { mode: 0o600 });
    const { PGPASSWORD: _, PGPASSFILE: __, PGSERVICEFILE: ___, CAIRN_HOME: ____, ...inherited } = process.env;
    const ran = spawnSync(process.execPath, [binary, 'store', 'status'], {
      cwd: path.join(home, 'project'),
      env: { ...inherited, HOME: home, USERPROFILE: home, ...env },
      encoding: 'utf8',
    });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
  }

  it('takes the password from the environment, ~/.pgpass or a service file, and shows it nowhere', () => {
    const url = server.url('alice', 'cairn');
    const ways: Home[] = [
      { env: { PGPASSWORD: PASSWORD } },
      { files: { '.pgpass': `# ours\nelsewhere:*:*:*:x\n*:*:cairn:alice:${PASSWORD}\n` } },
      { files: { '.pgpass': `127.0.0.1:${server.port}:cairn:alice:${PASSWORD}\n` } },
    ];
    for (const way of ways) expect(status(url, way)).toMatchObject({ status: 0, err: '' });
    const service = `[team]\nhost=127.0.0.1\nport=${server.port}\nuser=alice\ndbname=cairn\npassword=${PASSWORD}\n`;
    expect(status('postgres://?service=team', { files: { '.pg_service.conf': service } })).toMatchObject({
      status: 0,
      out: expect.stringContaining(`127.0.0.1:${server.port}/cairn`),
    });
    const open = path.join(base, 'open-to-all');
    fs.writeFileSync(open, `*:*:*:*:${PASSWORD}\n`);
    fs.chmodSync(open, 0o644);
    for (const way of [{}, { env: { PGPASSFILE: open } }, { env: { PGPASSWORD: 'another word entirely' } }]) {
      const { status: exit, err, out } = status(url, way);
      expect(exit).toBe(1);
      expect(err).toMatch(/password|refuses this user/i);
      expect(err).toMatch(/PGPASSWORD|pgpass/);
      expect(err + out).not.toContain('another word entirely');
    }
  });

  it.skipIf(noTls)('gives nothing to a server that does not show who it is', async () => {
    const openssl = (...argv: string[]) => execFileSync(OPENSSL, argv, { cwd: base, stdio: 'ignore' });
    const key = (name: string): string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-days', '30'];
    openssl('req', '-x509', ...key('ca'), '-out', 'ca.pem', '-subj', '/CN=an authority of our own');
    const [shown] = await server.sql('SHOW data_directory');
    const data = String(shown?.data_directory);
    const { uid, gid } = fs.statSync(data);
    const showAs = async (name: string, subject: string): Promise<void> => {
      openssl('req', ...key(name), '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      put(path.join(base, `${name}.ext`), `subjectAltName=${subject}\n`);
      openssl(
        ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-days', '30', '-extfile', `${name}.ext`, '-out', `${name}.pem`],
      );
      for (const ending of ['pem', 'key']) {
        const file = path.join(data, `${name}.${ending}`);
        fs.copyFileSync(path.join(base, `${name}.${ending}`), file);
        fs.chmodSync(file, 0o600);
        fs.chownSync(file, uid, gid);
      }
      await server.sql(`ALTER SYSTEM SET ssl_cert_file = '${name}.pem'`);
      await server.sql(`ALTER SYSTEM SET ssl_key_file = '${name}.key'`);
      await server.sql('ALTER SYSTEM SET ssl = on');
      await server.sql('SELECT pg_reload_conf()');
      await expect.poll(async () => (await server.sql('SHOW ssl_cert_file'))[0]?.ssl_cert_file).toBe(`${name}.pem`);
    };
    const way = { env: { PGPASSWORD: PASSWORD } };
    const url = `${server.url('alice', 'cairn')}?sslmode=verify-full`;
    const authority = `&sslrootcert=${path.join(base, 'ca.pem')}`;

    await showAs('right', 'IP:127.0.0.1');
    expect(status(url, way)).toMatchObject({ status: 1, err: expect.stringMatching(/not trusted[\s\S]*sslrootcert/) });
    expect(status(url + authority, way)).toMatchObject({ status: 0, err: '' });
    const seen = await server.sql(`SELECT count(*) FROM pg_stat_ssl WHERE ssl`);
    expect(seen).toHaveLength(1);

    await showAs('wrong', 'DNS:another.example.org');
    await expect
      .poll(() => status(url + authority, way), { timeout: 30_000, interval: 500 })
      .toMatchObject({ status: 1, err: expect.stringMatching(/not trusted/) });
  });
});
