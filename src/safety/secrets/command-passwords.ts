// Passwords without a name: behind a letter of a command (`mysql -p…`, `sshpass -p …`), as the second of a pair (`new
// NetworkCredential("app", "…")`, `admin / …`), in SQL, and in sentences that name them afterwards.
import { type Fill, matching, type SecretPattern } from './pattern.ts';
import { isChosenPassword, isPlaceholder } from './secret-value.ts';

const LATER = String.raw`[ \t][^\n|;]{0,160}?`;
const MYSQL = String.raw`[a-z-]{0,12}(?:${LATER})?[ \t]-p(?!ort\b|rotocol\b|lugin)`;
const WORD = String.raw`(?:"(?<quoted>[^"\n]{4,128})"|'(?<single>[^'\n]{4,128})'|(?<secret>[^\s"'\x60|;&<>()]{4,128}))`;

type Command = { anchors: string[]; form: string; written: string };

/** The password follows the form. */
const COMMANDS: readonly Command[] = [
  { anchors: ['mysql'], form: `mysql${MYSQL}`, written: 'mysql -u app -p' },
  { anchors: ['mariadb'], form: `mariadb${MYSQL}`, written: 'mariadb -u app -p' },
  {
    anchors: ['login '],
    form: String.raw`(?<=(?:docker|podman|nerdctl|helm|registry|az|oc|cf|skopeo|buildah|crane|oras)[ \t])login ${LATER.slice(5)}-p[ \t]`,
    written: 'docker login -u app -p ',
  },
  {
    anchors: ['mongo', 'twine', 'rdesktop', 'psexec', 'winexe', 'cqlsh', 'nuget', 'useradd', 'usermod'],
    form: String.raw`(?:mongo|twine|rdesktop|psexec|winexe|cqlsh|nuget|useradd|usermod)[a-z]{0,8}${LATER}-p[ \t]`,
    written: 'mongosh -u app -p ',
  },
  { anchors: ['sshpass'], form: String.raw`sshpass[ \t]{1,4}-p[ \t]{0,4}`, written: 'sshpass -p ' },
  { anchors: ['redis-cli'], form: String.raw`redis-cli${LATER}-a[ \t]`, written: 'redis-cli -a ' },
  { anchors: ['pass:'], form: String.raw`(?<=[\s"'=])pass:(?!:)`, written: 'openssl enc -d -pass pass:' },
  {
    anchors: ['openssl'],
    form: String.raw`openssl (?:enc|aes|des|pkcs12|rsa)[\w-]{0,16}${LATER}-k[ \t]`,
    written: 'openssl enc -k ',
  },
  {
    anchors: ['sqlcmd', 'bcp ', 'isql', 'ipmitool', 'zip ', 'tsql', 'mosquitto_'],
    form: String.raw`(?:sqlcmd|bcp|isql|ipmitool|(?:un)?zip|tsql|mosquitto_[a-z]{2,4})(?:${LATER}|[ \t])-P[ \t]?`,
    written: 'sqlcmd -U sa -P ',
  },
  {
    anchors: ['7z ', '7za ', 'rar '],
    form: String.raw`(?:7za?|rar)[ \t]\w{1,3}${LATER}-p(?!assword)`,
    written: '7z a a.7z -p',
  },
  { anchors: ['ldap'], form: String.raw`ldap[a-z]{3,9}${LATER}-w[ \t]`, written: 'ldapsearch -D cn=app -w ' },
  {
    anchors: ['smbclient'],
    form: String.raw`smbclient${LATER}(?:-U|--user)[ \t=]?[\w.\\/-]{1,64}%`,
    written: 'smbclient //a/b -U app%',
  },
  { anchors: ['lftp'], form: String.raw`lftp${LATER}-u[ \t][\w.@-]{1,64},`, written: 'lftp -u app,' },
  { anchors: ['sqlplus'], form: String.raw`sqlplus(?:[ \t]-\w{1,8}){0,3}[ \t][\w.]{1,64}/`, written: 'sqlplus app/' },
  {
    anchors: ['rabbitmqctl'],
    form: String.raw`rabbitmqctl (?:add_user|change_password) \S{1,64} `,
    written: 'rabbitmqctl add_user app ',
  },
  {
    anchors: ['htpasswd'],
    form: String.raw`htpasswd (?:-\w{1,6} ){0,3}-\w{0,4}b\w{0,4} \S{1,128} \S{1,64} `,
    written: 'htpasswd -b .htpasswd app ',
  },
  {
    anchors: ['net use'],
    form: String.raw`net use ${LATER.slice(5)}/user:\S{1,64}[ \t]{1,4}`,
    written: 'net use Z: //a/b /user:app ',
  },
  { anchors: ['/p:'], form: String.raw`(?<=/u:\S{1,64} )/p:`, written: 'xfreerdp /u:app /p:' },
  { anchors: ['snmp'], form: String.raw`snmp\w{2,12}${LATER}-[AX][ \t]`, written: 'snmpget -v3 -A ' },
  { anchors: ['vncpasswd'], form: String.raw`vncpasswd[^\n]{0,20}<<<[ \t]{0,4}`, written: 'vncpasswd -f <<< ' },
  { anchors: ['ssh-keygen'], form: String.raw`ssh-keygen${LATER}-[NP][ \t]`, written: 'ssh-keygen -t ed25519 -N ' },
  { anchors: ['wpa_passphrase'], form: String.raw`wpa_passphrase[ \t]\S{1,64}[ \t]`, written: 'wpa_passphrase net ' },
  {
    anchors: ['-a ', '--auth'],
    form: String.raw`(?<=(?:(?<![\w./-])|\\[nrt])(?:https?|xhs?)[ \t](?:[^\n]{0,100}[ \t])?)(?:-a|--auth)[ \t=]["']?[\w.@-]{1,64}:`,
    written: 'http -a app:',
  },
  {
    anchors: ['secret set ', '--secret-string', 'put-parameter'],
    form: String.raw`(?:secret set \S{1,64} ${LATER.slice(5)}(?:--body[ \t=]|-b[ \t]?)|--secret-string[ \t=]|put-parameter(?=[^\n]{0,300}SecureString)${LATER}--value[ \t=])`,
    written: 'gh secret set NAME --body ',
  },
  {
    anchors: ['<<<'],
    form: String.raw`(?<=(?:--with-token|--password-stdin|sudo -S|chpasswd|passwd --stdin|vault login -|cargo login)[^\n|;]{0,60})<<<[ \t]{0,4}(?:["']?[\w.-]{1,32}:)?`,
    written: 'gh auth login --with-token <<< ',
  },
  {
    anchors: ['identified '],
    form: String.raw`(?<=(?:user|role|to|grant|login)\b[^\n]{0,120})identified (?:with \S{1,40} )?by (?:password )?(?=["']|\S*[\d!#$%^&*])`,
    written: 'CREATE USER app IDENTIFIED BY ',
  },
  {
    anchors: ['sp_addlogin', 'sp_password'],
    form: String.raw`sp_(?:addlogin|password)[ \t]{1,4}(?:'[^'\n]{1,64}'|\w{1,64}),[ \t]{0,4}`,
    written: "sp_addlogin 'app', ",
  },
];

/** Commands that read a secret from their standard input. */
const TAKES_SECRET = String.raw`(?:sudo )?(?:sudo (?:-\w )*-S|-S\b|chpasswd|passwd --stdin|cryptsetup|kinit|(?:vault|cargo) login|gh auth login|glab auth login|[\w.-]{2,24} [^\n|]{0,80}(?:--password-stdin|--with-token|--passphrase-fd|secrets? (?:set|put|create|add|versions add)|env add))\b`;

/** Words for a password in scripts that write no blanks between words. */
const CHINESE = ['密码', '密碼', '口令', '암호'];
const LONGER = ['パスワード', '비밀번호', '暗証番号'];

/** The password stands before what tells of it, or is the second of two. `{p}` is its place. */
const PLACES: readonly { anchors: string[]; form: string; written: readonly [string, string]; strict?: true }[] = [
  {
    anchors: ['credential(', 'credentials(', 'basicauth(', 'basic_auth(', 'authentication(', 'login('],
    form: String.raw`(?:credentials?|basic_?auth|authentication|login)\([ \t]{0,4}["'][^"'\n]{1,64}["'],[ \t]{0,4}["'](?<secret>[^"'\n]{4,128}(?:\\["'][^"'\n]{0,64})?)["']`,
    written: ['new NetworkCredential("app", "', '")'],
  },
  {
    anchors: ['auth='],
    form: String.raw`auth=\([ \t]{0,4}["'][^"'\n]{1,64}["'],[ \t]{0,4}["'](?<secret>[^"'\n]{4,128}(?:\\["'][^"'\n]{0,64})?)["']\)`,
    written: ['requests.get(url, auth=("app", "', '"))'],
  },
  {
    anchors: ['echo ', 'printf '],
    form: String.raw`(?:echo|printf) (?:-\w{1,2} |["']?%s(?:\\n)?["']? )?["']?(?:[\w.-]{1,32}:)?(?<secret>[^\s"'\x60|;<>()]{4,256}(?:\\?["'][^\s"'|]{0,32})??)["']?[ \t]{0,4}\|[ \t]{0,4}${TAKES_SECRET}`,
    written: ['echo ', ' | sudo -S apt update'],
  },
  {
    anchors: ['as the pass', 'as pass', 'as the pw', 'as my pass', 'as your pass', 'for the pass', 'as a pass'],
    form: String.raw`(?<=(?<head>[^\s"'\x60]{5,64})["'\x60]?[ \t])(?:as|for) (?:the |my |your |a |its )?(?:admin |root |db |database |user |new |temporary )?(?:pass(?:word|phrase|code)|pw|pwd)\b`,
    written: ['use ', ' as the password'],
    strict: true,
  },
  {
    anchors: ['admin /', 'admin/', 'root /', 'root/', 'admin:', 'root:', 'user:', 'app:'],
    form: String.raw`(?<=(?:log ?in|sign ?in|creds?|credentials?|account|logins?|zugang|anmelden)\b[^\n]{0,40}?)(?:admin|root|user|app)(?: ?/ ?|:)(?<secret>[^\s"'\x60,;<>()|]{5,64})`,
    written: ['log in with admin / ', '\n'],
    strict: true,
  },
  {
    // A word with a colon and a blank behind it is the next label: `the login form / Committed: …`, `Login: bob / Password: …`.
    anchors: ['login', 'zugang', 'credential', 'creds', 'user/pass', 'name/pass', 'anmeldedaten'],
    form: String.raw`(?:log-?ins?|zugang(?:sdaten)?|anmeldedaten|credentials?|creds|(?:user|name)/pass(?:word)?)(?: data| details)?(?:[ \t]?[:=]| is| are| ist| sind)?[ \t]{1,3}[\w.@+-]{2,64}(?:[ \t][/|][ \t]|:|/(?![^\s@]{0,64}@))(?![A-Za-z\u00c0-\uffff]{2,64}:[ \t])(?<secret>[^\s"'\x60,;<>()|/]{6,64})`,
    written: ['Login: bob / ', '\n'],
    strict: true,
  },
  {
    anchors: ['net user '],
    form: String.raw`net user (?!/)\S{1,64}[ \t]{1,4}(?<secret>[^\s"'\x60|;&<>()/]{5,64})`,
    written: ['net user app ', ' /add'],
    strict: true,
  },
  {
    anchors: [
      'login ',
      'setapikey ',
      'http-basic.',
      '-oauth.',
      'pypi-token.',
      'gitlab-token.',
      'gem push',
      'secret_access_key ',
    ],
    form: String.raw`(?:(?<=(?:\b|\\[nrt])(?:vault|cargo) )login (?=\S{15})|setapikey |(?<=config (?:[^\n]{0,40} )?)(?:http-basic\.\S{1,64} \S{1,64}|pypi-token\.\S{1,64}|gitlab-token\.\S{1,64}) |(?<=config (?:[^\n]{0,40} )?(?:github|gitlab|bitbucket))-oauth\.\S{1,64} |gem push ${LATER.slice(5)}--key |(?<=configure set aws_)secret_access_key )(?!-)["']?(?<secret>[^\s"'\x60|;&<>()]{8,256})`,
    written: ['cargo login ', '\n'],
    strict: true,
  },
  {
    anchors: CHINESE.flatMap((word) =>
      ['是', '为', '為', ':', '：', '=', ' :', ' =', ' 是', '는', '"'].map((joint) => word + joint),
    ).concat(LONGER),
    form: String.raw`(?:${[...CHINESE, ...LONGER].join('|')})["'\x60]?[ \t]{0,3}(?:是|为|為|设为|改为|改成|は|を|는|은|가|:|：|=)[\s:：]{0,4}[「『“‘"'\x60]?(?<secret>[!#-&*-+\--:=?-Z^-z~]{5,64})`,
    written: ['密码是', '，谢谢'],
    strict: true,
  },
  {
    anchors: ['jdbc:oracle'],
    form: String.raw`jdbc:oracle:\w{2,8}:[\w.]{1,64}/(?<secret>[^\s"'\x60@]{4,64})@`,
    written: ['jdbc:oracle:thin:app/', '@db:1521:xe'],
  },
  {
    anchors: [':5432:', ':3306:', ':*:'],
    form: String.raw`(?<=(?:^|[^\w.*-])[\w.*-]{1,64}):(?:5432|3306|\*)(?::[\w*.-]{1,64}){2}:(?<secret>[^\s"'\x60]{5,64})(?=\s|$)`,
    written: ['db:5432:app:app:', '\n'],
    strict: true,
  },
];

const takeAll = (secret: string): boolean =>
  !isPlaceholder(secret) &&
  !/^[-/]|^[A-Z_]+\d*$/.test(secret) &&
  isChosenPassword(secret, !/^[a-z]{1,7}$/.test(secret));

function commandPattern({ anchors, form, written }: Command): SecretPattern {
  return {
    kind: 'assigned-secret',
    description: `Passwords on a command line: \`${written}…\``,
    anchors,
    ignoreCase: true,
    find: firstOf(`${form}(?!-)${WORD}`),
    example: (fill: Fill) => [written, `${fill('A-Za-z', 6)}1${fill('A-Za-z0-9', 8)}`, ' \n'],
  };
}

/** The group that matched, whichever of the ways to write it. */
function firstOf(source: string): SecretPattern['find'] {
  let regex: RegExp | undefined;
  return (text, at) => {
    regex ??= new RegExp(source, 'diy');
    regex.lastIndex = at;
    const groups = regex.exec(text)?.indices?.groups;
    const span = groups && (groups.secret ?? groups.quoted ?? groups.single);
    if (!span) return undefined;
    const [start, end] = span;
    return takeAll(text.slice(start, end)) ? { start, end } : undefined;
  };
}

export const commandPatterns = (): SecretPattern[] => [
  ...COMMANDS.map(commandPattern),
  ...PLACES.map(
    ({ anchors, form, written, strict }): SecretPattern => ({
      kind: 'assigned-secret',
      description: `Passwords without a name: \`${written.join('…').replace(/[|\n]/g, '').trim()}\``,
      anchors,
      ignoreCase: true,
      find: headOr(form, strict ? (secret) => isChosenPassword(secret) : takeAll),
      example: (fill: Fill) => [written[0], `${fill('A-Za-z', 6)}1${fill('A-Za-z0-9', 8)}`, written[1]],
    }),
  ),
];

/** `head` is the whole secret here, not its beginning. */
function headOr(form: string, accept: (secret: string) => boolean): SecretPattern['find'] {
  if (!form.includes('?<head>')) return matching(form, { ignoreCase: true, accept });
  let regex: RegExp | undefined;
  return (text, at) => {
    regex ??= new RegExp(form, 'diy');
    regex.lastIndex = at;
    const head = regex.exec(text)?.indices?.groups?.head;
    return head && accept(text.slice(...head)) ? { start: head[0], end: head[1] } : undefined;
  };
}
