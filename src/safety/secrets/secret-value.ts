// Tells a credential from what people write in its place: placeholders, variable names, types, paths, versions.
// Used where only the surroundings ("password =", "Authorization:") speak for a secret, so these tests carry the
// whole false-positive rate of those patterns.
import { lazy } from '../../model/lazy.ts';
import type { NameKind } from './secret-names.ts';

const TEMPLATE =
  /^[<{$]|>$|\{\{|[$#%][{(]|\$[A-Z_]{3}|^%(?:\w+%|[sdvq])$|\.{3}|…|\*{3}|process\.env|os\.environ|import\.meta|getenv/;
const PLACEHOLDER =
  /example|placeholder|change[-_]?(?:me|this|it)|redacted|^x{4}|x{6}|x{4}[^x]x{4}|^your|^(?:my|the|some|insert|enter|replace|todo)[-_]|[-_]here$/i;
const URL_PLACEHOLDER = /^(?:..?|password|passwd|pass|pwd|pw|token|secret|changeme|example|placeholder|x+|\[.*)$/i;
export const isUuid = (value: string): boolean => UUID.test(value);
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
  return (
    !/^\d{1,5}[?#]/.test(password) && !(/^example\.(?:com|org|net)$/.test(host) && /^[a-z0-9]{1,7}$/i.test(password))
  );
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

/** How a value stands there: a `quoted` string, the rest of a `line` of configuration, an `argument` (environment, flag, query, tag), a `bare` word in code, `said` in a sentence, behind a `dash`, `loose` near its name. */
export type ValueForm = 'quoted' | 'line' | 'argument' | 'bare' | 'said' | 'dash' | 'loose';

/** What people write where a password would stand, and what programs call one. */
const STAND_IN = lazy(
  () =>
    new Set(
      (
        'password passwd passphrase passcode pwd pass secret token apikey key string text example test testing tests admin administrator user username ' +
        'root changeme changeit required optional hidden none null undefined true false prompt value values default empty invalid missing incorrect ' +
        'wrong reset forgot confirm number boolean object array function input field basic bearer plain plaintext cleartext encrypted hashed bcrypt ' +
        'argon2 scrypt never always unknown any void self this yes no on off set unset not new old current stored saved visible disabled enabled ' +
        'public private shared internal external local remote database postgres mysql redis mongo server client login signin signup sign letters ' +
        'characters longer shorter stronger weak strong correct match matches matching nothing something anything everything hash expired valid ' +
        'protected needed generated random provided given used checked sent entered typed printed written masked redacted removed stdin file env ' +
        'environment keychain keyring vault manager policy strength length minimum maximum error errors failed failure mismatch authentication ' +
        'authorization credentials credential kennwort passwort contraseña anonymous option options foobar foo bar baz dummy sample placeholder asdf qwerty'
      ).split(' '),
    ),
);

const MARKS = /[!@#%^*?~+$&=:]/;
const UI_WORD =
  /pass|word|field|input|form|label|icon|user|login|reset|button|modal|page|text|token|secret|key|auth|hash|error|confirm|api|url/i;

/**
 * A password as people choose them: letters with figures or marks in any mixture, or several words on a string. `words`: a single plain word
 * counts as well, because what stands around it leaves no doubt.
 */
export function isChosenPassword(value: string, words = false): boolean {
  if (value.length < 5 || value.length > 256 || /\s/.test(value) || isPlaceholder(value) || isNoSecret(value))
    return false;
  const lower = value.toLowerCase();
  const parts = lower.split(/[^A-Za-z\u00c0-\uffff]+/).filter(Boolean);
  if ((parts.length > 0 && parts.every((part) => STAND_IN().has(part))) || HASH.test(value)) return false;
  if (/^(?:0x|[-:*@]|--)|::|->|[\u2e80-\uffff]/.test(value)) return false;
  if (!/[A-Za-z\u00c0-\uffff]/.test(value)) return words ? /^\d{6,}$/.test(value) || /[^\d.,:/-]/.test(value) : false;
  const plain = /^[A-Za-z]+$/.test(value);
  if (plain) return (words && value.length >= 6) || (value.length >= 12 && looksRandom(value, 2.2));
  // No program stands where `words` are taken: `MYSQL_ROOT_PASSWORD=Rosa30Blatt` names nothing but itself.
  if (isCode(value) && !(words && /\d/.test(value) && /^\w+$/.test(value) && !UI_WORD.test(value))) return false;
  if (/\d/.test(value) || MARKS.test(value)) return true;
  // Words joined by dashes: three of them, none of which names a part of a page.
  return /^[A-Za-z]{2,}(?:[-_.][A-Za-z]{2,}){2,}$/.test(value) ? /-/.test(value) && !UI_WORD.test(value) : words;
}

/** A name, a path through an object, a call, a type: what stands in a program in place of a value. */
function isCode(value: string): boolean {
  return (
    (/^[!&]?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+[;,]?$/.test(value) &&
      !(value.length >= 20 && looksRandom(value, 2.9))) ||
    /^[A-Z][a-z]+\d{1,2}(?:[A-Z][a-z]+)+$/.test(value) ||
    /^[a-z]+(?:[A-Z][a-z]+)+\d?$/.test(value) ||
    /^[A-Z][a-z]+(?:[A-Z][a-z]+)+\d?$/.test(value) ||
    (/^_*[A-Za-z]+(?:_[A-Za-z]+)*_?v?\d{0,2}$/.test(value) &&
      /_|pass|user|token|secret|key|hash|string|value|field|input/i.test(value))
  );
}

const isNoSecret = (value: string): boolean => NOT_A_SECRET.test(value) || isPath(value) || EMAIL.test(value);
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** The value in `password = …`, `token: …` and their like: how much it must show hangs on what its name promises and on how it stands there. */
export function isNamedSecret(value: string, name: NameKind, form: ValueForm): boolean {
  if (form === 'loose' || form === 'dash') return name === 'password' && isLoosePassword(value, form);
  if (name === 'password') return isNamedPassword(value, form);
  if (/[[\](){}\\<>]/.test(value)) return false; // a pattern, a type
  if (value.length < 8 || /\s/.test(value) || isPlaceholder(value) || isNoSecret(value)) return false;
  if (/^\d+$/.test(value)) return name === 'key' && value.length >= 16;
  if (UUID.test(value)) return form !== 'bare' && (name === 'secret' || form !== 'said');
  if (/^[0-9a-f]{16,}$/i.test(value)) return /[0-9]/.test(value) && /[a-f]/i.test(value);
  if (name === 'key') return isMachineMade(value);
  if (isMachineMade(value)) return true;
  if (form === 'bare' || form === 'said')
    return form === 'said' && value.length >= 10 && !isWords(value) && looksRandom(value, 3.5);
  if (!/[0-9]/.test(value)) return value.length >= 16 && looksRandom(value, 2.2);
  if (isWords(value) && !(form === 'argument' && hasManyFigures(value))) return false;
  return form === 'quoted' ? looksRandom(value, 3.5) || MARKS.test(value) : isChosenPassword(value);
}

/** Letters, figures and a mark in one: no word of a sentence, and no name in a program. */
const LOOSE_PASSWORD = /^(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9][^\s=/:.()<>&|\\]*[!@#$%^*?&][^\s=/:.()<>&|\\]+$/;
/** Behind a dash mostly stands what the name is about: `Reset password - Windows2019`, `password - RFC2898`. */
const DASHED_PASSWORD = /^(?=\S*[a-z])(?=\S*[A-Z])(?:[A-Za-z]+\d+){2,}[A-Za-z]*$|^[A-Z][a-z]{3,}(?:19|20)\d\d$/;
const PRODUCT =
  /^(?:windows|server|office|exchange|oracle|visual|sharepoint|outlook|excel|word|access|chapter|section)/i;

const isLoosePassword = (value: string, form: 'loose' | 'dash'): boolean =>
  (LOOSE_PASSWORD.test(value) || (form === 'dash' && DASHED_PASSWORD.test(value) && !PRODUCT.test(value))) &&
  isChosenPassword(value);

/** `Rosa30Blatt!`: letters of both cases, figures, and a mark at the end that no sentence or program needs there. */
export const isMarkedPassword = (value: string, name: NameKind): boolean =>
  name === 'password' &&
  value.length >= 7 &&
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]+!$/.test(value) &&
  !UI_WORD.test(value) &&
  isChosenPassword(value);

function isNamedPassword(value: string, form: ValueForm): boolean {
  if (/^[0-9a-f]{16,}$/i.test(value)) return /[0-9]/.test(value);
  if (/^\d+$/.test(value)) return value.length >= 6 && form !== 'bare' && !isPlaceholder(value);
  switch (form) {
    case 'argument':
      return isChosenPassword(value, true);
    case 'quoted':
    case 'line':
      return (isChosenPassword(value) || isJoinedWords(value, CAPITALS_77)) && !isLabel(value);
    case 'said':
      return value.length >= 6 && (isChosenPassword(value) || isJoinedWords(value, WORDS_77)) && !isLabel(value);
    default:
      return (
        (isChosenPassword(value) && !isLabel(value) && (hasManyFigures(value) || MARKS.test(value))) ||
        isMachineMade(value)
      );
  }
}

/** `Blue_Cat_77`, which few programs would call something; in a sentence `blue_cat_77` as well. */
const CAPITALS_77 = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)+_?\d\d$/;
const WORDS_77 = /^[A-Za-z]{2,}(?:_[A-Za-z]{2,})+_?\d\d$/;

const isJoinedWords = (value: string, form: RegExp): boolean =>
  form.test(value) && !UI_WORD.test(value) && isChosenPassword(value, true);

/** `password2`, `user-1`: a name with a number. */
const isLabel = (value: string): boolean => /^[a-z]+[-_.]?\d$/i.test(value) && UI_WORD.test(value);

const hasManyFigures = (value: string): boolean => {
  const figures = value.match(/[0-9]+/g) ?? [];
  return figures.length > 1 || (figures[0]?.length ?? 0) > 2;
};

/** Letters and figures so mixed that nobody thought of them. */
export function isMachineMade(value: string): boolean {
  if (value.length < 12 || !/[A-Za-z]/.test(value)) return false;
  const figures = value.match(/[0-9]+/g)?.length ?? 0;
  if (figures === 0) return value.length >= 16 && /^[A-Za-z]+$/.test(value) && looksRandom(value, 2.9);
  if (isWords(value) || isCode(value)) return false;
  return looksRandom(value, value.length >= 20 && figures >= 3 ? 4.5 : 3.2);
}

const HASH = /^(?:sha|md|bcrypt|argon|scrypt|pbkdf|base|aes|rsa|hmac|oauth|utf|http|ipv)\d|hash/i;

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
