// Tells a credential from what people write in its place: placeholders, variable names, types, paths, versions.
// Used where only the surroundings ("password =", "Authorization:") speak for a secret, so these tests carry the
// whole false-positive rate of those patterns.

const TEMPLATE =
  /^[<{$]|>$|\{\{|[$#%][{(]|\$[A-Z_]{3}|^%(?:\w+%|[sdvq])$|\.{3}|…|\*{3}|process\.env|os\.environ|import\.meta|getenv/;
const PLACEHOLDER =
  /example|placeholder|change[-_]?(?:me|this|it)|redacted|^x{4}|x{6}|x{4}[^x]x{4}|^your|^(?:my|the|some|insert|enter|replace|todo)[-_]|[-_]here$/i;
const URL_PLACEHOLDER = /^(?:password|passwd|pass|pwd|pw|changeme|example|placeholder|x+|\[.*)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOT_A_SECRET =
  /^(?:[\^~>=<v]*\d+\.\d+|\d{4}-\d\d-\d\d|#[0-9a-f]{3,8}$|sha\d+[-:]|data:|[a-z][a-z0-9+.-]*:\/\/|arn:|vault:|op:|file:|[\d.,_:%-]+$)/i;

/** True for the body of a prefixed token that documentation made up. */
export function isPlaceholderToken(body: string): boolean {
  return /x{8}|placeholder|your[-_]|redacted|\.{3}|\*{3}/i.test(body);
}

/** True for words joined by separators, all of one case: `proj-key-for-tests`. No word has twenty letters. */
export function isWordList(body: string): boolean {
  return /^[a-z]{0,19}(?:[-_.][a-z]{0,19})*$/.test(body) || /^[A-Z]{0,19}(?:[-_.][A-Z]{0,19})*$/.test(body);
}

/** True for a template, a variable reference or a stand-in word. */
export function isPlaceholder(value: string): boolean {
  return TEMPLATE.test(value) || PLACEHOLDER.test(value) || /^(.)\1*$/s.test(value);
}

/** The password of a URL: short ones count, stand-ins and "same as the user name" do not. */
export function isUrlPassword(password: string, user: string, host = ''): boolean {
  if (password === user || URL_PLACEHOLDER.test(password) || TEMPLATE.test(password)) return false;
  // `http://host:80?to=a@b` has a port there, and documentation writes `http://abc:xyz@example.com`.
  return !/^\d{1,5}[?#]/.test(password) && !(/^example\.(?:com|org|net)$/.test(host) && /^[a-z]{1,7}$/i.test(password));
}

/** The value of an authorization or API key header. The header speaks for a secret, so only stand-ins are refused. */
export function isHeaderCredential(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || NOT_A_SECRET.test(value)) return false;
  if (/^(?:access|auth|api|my|your|test|user|jwt|bearer)?[-_]?(?:token|key|secret|jwt|value)[-_]?\d{0,4}$/i.test(value))
    return false;
  if (/[0-9]/.test(value)) {
    const digits = value.replace(/[^0-9]/g, '').length;
    return /[A-Za-z]/.test(value) && !isPath(value) && !(digits <= 2 && isWords(value));
  }
  return looksRandom(value, 2.2);
}

export type AssignedValue = {
  /** What the name promises: people choose passwords, machines make the rest. */
  name: 'password' | 'token' | 'other';
  /** `quoted` string, `bare` word in a line of code or configuration, or a `plain` argument (environment, flag, query). */
  form: 'quoted' | 'bare' | 'plain';
};

/** The value in `password = …` and its like. Strict: names, words, types and expressions are all common there. */
export function isAssignedSecret(value: string, { name, form }: AssignedValue): boolean {
  if (value.length < 8 || /\s/.test(value)) return false;
  if (!/[0-9]/.test(value) && (value.length < 16 || !looksRandom(value, 2.2))) return false;
  if (isPlaceholder(value)) return false;
  if (/^\d+$/.test(value)) return name === 'password' && form !== 'bare';
  if (NOT_A_SECRET.test(value) || isPath(value)) return false;
  if (UUID.test(value)) return name !== 'token';
  if (/^[0-9a-f]{16,}$/i.test(value)) return /[0-9]/.test(value);
  if (!/[0-9]/.test(value)) return true;
  if (!/[A-Za-z]/.test(value)) return false;
  // `JWT_SECRET=…` in an environment may be chosen by a person as well.
  if ((name === 'password' ? form === 'bare' : name === 'other' && form === 'plain') && isChosenPassword(value))
    return true;
  // Words joined by separators, with or without a number, are names: `access-token-v2`, `db_password_1`.
  if (isWords(value) && (name !== 'password' || form === 'bare' || /[^A-Za-z0-9]/.test(value))) return false;
  if (form === 'plain' || (name === 'password' && form === 'quoted')) return true;
  if (form === 'quoted') return looksRandom(value, 3.5);
  const isIdentifier = /^[A-Za-z_$][\w$]*(?:[.:]+[A-Za-z_$][\w$]*)*$/.test(value);
  if (!isIdentifier) return looksRandom(value, 3.5);
  return value.length >= (name === 'password' ? 10 : 16) && looksRandom(value, 2.9);
}

const HASH = /^(?:sha|md|bcrypt|argon|scrypt|pbkdf|base|aes|rsa|hmac|oauth|utf|http|ipv)\d|hash/i;

/**
 * A password as people choose them, which is made of words: it has marks that no name in code has, or three figures, or figures in two
 * places. `password2` and `user.password_v2` are names.
 */
function isChosenPassword(value: string): boolean {
  const figures = value.match(/[0-9]+/g) ?? [];
  if (figures.length === 0 || HASH.test(value)) return false;
  if (/[!@#%^*?~+]/.test(value)) return true;
  return /^[A-Za-z0-9]+$/.test(value) && (figures.length > 1 || figures[0]!.length > 2);
}

/** True when the runs of one kind of letter are short on average: words have long runs, random strings do not. */
function looksRandom(value: string, maxAverage: number): boolean {
  if (!/[0-9]/.test(value) && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false;
  // `Token` is one run; digits count as a new run every three, since random digits are as random as anything.
  const runs = value.match(/[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,3}/g) ?? [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  return runs.length > 1 && length / runs.length <= maxAverage;
}

function isWords(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).every((part) => /^(?:[a-z]*(?:[A-Z][a-z]{2,})*|[A-Z]*)\d{0,4}$/.test(part));
}

/** A path, possibly with a line number: every segment is a name. */
function isPath(value: string): boolean {
  return value.includes('/') && /^[~.@]?[\w.@-]*(?:\/[\w.@-]*)+(?::\d+)*$/.test(value) && isWords(value);
}

/**
 * Whether a secret can be told from ordinary words where it stands alone. A password that is a word, or a short number, is masked beside
 * its name and nowhere else: otherwise `admin` would go from every line of the conversation.
 */
export function isMentionable(value: string): boolean {
  if (value.length < 6 || /^\d{1,7}$/.test(value) || isPlaceholder(value)) return false;
  if (/^[A-Za-z]+$/.test(value)) return value.length >= 12 && looksRandom(value, 4);
  return (
    !(
      value.length < 12 &&
      /^[A-Za-z]+\d$/.test(value) &&
      /^(?:pass(?:word)?|test|user|admin|key|token|secret)\d$/i.test(value)
    ) && !/^[a-z]+(?:[-_.][a-z]+)?$/i.test(value)
  );
}
