// Key blocks as they really turn up: whole, cut off, quoted, indented, escaped — and code that only names the frame.
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

// Assembled, so that no scanner takes this file for a leak.
const begin = (type = 'RSA ') => `-----BEGIN ${type}PRIVATE ${'KEY'}-----`;
const end = (type = 'RSA ') => `-----END ${type}PRIVATE ${'KEY'}-----`;
const row = 'MIIEowIB0AKCAQEA'.repeat(4);
const last = `${'q8Zx'.repeat(5)}==`;

describe('private key blocks', () => {
  it.each(['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '])('masks a whole block of type "%s"', (type) => {
    const text = `before\n${begin(type)}\n${row}\n${row}\n${last}\n${end(type)}\nafter`;
    expect(redact(text)).toEqual({
      text: 'before\n[redacted:private-key:…Zx==]\nafter',
      found: [{ kind: 'private-key', count: 1 }],
    });
  });

  it('masks PGP and SSH2 blocks with their headers', () => {
    const pgp = `-----BEGIN PGP PRIVATE ${'KEY'} BLOCK-----\nVersion: GnuPG v2\n\n${row}\n=aBc1\n-----END PGP PRIVATE ${'KEY'} BLOCK-----`;
    expect(redact(pgp).text).toBe('[redacted:private-key:…aBc1]');
    const ssh2 = `---- BEGIN SSH2 ENCRYPTED PRIVATE ${'KEY'} ----\nComment: "x"\n${row}\n${row}\n---- END SSH2 ENCRYPTED PRIVATE ${'KEY'} ----`;
    expect(redact(ssh2).text).toBe('[redacted:private-key:…AQEA]');
  });

  it('masks a block with literal line breaks in a JSON string', () => {
    const text = `{"private_key": "${begin('')}\\n${row}\\n${last}\\n${end('')}\\n", "x": 1}`;
    expect(redact(text).text).toBe('{"private_key": "[redacted:private-key:…Zx==]\\n", "x": 1}');
  });

  it('masks a block that was cut off, and keeps the text after it', () => {
    expect(redact(`${begin()}\n${row}\n${row.slice(0, 30)}`).text).toBe('[redacted:private-key:…KCAQ]');
    expect(redact(`${begin()}\n${row}\n${row}\nand then the log went on`).text).toBe(
      '[redacted:private-key:…AQEA]\nand then the log went on',
    );
    expect(redact(`"${begin()}\\n${row}\\n${row}..."`).text).toBe('"[redacted:private-key:…AQEA]..."');
    expect(redact(`${begin()} ${row} ${row} and so on`).text).toBe('[redacted:private-key:…AQEA] and so on');
  });

  it('masks quoted, indented and concatenated blocks', () => {
    const quoted = [begin(), row, last, end()].map((line) => `> ${line}`).join('\n');
    expect(redact(quoted).text).toBe('> [redacted:private-key:…Zx==]');
    const code = `key = "${begin()}\\n" +\n      "${row}\\n" +\n      "${row}\\n"`;
    expect(redact(code).text).not.toContain(row.slice(0, 20));
  });

  it('masks two blocks one by one', () => {
    const block = `${begin()}\n${row}\n${end()}`;
    expect(redact(`${block}\nmiddle\n${block}`).text).toBe(
      '[redacted:private-key:…AQEA]\nmiddle\n[redacted:private-key:…AQEA]',
    );
  });

  it('masks the lines of a PuTTY key and keeps its public part', () => {
    const text = `PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\n${row}\nPrivate-Lines: 2\n${row}\n${last}\nPrivate-MAC: 0`;
    expect(redact(text).text).toBe(
      `PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\n${row}\nPrivate-Lines: 2\n[redacted:private-key:…Zx==]\nPrivate-MAC: 0`,
    );
  });

  it('leaves public keys, certificates and code that names the frame alone', () => {
    for (const text of [
      `-----BEGIN PUBLIC ${'KEY'}-----\n${row}\n-----END PUBLIC ${'KEY'}-----`,
      `-----BEGIN CERTIFICATE-----\n${row}\n-----END CERTIFICATE-----`,
      `if (text.startsWith('${begin('')}')) throw new Error('that is a private key, give me the public one');`,
      `${begin()}\n...\n${end()}`,
      `${begin()}\nYOUR_PRIVATE_KEY_HERE\n${end()}`,
      `${begin()}\\n" + body + "\\n${end()}`,
      'The header says BEGIN PRIVATE KEY and so does the footer.',
    ]) {
      expect(redact(text)).toEqual({ text, found: [] });
    }
  });
});
