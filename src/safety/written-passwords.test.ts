// Passwords and tokens as people type them: on command lines, in sentences of many languages, as one half of a login. Beside each way stand
// ordinary lines of the same look, which must stay as they are.
import { describe, expect, it } from 'vitest';
import { redact } from './secrets/redact.ts';

// Assembled, so that no scanner takes this file for a leak.
const token = ['k7Qz', 'R2mX', '9bTn', 'W4vL', 'p8Yd'].join('');
const hex = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('');
const mixed = ['kT6!', 'vbLm2'].join('');
const marked = ['Rosen5', 'Blatt!'].join('');
const short = ['S3cr', '3t!x'].join('');
const joined = ['Blue_', 'Cat_77'].join('');
const leet = ['Tr0ub', '4dor', '&3'].join('');
const key = `${token}A1b2C3d4E5`;
const nuget = `oy2${token.toLowerCase()}${token.toLowerCase()}abc`;
const dropbox = `sl.B${token}-${token.repeat(6)}`;

const SECRET_LINES: readonly [line: string, secret: string][] = [
  // A mark that could be the end of the sentence, words of a program's look, a dash, an arrow, a bracket.
  [`Kennwort: ${marked}`, marked],
  [`we use password=${marked} for the demo`, marked],
  [`das Passwort ist ${marked}`, marked],
  [`my password → ${marked}`, marked],
  [`Password (${mixed})`, mixed],
  [`**Password:** ${mixed}`, mixed],
  [`**Password**: \`${mixed}\``, mixed],
  [`password is ${joined}`, joined],
  [`Password: ${joined}`, joined],
  [`the password is ${joined.toLowerCase()}, ok?`, joined.toLowerCase()],
  [`password - ${leet}`, leet],
  [`Passwort – ${marked}`, marked],
  [`password -> ${mixed}`, mixed],
  // Other languages.
  [`пароль — ${mixed}`, mixed],
  [`Пароль: ${mixed}`, mixed],
  [`lösenordet är ${mixed}`, mixed],
  [`salasana on ${mixed}`, mixed],
  [`heslo je ${mixed}`, mixed],
  [`adgangskode: ${mixed}`, mixed],
  [`mật khẩu: ${mixed}`, mixed],
  [`kata sandi: ${mixed}`, mixed],
  [`κωδικός: ${mixed}`, mixed],
  [`סיסמה: ${mixed}`, mixed],
  [`كلمة المرور: ${mixed}`, mixed],
  [`密码是${mixed}`, mixed],
  [`密码为 ${marked}`, marked],
  [`密碼：${mixed}，謝謝`, mixed],
  [`口令：${mixed}`, mixed],
  [`パスワードは${mixed}です`, mixed],
  [`パスワードは「${marked}」です`, marked],
  [`비밀번호는 ${mixed}입니다`, mixed],
  // One half of a login.
  [`Login: bob / ${short}`, short],
  [`Login: bob / Password: ${short}`, short],
  [`Credentials: alice@example.org / ${short}`, short],
  [`Zugangsdaten: bob / ${short}`, short],
  [`username/password: bob / ${short}`, short],
  [`login bob:${mixed}`, mixed],
  [`https://${token}@github.com/acme/app.git`, token],
  [`git clone https://${hex}:x-oauth-basic@git.internal/app`, hex],
  [`pip install --index-url https://${token}@pypi.internal/simple app`, token],
  // Read from standard input.
  [`echo ${token} | gh auth login --with-token`, token],
  [`printf '%s' "${token}" | gh auth login --with-token`, token],
  [`gh auth login --with-token <<< ${token}`, token],
  [`printf "${mixed}" | docker login ghcr.io -u app --password-stdin`, mixed],
  [`echo ${token} | gh secret set NPM_TOKEN`, token],
  [`echo ${token} | wrangler secret put API_KEY`, token],
  [`echo -n ${token} | gcloud secrets create x --data-file=-`, token],
  [`echo ${mixed} | kinit bob`, mixed],
  [`echo ${mixed} | gpg --batch --passphrase-fd 0 -d f`, mixed],
  [`chpasswd <<< "bob:${mixed}"`, mixed],
  // Arguments of commands.
  [`npm config set //registry.npmjs.org/:_authToken ${token}`, token],
  [`yarn config set npmAuthToken ${token}`, token],
  [`curl -su bob:${mixed} https://host`, mixed],
  [`curl -ubob:${mixed} https://host`, mixed],
  [`curl -s \\\n  --proxy-user bob:${mixed} https://host`, mixed],
  [`http -a bob:${mixed} GET https://host`, mixed],
  [`cargo login ${token}`, token],
  [`gh secret set NPM_TOKEN --body ${token}`, token],
  [`aws secretsmanager create-secret --name x --secret-string ${mixed}`, mixed],
  [`aws ssm put-parameter --name /db --value ${mixed} --type SecureString`, mixed],
  [`aws configure set aws_secret_access_key ${token}${token}`, `${token}${token}`],
  [`composer config http-basic.repo.internal bob ${token}`, token],
  [`composer config github-oauth.github.com ${token}`, token],
  [`poetry config pypi-token.internal ${token}`, token],
  [`ssh-keygen -p -P ${mixed} -N other`, mixed],
  [`wpa_passphrase net ${mixed}`, mixed],
  [`mosquitto_pub -h host -u app -P ${mixed} -t x`, mixed],
  [`dotnet nuget add source https://host -u app -p ${mixed}`, mixed],
  [`useradd -m bob -p ${mixed}`, mixed],
  [`net user bob ${mixed} /add`, mixed],
  [`REDISCLI_AUTH=${mixed} redis-cli ping`, mixed],
  // Cookies, keys.
  [`Cookie: theme=dark; session=${token}; lang=en`, token],
  [`Set-Cookie: JSESSIONID=${hex}; Path=/`, hex],
  [`curl -b "sessionid=${token}" https://host`, token],
  [`Cookie: connect.sid=s%3A${token}.${token}`, token],
  [`access_key_secret: ${key}`, key],
  [`ALIBABA_CLOUD_ACCESS_KEY_SECRET=${key}`, key],
  [`accessKeySecret: "${key}"`, key],
  [`dotnet nuget push a.nupkg -k ${nuget}`, nuget],
  [`my files are open to ${dropbox} now`, dropbox],
];

const ORDINARY_LINES: readonly string[] = [
  ...[
    'Kennwort: siehe Tresor, Abschnitt 5!',
    'Kennwort: mindestens 8 Zeichen!',
    'What a password!',
    'my password was Wrong!',
  ],
  ...['password: Uint8Array,', 'convert the password to Uint8Array first', 'the password is Base64Encoded!'],
  ...['const password = user1Name!;', 'this.password = newValue2!;', 'password: foo!.bar1'],
  ...['the password is db_password_01', 'password is stored in col_name_12', 'the password is param_10'],
  ...['Reset password - Windows2019', 'password - RFC2898 key derivation', 'password – PBKDF2-SHA256, 600000 rounds'],
  ...['`password` - the password of the user', 'Password - OAuth2 flow', 'password - see https://docs.example.org/x2'],
  ...['password => bcrypt.hash(password, 10)', 'const f = password => check2(password);', 'password (8-16 chars)'],
  ...[
    'Login: bob / admin',
    'login: POST /api/v2/session',
    'Login: owner/repo@v2',
    'Login at 10:15:22 failed',
    'login is user:pass',
  ],
  ...['credentials are base64/utf8', 'login with github/actions-checkout@v4', 'login is handled by auth/session.ts:42'],
  ...[
    'ssh://git@github.com/acme/app.git',
    'https://deploy-bot-user@git.internal/app.git',
    'https://unpkg.com/react@18.2.0/umd',
  ],
  ...['https://firstname.lastname2024@host', `docker://registry/image@sha256:${hex}`],
  ...[
    'echo hello | gh pr comment --body-file -',
    'echo "$GITHUB_TOKEN" | gh auth login --with-token',
    'echo "password123" | wc -c',
  ],
  ...[
    'gh auth login --with-token < token.txt',
    'echo data1 | base64',
    'printf "%s" "$PW" | docker login --password-stdin',
  ],
  ...['npm config get //registry.npmjs.org/:_authToken', 'npm config set //registry.npmjs.org/:_authToken $NPM_TOKEN'],
  ...[
    '密码是必填项',
    '密码是 string 类型',
    '密码 bcrypt 加密',
    '忘记密码 step2',
    'パスワードは8文字以上です',
    'パスワード OAuth2 認証',
  ],
  ...[
    '비밀번호는 8자 이상',
    'пароль — это строка',
    'salasana on vaihdettu',
    'heslo je povinné',
    'mật khẩu là bắt buộc',
  ],
  ...[
    'Cookie: theme=dark; lang=en',
    'Set-Cookie: session=; Path=/',
    'const session = await getSession();',
    'curl -b cookies.txt https://host',
  ],
  ...[
    'cookie sessionid=550e8400-e29b-41d4-a716-446655440000',
    'curl -u "$USER:$PASS" https://host',
    'curl -su https://host:80/',
  ],
  ...['curl --user-agent Mozilla:5.0 https://host', 'curl -H "Accept: text/plain" https://host:8080/user:1'],
  ...['vault login -method=userpass username=bob', 'cargo login --registry internal', 'the vault login procedure2024'],
  ...['aws ssm put-parameter --name /app/mode --value production --type String', 'gh secret set NPM_TOKEN < token.txt'],
  ...[
    'net user acquisition campaigns',
    'net user bob /delete',
    'ssh-keygen -p -f key',
    'ssh-keygen -t rsa -b 4096 -N "" -f key',
  ],
  ...[
    'usermod -aG docker bob',
    'mosquitto_pub -h host -p 1883 -t topic/x1',
    'composer config github-oauth.github.com $TOKEN',
  ],
  ...[
    'const accessKeySecret = config.accessKeySecret;',
    'sl.setItem(key, value)',
    'oy2 is a prefix',
    '**Token:** see settings2',
  ],
];

describe('written passwords', () => {
  it.each(SECRET_LINES)('masks the secret in %s', (line, secret) => {
    const { text } = redact(line);
    expect(text).not.toBe(line);
    expect(text).not.toContain(secret);
    expect(redact(text).text).toBe(text);
    const [before, after] = text.split(/\[redacted:[a-z-]+:…[^\]]*\]/).map((each) => each.slice(0, 12));
    expect(line.startsWith(before!)).toBe(true);
    expect(line).toContain(after);
  });

  it.each(ORDINARY_LINES)('leaves %s alone', (line) => {
    expect(redact(line)).toEqual({ text: line, found: [] });
  });

  it('knows such a value wherever it stands afterwards', () => {
    for (const [line, secret] of SECRET_LINES.slice(0, 40))
      expect(redact(`${line}\nthen I tried ${secret} again`).text, line).not.toContain(secret);
  });
});
