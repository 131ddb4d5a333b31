// What redaction promises: secrets go, everything else stays as it was, twice is the same as once, and no text is
// slow. Secrets are assembled at run time, so that no scanner takes this file for a leak.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CairnError } from '../../errors.ts';
import { redact, redactDeep } from './redact.ts';

const github = `ghp_${'a1B2'.repeat(9)}`;
const aws = `AKIA${'A2B3'.repeat(4)}`;
const anthropic = `sk-ant-${'api03-x7Y8'.repeat(4)}`;
const password = ['s3cr', 'et-P', '4ss'].join('');
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');

describe('the mask', () => {
  it('keeps the kind and the last four characters', () => {
    expect(redact(`use ${github} here`)).toEqual({
      text: 'use [redacted:github-token:…a1B2] here'.replace('a1B2', github.slice(-4)),
      found: [{ kind: 'github-token', count: 1 }],
    });
  });

  it('shows nothing of a secret shorter than twelve characters', () => {
    expect(redact('redis://:pw12345@cache:6379').text).toBe('redis://:[redacted:url-password:…]@cache:6379');
  });

  it('shows nothing when the last four could break the line it stands in', () => {
    expect(redact('password = "abc123456789]:x"').text).toBe('password = "[redacted:assigned-secret:…]"');
  });

  it('counts finds by kind', () => {
    expect(redact(`${github} ${aws} ${github}`).found).toEqual([
      { kind: 'github-token', count: 2 },
      { kind: 'aws-access-key-id', count: 1 },
    ]);
  });
});

describe('a value that was recognised', () => {
  it('is masked at every mention, before and after its name, in a URL and in base64', () => {
    const value = ['q7#Lm', '29!xTz'].join('');
    const encoded = [encodeURIComponent(value), Buffer.from(value).toString('base64')];
    const text = `${value} works\nDB_PASSWORD=${value}\nthen '${value}', /login?p=${encoded[0]}&x=1 and ${encoded[1]}`;
    const clean = redact(text).text;
    for (const form of [value, ...encoded]) expect(clean).not.toContain(form);
    expect(clean).toContain('works\nDB_PASSWORD=');
    expect(redact(clean)).toEqual({ text: clean, found: [] });
  });

  it('is not taken for a part of a longer word, and a plain word is not hunted', () => {
    expect(redact('password=abc12345 and abc123456').text).toBe('password=[redacted:assigned-secret:…] and abc123456');
    expect(redact('postgres://app:dragon@db/x, and a dragon').text).toContain('and a dragon');
  });
});

describe('where secrets stand', () => {
  it('masks only the password of a URL', () => {
    for (const scheme of [
      'postgres',
      'postgresql',
      'mysql',
      'mongodb',
      'mongodb+srv',
      'redis',
      'rediss',
      'amqp',
      'mssql',
      'https',
      'ftp',
    ]) {
      expect(redact(`${scheme}://app:${password}@db.internal:5432/app?ssl=1`).text).toBe(
        `${scheme}://app:[redacted:url-password:…]@db.internal:5432/app?ssl=1`,
      );
    }
    expect(redact(`postgres://app:p@ss${password}@db/x`).text).toBe(
      'postgres://app:[redacted:url-password:…-P4s]@db/x'.replace('-P4s', password.slice(-4)),
    );
  });

  it('leaves URLs without a password, and with a stand-in, alone', () => {
    for (const text of [
      'https://host.internal:8080/path?to=a@b.c',
      'http://localhost:3000?mail=me@host.internal',
      'ssh://git@github.com:22/org/repo.git',
      'git@github.com:org/repo.git',
      'postgres://user:password@localhost:5432/db',
      'postgres://postgres:postgres@localhost/db',
      'postgres://$' + '{USER}:$' + '{PASS}@host/db',
      'postgres://user:$DB_PASSWORD@host/db',
      'mysql://user:<password>@host/db',
      'https://user:***@host/',
    ]) {
      expect(redact(text)).toEqual({ text, found: [] });
    }
  });

  it('masks credentials of authorization headers in every form', () => {
    const token = 'Zx81-kQ9v_77PlmA';
    for (const [before, after] of [
      ['Authorization: Bearer ', ''],
      ['authorization: token ', '\r\n'],
      ['curl -H "Authorization: Bearer ', '" https://host/'],
      ["curl -H 'Authorization: Token ", "' https://host/"],
      ['{"Authorization": "Bearer ', '"}'],
      ['{\\"Authorization\\":\\"Bearer ', '\\"}'],
      ["headers: { Authorization: 'Bearer ", "' }"],
      ["headers.set('Authorization', 'Bearer ", "')"],
      ['headers["Authorization"] = "Bearer ', '"'],
      ['Proxy-Authorization: Basic ', ''],
    ] as const) {
      expect(redact(before + token + after).text).toBe(`${before}[redacted:authorization:…PlmA]${after}`);
    }
    const login = Buffer.from(`bot:${password}`).toString('base64');
    expect(redact(`Authorization: Basic ${login}`).text).not.toContain(login);
    expect(redact(`x-api-key: ${token}`).text).toBe('x-api-key: [redacted:api-key-header:…PlmA]');
    expect(redact(`-H 'X-Vault-Token: ${token}'`).text).toBe("-H 'X-Vault-Token: [redacted:api-key-header:…PlmA]'");
  });

  it('leaves headers that hold no credential alone', () => {
    for (const text of [
      'Authorization: Bearer <token>',
      'Authorization: Bearer $TOKEN_2',
      'Authorization: Bearer $' + '{token2}',
      'Authorization: Bearer YOUR_TOKEN_HERE',
      'Authorization: Bearer your-token-123',
      'Authorization: Bearer access_token',
      'Authorization: Bearer xxxxxxxxxxxxxxxxxxxx',
      'Authorization: Basic authentication is off',
      "headers.Authorization = 'Bearer ' + token2",
      'authorization: required for route2',
      'the bearer of good news',
      "'x-api-key': process.env.API_KEY_2",
      'x-api-key: <key>',
    ]) {
      expect(redact(text)).toEqual({ text, found: [] });
    }
  });

  it('finds secrets behind escapes, in URLs and in coloured logs', () => {
    expect(redact(`"line\\n${aws}\\n"`).text).toBe(`"line\\n[redacted:aws-access-key-id:…${aws.slice(-4)}]\\n"`);
    expect(redact(`key%3D${aws}%20`).text).toContain('[redacted:aws-access-key-id');
    expect(redact(`\u001b[32m${aws}\u001b[0m`).text).toContain('[redacted:aws-access-key-id');
  });

  it('gives the most specific kind the name, and masks all of what overlaps', () => {
    expect(redact(`GITHUB_TOKEN=${github}`).found).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(redact(`Authorization: Bearer ${jwt}`).found).toEqual([{ kind: 'jwt', count: 1 }]);
    expect(redact(`https://bot:${github}@github.com/x.git`).text).toBe(
      `https://bot:[redacted:github-token:…${github.slice(-4)}]@github.com/x.git`,
    );
    const longer = `${github}!${'q9W8'.repeat(4)}`;
    expect(redact(`password = "${longer}"`).text).toBe('password = "[redacted:github-token:…q9W8]"');
  });

  it('leaves what documentation makes up alone', () => {
    for (const text of [
      `ghp_${'x'.repeat(36)}`,
      `sk-ant-${'your-key-here-0000000'}`,
      `sk-proj-${'keys-are-made-in-the-console'}`,
      `glpat-${'tokens-start-like-this'}`,
      `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`,
    ]) {
      expect(redact(text)).toEqual({ text, found: [] });
    }
  });
});

describe('properties', () => {
  const piece = fc.constantFrom(
    ...[
      github,
      aws,
      anthropic,
      jwt,
      password,
      `glpat-${'a1B2'.repeat(5)}`,
      `SK${'0a1b'.repeat(8)}`,
      'twilio',
      'AKIA',
      'ghp_',
    ],
    ...[
      'password=',
      'token: ',
      '"secret": "',
      'Authorization: Bearer ',
      'x-api-key: ',
      'postgres://u:',
      '@h/',
      '://',
      'eyJ',
    ],
    ...[
      '[redacted:jwt:…abcd]',
      '[redacted:',
      '…',
      ']',
      '"',
      "'",
      '\\n',
      '\n',
      ' ',
      ':',
      '=',
      '.',
      '-',
      '_',
      'a',
      'Z',
      '9',
    ],
    ...[`-----BEGIN PRIVATE ${'KEY'}-----\n`, `-----END PRIVATE ${'KEY'}-----`, `${'MIIEowIB0AKCAQEA'.repeat(4)}\n`],
  );
  const soup = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 25 })
    .map((parts) => parts.join(''));

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const once = redact(text).text;
        expect(redact(once)).toEqual({ text: once, found: [] });
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves text without secrets byte-identical', () => {
    const words = fc.constantFrom(
      'the',
      'password',
      'token',
      'is',
      'checked',
      'by',
      'getAccessToken()',
      'and',
      '=',
      ':',
      '"',
      '\n',
      'é',
      '😀',
      '{',
      '}',
      '12',
      'v1.2.3',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), fc.constantFrom(' ', '  '), (parts, gap) => {
        const text = parts.join(gap);
        expect(redact(text)).toEqual({ text, found: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('says it found something exactly when it changed something', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const result = redact(text);
        expect(result.found.length > 0).toBe(result.text !== text);
      }),
    );
  });
});

describe('hostile text', () => {
  // Not timed: a search that is not linear would run into the test's time limit here.
  it.each([
    ['anchors', `${'token'.repeat(200_000)}`],
    ['assignments without a value', 'password='.repeat(110_000)],
    ['assignments of placeholders', 'token="xxxxxxxx1" '.repeat(55_000)],
    ['user parts of URLs', '://u:'.repeat(200_000)],
    ['URLs without an end', `://${'u'.repeat(100)}:${'p'.repeat(200)}`.repeat(3_000)],
    ['openings of key blocks', `-----BEGIN PRIVATE ${'KEY'}-----`.repeat(37_000)],
    ['a key block without an end', `-----BEGIN PRIVATE ${'KEY'}-----\n${'A'.repeat(1_000_000)}`],
    ['key lines without an end', `-----BEGIN PRIVATE ${'KEY'}-----\n${`${'aB3d'.repeat(16)}\n`.repeat(15_000)}`],
    ['beginnings of web tokens', 'eyJ'.repeat(330_000)],
    ['web tokens without an end', `eyJ${'a'.repeat(9)}.`.repeat(76_000)],
    ['one long word', 'a'.repeat(1_000_000)],
    ['dashes', '-'.repeat(1_000_000)],
    ['headers', 'authorization:'.repeat(70_000)],
    ['bearers', 'bearer '.repeat(140_000)],
    ['prefixes inside their own body', 'sk-ant-xxxxxxxx-'.repeat(62_000)],
    ['context words', 'twilio cloudflare vercel '.repeat(40_000)],
    ['masks', '[redacted:jwt:…abcd]'.repeat(50_000)],
    ['quotes', `password = ${'"'.repeat(1_000_000)}`],
    ['curl lines', `curl ${'-u '.repeat(330_000)}`],
  ])('does not slow down on a megabyte of %s', (_name, text) => {
    const { text: masked } = redact(text);
    expect(redact(masked).text).toBe(masked);
  });

  it('masks ten thousand secrets in one text', () => {
    const { text, found } = redact(`${github}\n`.repeat(10_000));
    expect(found).toEqual([{ kind: 'github-token', count: 10_000 }]);
    expect(text).not.toContain('ghp_');
  });
});

describe('redactDeep', () => {
  it('masks strings anywhere in a value and says where', () => {
    const record = { title: 'x', content: { steps: ['ok', `use ${github}`], note: `key ${aws}` }, n: 1, none: null };
    const { value, found } = redactDeep(record);
    expect(value).toEqual({
      title: 'x',
      content: {
        steps: ['ok', `use [redacted:github-token:…${github.slice(-4)}]`],
        note: `key [redacted:aws-access-key-id:…${aws.slice(-4)}]`,
      },
      n: 1,
      none: null,
    });
    expect(found).toEqual([
      { kind: 'aws-access-key-id', count: 1, path: 'content.note' },
      { kind: 'github-token', count: 1, path: 'content.steps[1]' },
    ]);
    expect(record.content.note).toContain(aws);
  });

  it('returns the value itself when there is nothing to mask', () => {
    const record = { title: 'x', tags: ['a'], content: { a: [1, true, null] } };
    const result = redactDeep(record);
    expect(result.value).toBe(record);
    expect(result.found).toEqual([]);
  });

  it('takes a plain string', () => {
    expect(redactDeep(`a ${aws}`)).toEqual({
      value: `a [redacted:aws-access-key-id:…${aws.slice(-4)}]`,
      found: [{ kind: 'aws-access-key-id', count: 1, path: '' }],
    });
  });

  it('judges values by the name of their field', () => {
    const { value } = redactDeep({
      env: {
        DB_PASSWORD: password,
        Authorization: 'Bearer Zx81-kQ9v_77PlmA',
        'x-api-key': 'Zx81-kQ9v_77PlmA',
        title: 'an ordinary one',
        note: `try ${password} again`,
      },
    });
    expect(value.env).toEqual({
      DB_PASSWORD: '[redacted:assigned-secret:…]',
      Authorization: 'Bearer [redacted:authorization:…PlmA]',
      'x-api-key': '[redacted:authorization:…PlmA]',
      title: 'an ordinary one',
      note: 'try [redacted:assigned-secret:…] again',
    });
  });

  it('masks keys that are secrets, without losing fields', () => {
    const other = `${github.slice(0, -5)}Z${github.slice(-4)}`;
    const { value, found } = redactDeep({ [github]: 1, [other]: 2 });
    const mask = `[redacted:github-token:…${github.slice(-4)}]`;
    expect(value).toEqual({ [mask]: 1, [`${mask}#2`]: 2 });
    expect(found.map((one) => one.path)).toEqual([mask, `${mask}#2`]);
  });

  it('keeps a field called __proto__ a field', () => {
    const input = JSON.parse(`{"__proto__": {"note": "${aws}"}}`) as Record<string, unknown>;
    const { value } = redactDeep(input);
    expect(JSON.stringify(value)).toBe(`{"__proto__":{"note":"[redacted:aws-access-key-id:…${aws.slice(-4)}]"}}`);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('refuses what is nested too deeply with a clear error, and never overflows', () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`) as unknown;
    expect(() => redactDeep(deep)).toThrow(CairnError);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => redactDeep(circle)).toThrow(/nested deeper/);
    const fine = JSON.parse(`${'['.repeat(400)}"${aws}"${']'.repeat(400)}`) as unknown;
    expect(redactDeep(fine).found).toHaveLength(1);
  });

  it('leaves values that are not JSON as they are', () => {
    const when = new Date(0);
    expect(redactDeep({ when, note: aws }).value.when).toBe(when);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(github, aws, jwt), (json, secret) => {
        const { value } = redactDeep({ json, list: [json, `x ${secret}`], password, [secret]: json });
        expect(redactDeep(value)).toEqual({ value, found: [] });
        expect(JSON.stringify(value)).not.toContain(secret);
      }),
    );
  });
});
