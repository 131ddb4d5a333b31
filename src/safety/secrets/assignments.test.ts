// Which named values count as secrets. The negatives matter as much as the positives: every line here is something
// people really write beside the words "password" and "token".
import { describe, expect, it } from 'vitest';
import { isSecretField } from './assignments.ts';
import { redact } from './redact.ts';

// Assembled, so that no scanner takes this file for a leak.
const random = ['k7Qz', 'R2mX', '9bTn', 'W4vL', 'p8Yd'].join('');
const human = ['hunter', '2', 'xyz', '9'].join('');
const hex = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('');

// As people choose them: words, figures, a mark.
const [chosen, season, marked] = [
  ['hunter', '2', 'secret', '1'],
  ['Winter', '2024'],
  ['Tr0ub', '4dor', '&3'],
].map((each) => each.join('')) as [string, string, string];

/** Random, with a few long runs of one case by chance. */
const wordy = ['aA0x', 'Kals', 'jaud', 'PSBC', 'BQZQ'].join('');

/** Letters, figures and a mark: nothing else looks like it. And words with a figure, as a name in a program has them. */
const [mixed, capitals, joined] = [
  ['kT6!', 'vbLm2'],
  ['Rosa30', 'Blatt'],
  ['Blue_', 'Cat_77'],
].map((each) => each.join('')) as [string, string, string];

const SECRET_LINES: [line: string, secret: string][] = [
  [`log in as admin and try password ${mixed} please`, mixed],
  [`the password's ${mixed} since Monday`, mixed],
  [`password (prod): ${mixed}`, mixed],
  [`password for prod: ${mixed}`, mixed],
  [`the root password on the new box: ${mixed}`, mixed],
  [`mot de passe du serveur : ${mixed}`, mixed],
  [`das neue Passwort heißt jetzt ${mixed}`, mixed],
  [`das Passwort ist jetzt ${season}`, season],
  [`docker run -e MYSQL_ROOT_PASSWORD=${capitals} mysql`, capitals],
  [`PASSWORD=${joined}`, joined],
  [`DB_PASSWORD=${human}`, human],
  [`export API_TOKEN=${random}`, random],
  [`PGPASSWORD=${human} psql -h db`, human],
  [`DB_PASS="${human}"`, human],
  [`SECRET_KEY_BASE=${hex}`, hex],
  [`password: ${human}`, human],
  [`  db_password: "${human}"`, human],
  [`api_key = '${random}'`, random],
  [`const apiKey = "${random}";`, random],
  [`const token: string = '${random}';`, random],
  [`let secret = \`${random}\``, random],
  [`"client_secret": "${random}",`, random],
  [`{\\"password\\":\\"${human}\\"}`, human],
  [`'auth_token' => '${random}',`, random],
  [`config["secret_key"] = "${random}"`, random],
  [`password := "${human}"`, human],
  [`mysql --password ${human} app`, human],
  [`cli --token=${random} run`, random],
  [`curl "https://host/x?access_token=${random}&page=2"`, random],
  [`<password>${human}</password>`, human],
  [`headers.set("token", "${random}")`, random],
  [`ALTER USER app WITH PASSWORD '${human}';`, human],
  [`Server=db;Uid=app;Pwd=${human};`, human],
  [`encryption-key: ${hex}`, hex],
  [`private_key="${random}${random}"`, `${random}${random}`],
  [`password = "Pa$$w0rd!2024"`, 'Pa$$w0rd!2024'],
  [
    `api_key: "${random.slice(0, 8)}-${random.slice(8, 12)}-${random.slice(12)}"`,
    `${random.slice(0, 8)}-${random.slice(8, 12)}-${random.slice(12)}`,
  ],
  [`ENV_SECRET_PROD=${random}`, random],
  [`we agreed on password=${chosen} for the demo`, chosen],
  [`password: ${season}`, season],
  [`the password is ${chosen}, do not tell`, chosen],
  [`set the db password to "${chosen}"`, chosen],
  [`DB_PASSWORD=${marked}`, marked],
  [`pwd=${season}x`, `${season}x`],
  [`\\nDB_PASSWORD=${wordy}\\n`, wordy],
  [`mysql -u root -p${chosen} shop`, chosen],
  [`mysql -p${chosen} shop`, chosen],
  [`docker login -u me -p ${chosen} registry.internal`, chosen],
  [`sshpass -p '${chosen}' ssh app@db`, chosen],
  [`redis-cli -h cache -a ${chosen} ping`, chosen],
  [`openssl enc -d -pass pass:${chosen} -in x`, chosen],
  [`my api key is ${random}`, random],
  [`Passwort: ${season}`, season],
  [`mot de passe : ${season}`, season],
  [`contraseña: ${season}`, season],
  [`JWT_SECRET=${chosen}`, chosen],
];

/** The host and the path of a URL are no part of its password, or a later mention of the password alone is not known. */
const URL_WITH_TOKEN = `https://x-access-token:${random}@github.com/acme/app`;

const ORDINARY_LINES = [
  'password policy: NIST-800-63B, see chapter 5',
  'the password field#2 of the form',
  'the password for staging: see vault/infra#db2',
  'password manager: 1Password7, token budget: 4096!',
  'password change: step1 -> step2!',
  "the user's password's length is 12!",
  'MYSQL_ROOT_PASSWORD=UserPassword2',
  'token: string',
  'token: string;',
  'password: str = Field(...)',
  'secretKey: Uint8Array',
  'const token = await login()',
  'const token = getAccessToken(user1)',
  'token = tokens[0]',
  'token = next_token2',
  'password = password2',
  'password = user.password_v2',
  'password = hash256(password1)',
  'if (token === "access-token-v2") {',
  'const password = "correct horse battery staple";',
  'password: "your-password-1"',
  'api_key = "YOUR_API_KEY_123"',
  'token: "xxxxxxxxxxxx1234"',
  'password=changeme123',
  'PASSWORD=********',
  'TOKEN=$GITHUB_TOKEN2',
  'TOKEN="$' + '{CI_TOKEN_2}"',
  'token: $' + '{{ secrets.DEPLOY_TOKEN_2 }}',
  'secret: {{ vault_secret_2 }}',
  'password = process.env.DB_PASSWORD_2',
  'password = os.environ["DB_PASSWORD_2"]',
  'api_key: <your key 123>',
  'the password is checked in auth2.ts',
  'Password: must contain 8 characters',
  'password: "Password must have 8 characters"',
  'token_type: bearer2bearer',
  'max_tokens: 128000',
  'tokens=4096k8192',
  'next_page_token: "CAUQAA9xYz12ab34"',
  'eos_token = "<|endoftext2|>"',
  'tokenizer: gpt2tokenizerfast',
  'password_hash = "unrelated1234name"',
  'password_file: /run/secrets/db_password_1',
  'secret: /run/secrets/db_password_1',
  'token: src/lexer/token2.ts:120:5',
  'password: 2024-01-01T00:00:00Z',
  '"@octokit/auth-token": "^10.11.12-beta.1"',
  'public_key = "k7QzR2mX9bTnW4vLp8Yd"',
  'primary_key: "k7QzR2mX9bTn"',
  'cache-key: build-linux-x64-node20',
  'token_url = "https://login.host.internal/oauth2/token"',
  'secret: "https://host.internal/v1/secrets/42"',
  'token = "550e8400-e29b-41d4-a716-446655440000"',
  'color.token: #ff00aa99',
  'Token::Ident2022Start',
  'case Token.Number1234:',
  'token => token2Value',
  'secret_ref: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db1',
  '<input type="password" name="password2" id="password2">',
  "resetPassword: 'Reset your password'",
  'password: null',
  'sudo passwd user2024',
  'the password is sha256-hashed before it is stored',
  'the password was bcrypt2b before',
  'password is required2',
  'connect(password=db_password2, port=5432)',
  'password=args.password1',
  'reset the password to something longer than 12 characters',
  'mysql -u root -p shop',
  'docker login -u app -p $REGISTRY_PASSWORD2',
  'the private key is in keys/deploy2.pem',
  'API_KEY=YOUR_API_KEY_123',
  'mysqldump --no-data -u app -port=3306 shop',
];

describe('named values', () => {
  it.each(SECRET_LINES)('masks the secret in %s', (line, secret) => {
    const { text, found } = redact(line);
    expect(text).not.toContain(secret);
    expect(text.replace(/\[redacted:assigned-secret:…[^\]]*\]/, () => secret)).toBe(line);
    expect(found).toEqual([{ kind: 'assigned-secret', count: 1 }]);
  });

  it.each(ORDINARY_LINES)('leaves %s alone', (line) => {
    expect(redact(line)).toEqual({ text: line, found: [] });
  });

  it('ends the password of a URL before its host, whatever its user is called', () => {
    expect(redact(URL_WITH_TOKEN).text).toMatch(
      /^https:\/\/x-access-token:\[redacted:url-password:…\w{4}\]@github\.com\/acme\/app$/,
    );
    expect(redact(`git clone ${URL_WITH_TOKEN}\nwe rotate ${random} on Friday`).text).not.toContain(random);
  });

  it('judges a field of an object by its name', () => {
    expect(isSecretField('password', human)).toBe(true);
    expect(isSecretField('dbPassword', human)).toBe(true);
    expect(isSecretField('oauth_token_secret', random)).toBe(true);
    expect(isSecretField('apiKey', random)).toBe(true);
    expect(isSecretField('password_hint', human)).toBe(false);
    expect(isSecretField('nextPageToken', random)).toBe(false);
    expect(isSecretField('title', random)).toBe(false);
    expect(isSecretField('password', 'required')).toBe(false);
  });
});
