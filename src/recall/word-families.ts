// Words of the trade that are written long and short: whoever asks for the db means the database. Only what is plainly the same word; what
// merely means the same is found by vectors.

/** As people write them; a test compares the form below with them. */
export const PLAIN_FAMILIES: readonly (readonly string[])[] = [
  ['auth', 'authentication', 'authenticate', 'authn'],
  ['db', 'database'],
  ['config', 'configuration', 'configure', 'cfg'],
  ['repo', 'repository'],
  ['env', 'environment'],
  ['dev', 'development'],
  ['docs', 'documentation'],
  ['admin', 'administrator', 'administration'],
  ['param', 'parameter'],
  ['arg', 'argument'],
  ['msg', 'message'],
  ['dir', 'directory'],
  ['deps', 'dependency'],
  ['impl', 'implementation'],
  ['init', 'initialize', 'initialise', 'initialization', 'initialisation'],
  ['sync', 'synchronize', 'synchronise', 'synchronization', 'synchronisation'],
  ['mail', 'email'],
  ['pw', 'passwd', 'password'],
  ['creds', 'credentials'],
  ['cert', 'certificate'],
  ['k8s', 'kubernetes'],
  ['pg', 'postgres', 'postgresql'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['gh', 'github'],
  ['img', 'image'],
  ['btn', 'button'],
  ['nav', 'navigation', 'navigate'],
  ['tmp', 'temp', 'temporary'],
  ['i18n', 'internationalization', 'internationalisation'],
  ['regex', 'regexp'],
  ['signin', 'login'],
  ['utils', 'utilities', 'utility'],
  ['lib', 'library'],
  ['revoke', 'revocation'],
];

const INDEXED =
  'auth authent authn|db databas|config configur cfg|repo repositori|env environ|dev develop|doc document|admin ' +
  'administr|param paramet|arg argument|msg messag|dir directori|dep depend|impl implement|init initi initialis|' +
  'sync synchron synchronis|mail email|pw passwd password|cred credenti|cert certif|k8s kubernet|pg postgr ' +
  'postgresql|js javascript|ts typescript|gh github|img imag|btn button|nav navig|tmp temp temporari|i18n ' +
  'internation internationalis|regex regexp|signin login|util|lib librari|revok revoc';

let families: ReadonlyMap<string, readonly string[]> | undefined;

/** The other forms of a word, all as the index has them. */
export function otherForms(word: string): readonly string[] {
  families ??= new Map(
    INDEXED.split('|')
      .map((family) => family.split(' '))
      .flatMap((family) => family.map((each) => [each, family.filter((other) => other !== each)] as const)),
  );
  return families.get(word) ?? [];
}
