// Finds secrets that are only known by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`, `token: …`,
// `--password …`, `<secret>…</secret>`, “the password is …”. Written by hand rather than as one regular expression, so that each form can
// have its own test of the value; those tests (secret-value.ts) keep ordinary code out.
import { type Fill, matching, type SecretPattern, type Span } from './pattern.ts';
import { type AssignedValue, isAssignedSecret, isPlaceholder } from './secret-value.ts';

const PASSWORDS = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'pwd', '_pass', 'pass='],
  ...['passwort', 'kennwort', 'mot de passe', 'contraseña', 'contrasena'],
];
const ANCHORS = [...PASSWORDS, 'token', 'secret', 'credential', 'key'];

// Most keys are no secret (primary, cache, sort); these are.
const SECRET_KEY = /(?:api|access|private|signing|encryption|auth|master|account|deploy|service)[ _-]?$/i;

// Names that end in `token` or `key` and hold no secret: paging, parsing, language models, public halves.
const HARMLESS =
  /(?:next|prev|previous|page|paging|continuation|cursor|resume|sync|cancel|cancellation|abort|bos|eos|pad|unk|mask|sep|cls|stop|start|end|special|design|no|is|has|num|max|min)[_-]?$|(?:public|hashed|encrypted)[ _-]?$/i;
const REACH = 16;

// `secret` may go on as `secret_key`, `password` as `password_prod`; any other letter makes it another name.
const SUFFIX =
  /(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?|(?<!token)s)?(?:[_-]?(?:prod|production|dev|test|staging|live|main|default|value|b64|base64|string|\d{1,2}))?(?![A-Za-z0-9_-])/iy;

// Closing quote and bracket of the name, then the operator, with an optional type between `:` and `=`.
const OPERATOR =
  /(?<quote>\\{0,3}["'`])?\]?[ \t]{0,20}(?<operator>[?!]?:[ \t]{0,4}&?[A-Za-z]{2,12}[ \t]{0,4}=(?![=>])|:=|=>|={1,3}(?!>)|:(?!:)|>|,|(?<=[ \t])(?:is|was|to)(?=[ \t]))?[ \t]{0,20}(?<prefix>[rbuRBU@](?=["']))?(?<open>\\{0,3}["'`])?/y;

const BARE = /[^\s"'`,;<>(){}[\]|&\\]{8,256}/y;

export function findAssignment(text: string, at: number, anchor: string): Span | undefined {
  const isFused = anchor === 'pass=';
  SUFFIX.lastIndex = isFused ? at + anchor.length - 1 : at + anchor.length;
  if (!isFused && !SUFFIX.test(text)) return undefined;
  const nameEnd = isFused ? at + anchor.length - 1 : SUFFIX.lastIndex;
  if (!namesSecret(text.slice(Math.max(0, at - REACH), at), anchor)) return undefined;

  OPERATOR.lastIndex = nameEnd;
  const { quote, operator, open } = OPERATOR.exec(text)!.groups!;
  const from = OPERATOR.lastIndex;
  const value = open === undefined ? readBare(text, from) : readQuoted(text, from, open);
  if (value === undefined) return undefined;
  const nameStart = startOfName(text, at);
  const form = formOf({ text, nameStart, nameEnd, valueStart: from, quote, operator, open });
  if (form === undefined) return undefined;
  const name = nameKind(anchor);
  return isAssignedSecret(text.slice(value.start, value.end), { name, form }) ? value : undefined;
}

/** The same test for a value that is known to belong to a name, as in a parsed object. */
export function isSecretField(name: string, value: string): boolean {
  return secretAnchors(name).some((anchor) => isAssignedSecret(value, { name: nameKind(anchor), form: 'quoted' }));
}

/** The anchors that make a name one of a secret; none for most names. */
export function secretAnchors(name: string): string[] {
  const lower = name.toLowerCase();
  return ANCHORS.filter((anchor) => {
    const at = lower.lastIndexOf(anchor);
    if (at === -1) return false;
    SUFFIX.lastIndex = at + anchor.length;
    return SUFFIX.test(lower) && SUFFIX.lastIndex === lower.length && namesSecret(lower.slice(0, at), anchor);
  });
}

function namesSecret(before: string, anchor: string): boolean {
  return !HARMLESS.test(before) && (anchor !== 'key' || SECRET_KEY.test(before));
}

function nameKind(anchor: string): AssignedValue['name'] {
  if (PASSWORDS.includes(anchor)) return 'password';
  return anchor === 'token' ? 'token' : 'other';
}

type Place = {
  text: string;
  nameStart: number;
  nameEnd: number;
  valueStart: number;
  quote: string | undefined;
  operator: string | undefined;
  open: string | undefined;
};

/** How name and value are joined; undefined when they are not. */
function formOf(place: Place): AssignedValue['form'] | undefined {
  const { text, nameStart, nameEnd, valueStart, quote, operator, open } = place;
  const before = text[nameStart - 1];
  if (operator === undefined) {
    // `--password value`, and SQL's `PASSWORD 'value'`.
    if (quote !== undefined || valueStart === nameEnd) return undefined;
    if (text.startsWith('--', nameStart)) return 'plain';
    return open === "'" ? 'quoted' : undefined;
  }
  if (operator === '>') return before === '<' ? 'plain' : undefined;
  if (operator === ',') return quote !== undefined && open !== undefined ? 'quoted' : undefined;
  if (open !== undefined) return 'quoted';
  if (operator === '=>' || quote !== undefined) return quote === undefined ? undefined : 'bare';
  if (operator !== '=') return 'bare';
  const isTight = valueStart === nameEnd + 1;
  const isShouted = /^[A-Z0-9_]+$/.test(text.slice(nameStart, nameEnd));
  return isTight && (isShouted || before === '?' || before === '&' || text.startsWith('--', nameStart))
    ? 'plain'
    : 'bare';
}

/** Names reach back over letters, digits, `_`, `-`; 64 are enough. */
function startOfName(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 64 && /[A-Za-z0-9_-]/.test(text[start - 1]!)) start -= 1;
  // In a JSON string the line before may end in a written-out `\n`: its letter is no part of the name.
  return text[start - 1] === '\\' && /[nrt]/.test(text[start]!) && start < at ? start + 1 : start;
}

function readQuoted(text: string, from: number, open: string): Span | undefined {
  const line = text.slice(from, from + 257);
  const close = line.indexOf(open);
  if (close === -1) return readBare(text, from);
  const value = line.slice(0, close);
  return value.includes('\n') ? undefined : { start: from, end: from + close };
}

function readBare(text: string, from: number): Span | undefined {
  BARE.lastIndex = from;
  if (!BARE.test(text)) return undefined;
  let end = BARE.lastIndex;
  // A call, an index or a generic type is code; a full stop or colon ends the sentence, not the value.
  if (/[([{]/.test(text[end] ?? '') || (text[end] === '<' && text[end + 1] !== '/')) return undefined;
  while (/[.:?!]/.test(text[end - 1]!)) end -= 1;
  return { start: from, end: end + restBehindAnd(text, end) };
}

// In a query an `&` ends the value, and in a shell it ends the command; anywhere else it is one of its marks.
const REST = /&[^\s"'`,;<>(){}[\]|&\\=]{1,32}(?![^\s=]{0,32}=)/y;

function restBehindAnd(text: string, end: number): number {
  REST.lastIndex = end;
  return REST.exec(text)?.[0].length ?? 0;
}

// Commands that take a password behind a letter of theirs: `mysql` right behind it, `docker` apart from it.
const LATER = String.raw`[ \t][^\n|;]{0,160}?`;
const MYSQL = String.raw`[a-z-]{0,12}(?:${LATER})?[ \t]-p(?!ort\b|rotocol\b|lugin)`;
const COMMANDS: readonly { anchor: string; form: string; written: string }[] = [
  { anchor: 'mysql', form: `mysql${MYSQL}`, written: 'mysql -u app -p' },
  { anchor: 'mariadb', form: `mariadb${MYSQL}`, written: 'mariadb -u app -p' },
  { anchor: 'docker login', form: String.raw`docker login${LATER}-p[ \t]`, written: 'docker login -u app -p ' },
  { anchor: 'sshpass', form: String.raw`sshpass[ \t]{1,4}-p[ \t]{0,4}`, written: 'sshpass -p ' },
  { anchor: 'redis-cli', form: String.raw`redis-cli${LATER}-a[ \t]`, written: 'redis-cli -a ' },
  { anchor: 'pass:', form: 'pass:', written: 'openssl enc -d -pass pass:' },
];

function commandPattern({ anchor, form, written }: (typeof COMMANDS)[number]): SecretPattern {
  return {
    kind: 'assigned-secret',
    description: `Passwords on a command line: \`${written}…\``,
    anchors: [anchor],
    ignoreCase: true,
    find: matching(`${form}["']?(?<secret>[^\\s"'\`|;&<>()]{6,64})`, { ignoreCase: true, accept: isCommandPassword }),
    example: (fill: Fill) => [written, `${fill('A-Za-z', 6)}1${fill('A-Za-z0-9', 8)}`, ' \n'],
  };
}

const isCommandPassword = (value: string): boolean =>
  /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !isPlaceholder(value) && !/^[A-Z_]+\d*$/.test(value);

export const assignmentPatterns = (): SecretPattern[] => [assignmentPattern(), ...COMMANDS.map(commandPattern)];

function assignmentPattern(): SecretPattern {
  return {
    kind: 'assigned-secret',
    description:
      'Values given to a name such as `password`, `secret`, `token`, `api_key`, `private_key`, `credential`, if they look like a secret',
    anchors: ANCHORS,
    ignoreCase: true,
    find: findAssignment,
    example: (fill: Fill) => ['DB_PASSWORD=', fill('A-Za-z0-9', 20), '\n'],
  };
}
