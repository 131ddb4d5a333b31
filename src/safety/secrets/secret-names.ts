// Which names promise that a secret stands behind them. A name is taken apart into its words (`MYSQL_ROOT_PASSWORD`, `dbPassword`,
// `x-api-key`), and its last words decide: what it is about stands there in every way of writing names.

import { lazy } from '../../model/lazy.ts';

/** What a name promises: people choose passwords, machines make secrets; `key` alone can be anything and needs a value that says more. */
export type NameKind = 'password' | 'secret' | 'key';

/** Where to look for a name at all. Lower case, at least three letters. */
export const NAME_ANCHORS: readonly string[] = [
  ...['pass', 'pwd', 'kennwort', 'contrase', 'senha', 'wachtwoord', 'hasło', 'haslo', 'ароль', 'senord', 'salasana'],
  // Only small letters of our own alphabet are found in capitals too: `Пароль`, `Lösenord`, `JELSZÓ`.
  ...['heslo', 'parola', 'jelsz', 'şifre', 'парола', 'adgangskode', 'passord', 'geslo', 'lozinka', 'parool', 'sandi'],
  ...['khẩu', 'κωδικ', 'סיסמ', 'المرور', 'पासवर्ड', 'パスワード', '비밀번호'],
  ...['pw:', 'pw=', 'pw ', '_pw', 'pw"', 'mdp', 'psk', 'clave'],
  ...['token', 'secret', 'credential', 'creds', 'key', 'bearer', 'salt', 'pepper', 'mnemonic', 'seed', 'jwt', '_pat'],
  ...['client_id', 'clientid', 'recovery', '_dsn', 'rediscli_auth'],
];

/** Hooks import this file, and most of them meet no such name. */
const words = (text: string): (() => ReadonlySet<string>) => lazy(() => new Set(text.split(' ')));

const PASSWORDS = words(
  'password passwords passwd passphrase passcode pwd pass pw psw pword passwort kennwort contraseña contrasena clave senha mdp motdepasse ' +
    'wachtwoord hasło haslo пароль lösenord losenord salasana heslo parola jelszó jelszo şifre adgangskode passord ' +
    'passordet adgangskoden lösenordet парола geslo lozinka parool κωδικός κωδικοσ סיסמה סיסמא पासवर्ड 密码 密碼 口令 パスワード 비밀번호 psk',
);
const OF_TWO_WORDS = lazy(() => new Set(['de passe', 'mật khẩu', 'kata sandi', 'كلمة المرور']));
const ENDS_IN_PASSWORD = /(?:password|passwd|passphrase|passcode|passwort|kennwort|pwd)$/;
/** `dbpass`, `rootpw`: what stands before must be somebody's or something's, or it is a compass. */
const SHORT_PASSWORD =
  /^(?:db|user|root|admin|ssh|smtp|mail|imap|ftp|my|pg|sql|auth|require|login|proxy|key|store|trust|bind|ldap|sudo|become|https?|wifi|redis|mongo|rabbit|vnc|rdp|zip|cert|pfx|p12|account|acct|host|remote|master|basic|app|api|web|new|old|hash)(?:pass|pw)$/;

/** In programs a pass is mostly something else: a walk over a tree, a test that went well. */
const PASS_OWNERS = words(
  'db user root admin ssh smtp mail email imap ftp sftp my mysql pg postgres sql database auth login proxy key store truststore keystore bind ldap ' +
    'sudo become http https wifi redis mongo rabbit rabbitmq amqp mqtt vnc rdp vpn zip cert basic app api web new old default service account ' +
    'host remote master jenkins nexus registry docker git elastic grafana router server client ansible',
);

const SECRETS = words(
  'secret secrets token tokens jwt bearer credential credentials creds cred apikey authkey accesskey secretkey privatekey appkey masterkey ' +
    'signingkey encryptionkey licensekey accountkey sharedaccesskey servicekey authtoken accesstoken passkey sas mnemonic',
);
const ENDS_IN_SECRET = /(?:token|secret|apikey|accesskey|secretkey|privatekey)$/;
const WEAK = words('salt pepper seed pat key keys dsn bearer');

/** Most keys are no secret (primary, cache, sort); these are. */
const SECRET_KEY = words(
  'api app application access secret private priv signing sign encryption encrypt cipher crypto aes hmac jwt jwe rsa ssh auth ' +
    'authentication master account storage deploy deployment service admin consumer client server session cookie license licence activation ' +
    'recovery functions function subscription webhook integration ingest ingestion write user shared root vault unseal role anon rest hashing ' +
    'token bot wifi network wpa db database data bearer webhooks developer dev partner merchant project sdk tls ssl preshared preshare ' +
    'secretaccess instrumentation connection publish push feed oauth upload download',
);

/** Names that end in `token`, `key` and the like and hold no secret: paging, parsing, language models, public halves. */
const HARMLESS = words(
  'next prev previous page paging continuation cursor resume sync cancel cancellation abort bos eos pad unk mask sep cls stop start end special ' +
    'design no is has num max min public pub publishable hashed encrypted primary foreign cache sort partition range row object idempotency ' +
    'integrity checksum digest fingerprint index group map query lookup i18n translation react dedupe natural unique composite css ' +
    'sha sha1 sha256 sha512 md5 input output prompt completion total cached reasoning syntax keyword punctuation operator comment match first ' +
    'last current left right arrow escape enter tab shift ctrl alt meta hot short shortcut key of by sitemap site random count per used recv gpg pgp host trusted known finger',
);

/** What may follow the telling word without changing what the name is about. */
const TRAILING =
  /^(?:prod|production|dev|development|test|testing|staging|stage|live|main|default|value|val|b64|base64|string|str|text|plain|plaintext|raw|env|old|new|current|secondary|backup|base|hex|v?\d{1,3}|override|here)$/;

/** The words of a name, in small letters. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^A-Za-z0-9\u00c0-\uffff]+/)
    .filter(Boolean);
}

const kinds = new Map<string, NameKind | undefined>();
const MOST_KINDS = 2_000;

/** What a name promises; the same few come again and again. */
export function kindOfName(name: string): NameKind | undefined {
  if (kinds.has(name)) return kinds.get(name);
  if (kinds.size >= MOST_KINDS) kinds.clear();
  const kind = judge(wordsOfName(name));
  kinds.set(name, kind);
  return kind;
}

function judge(all: readonly string[]): NameKind | undefined {
  let end = all.length;
  while (end > 1 && TRAILING.test(all[end - 1]!)) end -= 1;
  const last = all[end - 1] ?? '';
  const before = all[end - 2] ?? '';
  if (OF_TWO_WORDS().has(`${before} ${last}`)) return 'password';
  if (last === 'auth' && before === 'rediscli') return 'password';
  if (last === 'secret' && before === 'key' && all[end - 3] === 'access') return 'secret';
  if (last === 'pass' && before !== '' && !PASS_OWNERS().has(before)) return undefined;
  if (PASSWORDS().has(last) || ENDS_IN_PASSWORD.test(last) || SHORT_PASSWORD.test(last))
    return before === 'no' || before === 'is' || before === 'has' || before === 'hashed' || before === 'encrypted'
      ? undefined
      : 'password';
  if (HARMLESS().has(before)) return undefined;
  if (SECRETS().has(last) || ENDS_IN_SECRET.test(last)) return end > 1 || last !== 'tokens' ? 'secret' : undefined;
  if ((last === 'phrase' && before === 'seed') || (/^codes?$/.test(last) && /^(?:recovery|backup)$/.test(before)))
    return 'secret';
  if (last === 'id' && before === 'client') return 'key';
  if (last === 'id' && before === 'access' && end > 2) return 'key';
  if (!WEAK().has(last)) return undefined;
  if (/^keys?$/.test(last)) return SECRET_KEY().has(before) ? 'secret' : end > 1 ? 'key' : undefined;
  return 'key';
}
