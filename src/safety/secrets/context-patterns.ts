// Secrets that only their surroundings give away: a header, a URL, a name beside the value, the frame of a key block.
import { ALNUM, BASE64, DASHED, EDGE, edge, HEX, matching, type SecretPattern } from './pattern.ts';
import { findPrivateKey, findPuttyKey } from './private-key-blocks.ts';
import {
  isHeaderCredential,
  isMachineMade,
  isPlaceholder,
  isPlaceholderToken,
  isUrlPassword,
  isUuid,
} from './secret-value.ts';

// What may stand between a name and its value: closing quote, `:`, `=`, `=>` or `,`, opening quote.
const GAP = String.raw`[\\"'\x60\])]{0,4}\s{0,8}(?:=>|:=|[:=,])\s{0,8}[\\"'\x60]{0,4}`;
const SCHEME = '(?:Bearer|Basic|Token|Bot|ApiKey|Api-Key|Key|JWT|OAuth|SSWS|GenieKey)';

const isReal = (secret: string) => !isPlaceholder(secret);
const isToken = (secret: string) => !isPlaceholderToken(secret);
const isOpaque = (secret: string) => isMachineMade(secret) || /^(?=.*\d)[0-9a-f]{20,}$/i.test(secret);
const isMixed = (secret: string) => isReal(secret) && /[a-z]/.test(secret) && /[A-Z0-9]/.test(secret);

function hidesLogin(base64: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(base64, 'base64').toString('latin1'));
}

const keyBlocks = (): SecretPattern[] => [
  {
    kind: 'private-key',
    description: 'Private key blocks in PEM, OpenSSH, PGP and SSH2 form, also without their end or with literal `\\n`',
    anchors: ['-begin ', '- begin '],
    ignoreCase: true,
    find: findPrivateKey,
    example: (fill) => [
      '',
      `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${fill(BASE64, 64)}\n${fill(BASE64, 64)}\n${fill(BASE64, 30)}==\n-----END RSA PRIVATE ${'KEY'}-----`,
      '',
    ],
  },
  {
    kind: 'private-key',
    description: 'PuTTY private keys (the lines after `Private-Lines:`)',
    anchors: ['private-lines:'],
    ignoreCase: true,
    find: findPuttyKey,
    example: (fill) => ['Private-Lines: 2\n', `${fill(BASE64, 64)}\n${fill(BASE64, 40)}`, ''],
  },
  {
    kind: 'jwt',
    description: 'JSON Web Tokens, signed or encrypted',
    anchors: ['eyJ'],
    find: matching(
      `${EDGE}eyJ[${DASHED}]{8,8192}(?:\\.eyJ[${DASHED}]{8,16384}\\.[${DASHED}]{10,2048}|\\.[${DASHED}]{0,2048}(?:\\.[${DASHED}]{8,16384}){3})`,
    ),
    example: (fill) => ['', `eyJ${fill(ALNUM, 33)}.eyJ${fill(ALNUM, 60)}.${fill(DASHED, 43)}`, ''],
  },
];

const cloudContext = (): SecretPattern[] => [
  {
    kind: 'aws-secret-access-key',
    description: 'AWS secret access keys beside their name',
    anchors: ['secret_access_key', 'secretaccesskey', 'secret-access-key', 'aws_secret_key', 'aws_secret'],
    ignoreCase: true,
    find: matching(`[a-z_-]{6,20}${GAP}(?<secret>[${BASE64}]{40})(?![${BASE64}=])`, {
      ignoreCase: true,
      accept: isToken,
    }),
    example: (fill) => ['aws_secret_access_key = ', fill(BASE64, 40), '\n'],
  },
  {
    kind: 'aws-secret-access-key',
    description: 'AWS secret access keys right after their access key id',
    anchors: ['AKIA', 'ASIA'],
    find: matching(`${EDGE}A[KS]IA[A-Z0-9]{16}["']?[,:;\\s]{1,4}["']?(?<secret>[${BASE64}]{40})(?![${BASE64}=])`, {
      accept: (secret) => isToken(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret),
    }),
    example: (fill) => [`AKIA${'A2B3'.repeat(4)},`, fill(BASE64, 40), '\n'],
  },
  {
    kind: 'alibaba-secret-key',
    description: 'Alibaba Cloud secrets right after their access key id',
    anchors: ['LTAI'],
    find: matching(`${EDGE}LTAI[${ALNUM}]{12,20}["']?[,:;\\s]{1,4}["']?(?<secret>[${ALNUM}]{30})(?![${ALNUM}])`, {
      accept: (secret) => isToken(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /[0-9]/.test(secret),
    }),
    example: (fill) => [`LTAI${'A2b3'.repeat(4)},`, fill(ALNUM, 30), '\n'],
  },
  {
    kind: 'aws-session-token',
    description: 'AWS session tokens beside their name',
    anchors: ['session_token', 'sessiontoken', 'security-token', 'security_token'],
    ignoreCase: true,
    find: matching(`[a-z_-]{12,14}${GAP}(?<secret>[${BASE64}%]{100,4096}={0,2})`, { ignoreCase: true, accept: isReal }),
    example: (fill) => ['"SessionToken": "', fill(BASE64, 300), '"'],
  },
  {
    kind: 'azure-storage-key',
    description: 'Azure connection strings: `AccountKey=`, `SharedAccessKey=`',
    anchors: ['accountkey=', 'sharedaccesskey='],
    ignoreCase: true,
    find: matching(`[a-z]{10,15}=(?<secret>[${BASE64}]{40,100}={0,2})`, { ignoreCase: true, accept: isReal }),
    example: (fill) => ['AccountName=box;AccountKey=', `${fill(BASE64, 86)}==`, ';'],
  },
  {
    kind: 'azure-sas',
    description: 'Azure shared access signatures: `sig=` in a URL',
    anchors: ['?sig=', '&sig=', ';sig='],
    find: matching(`[?&;]sig=(?<secret>[A-Za-z0-9%+/_-]{30,120}={0,2})`, { accept: isReal }),
    example: (fill) => ['https://box.blob.core.windows.net/c?sv=2024-01-01&sig=', `${fill(ALNUM, 43)}%3D`, ''],
  },
  {
    kind: 'cloudflare-token',
    description: 'Cloudflare keys and tokens beside the name Cloudflare or `CF_API`',
    anchors: ['cloudflare', 'cf_api', 'cf-api'],
    ignoreCase: true,
    find: matching(
      `[a-z_-]{6,10}[\\w ."'-]{0,30}?(?:token|key|secret)[\\w ."'-]{0,10}?[:=]\\s{0,4}["']?(?<secret>[${DASHED}]{37,40})(?![${DASHED}])`,
      {
        ignoreCase: true,
        accept: (secret) =>
          isReal(secret) &&
          /[0-9]/.test(secret) &&
          /[a-z]/i.test(secret) &&
          !/^[a-z]+(?:[_-][a-z0-9]+)+$/i.test(secret),
      },
    ),
    example: (fill) => ['CLOUDFLARE_API_TOKEN=', fill(ALNUM, 40), '\n'],
  },
  {
    kind: 'vercel-token',
    description: 'Vercel tokens beside the name Vercel',
    anchors: ['vercel'],
    ignoreCase: true,
    find: matching(
      `vercel[\\w ."'-]{0,20}?token["']?\\s{0,4}[:= ]\\s{0,4}["']?(?<secret>[${ALNUM}]{24})(?![${DASHED}])`,
      { ignoreCase: true, accept: isMixed },
    ),
    example: (fill) => ['VERCEL_TOKEN=', fill(ALNUM, 24), '\n'],
  },
  {
    kind: 'twilio-key',
    description: 'Twilio account ids and keys (`AC…`, `SK…`) near the name Twilio',
    anchors: ['twilio'],
    ignoreCase: true,
    find: matching(`twilio[^]{0,100}?(?<![${ALNUM}])(?<secret>(?:AC|SK)[${HEX}]{32})(?![${ALNUM}])`, {
      ignoreCase: true,
      accept: (secret) => /^(?:AC|SK)/.test(secret),
    }),
    example: (fill) => ['TWILIO_API_KEY=', `SK${fill(HEX, 32)}`, '\n'],
  },
];

const logins = (): SecretPattern[] => [
  {
    kind: 'url-password',
    description: 'Passwords in URLs and connection strings (`scheme://user:password@host`; only the password)',
    anchors: ['://'],
    find: matching(
      '://(?<user>[^\\s:/?#@"\'`<>()[\\]{}|\\\\^]{0,128}):(?<secret>[^\\s/"\'`<>]{1,256})@(?=[\\w[$%{-])(?<host>[\\w.-]{0,64})',
      { accept: (secret, { groups }) => isUrlPassword(secret, groups!.user!, groups!.host) },
    ),
    example: (fill) => ['postgres://app:', fill(ALNUM, 16), '@db.internal:5432/app'],
  },
  {
    kind: 'url-password',
    description: 'Tokens as the user of a URL (`https://…@host`)',
    anchors: ['://'],
    find: matching('://(?<secret>[\\w.~%+-]{16,255})(?::(?:x-oauth-basic)?)?@(?=[\\w[-])', {
      accept: (secret) => isToken(secret) && isOpaque(secret),
    }),
    example: (fill) => ['git clone https://', fill(ALNUM, 32), '@git.internal/app.git'],
  },
  {
    kind: 'authorization',
    description:
      '`Authorization` headers with `Bearer`, `Basic`, `Token` and their kin, in header, curl, code and JSON form',
    anchors: ['authorization'],
    ignoreCase: true,
    find: matching(`authorization${GAP}(?:${SCHEME}\\s{1,4}["']?)(?<secret>[\\w.~+/-]{8,4096}={0,2})`, {
      ignoreCase: true,
      accept: isHeaderCredential,
    }),
    example: (fill) => ['Authorization: Bearer ', fill(DASHED, 32), '\r\n'],
  },
  {
    kind: 'authorization',
    description: '`Authorization` headers without a scheme',
    anchors: ['authorization'],
    ignoreCase: true,
    find: matching(`authorization${GAP}(?<secret>[\\w.~+/-]{20,4096}={0,2})(?![\\w.(])`, {
      ignoreCase: true,
      accept: (secret) => isHeaderCredential(secret) && isMixed(secret) && /[0-9]/.test(secret),
    }),
    example: (fill) => ['"Authorization": "', fill(ALNUM, 40), '"'],
  },
  {
    kind: 'authorization',
    description: '`Bearer` and at least 20 characters, anywhere',
    anchors: ['bearer '],
    ignoreCase: true,
    find: matching(`bearer (?<secret>[\\w.~+/-]{20,4096}={0,2})`, {
      ignoreCase: true,
      accept: (secret) => isHeaderCredential(secret) && /[0-9]/.test(secret) && /[A-Za-z]/.test(secret),
    }),
    example: (fill) => ['token_type: Bearer ', fill(DASHED, 40), ''],
  },
  {
    kind: 'api-key-header',
    description:
      'API key headers: `x-api-key`, `api-key`, `x-auth-token`, `private-token`, `x-vault-token` and their kin',
    anchors: ['-key', '-token'],
    ignoreCase: true,
    find: matching(
      `(?<=${edge('\\w')}(?:x-(?:[a-z]{1,20}-){0,3}(?:api|auth|access|security|session|secret|vault|figma|functions)|api|private|dd-api|dd-application|apim-subscription))-(?:key|token)${GAP}(?<secret>[\\w.~+/-]{8,512}={0,2})(?![\\w(])`,
      { ignoreCase: true, accept: isHeaderCredential },
    ),
    example: (fill) => ['x-api-key: ', fill(ALNUM, 32), '\r\n'],
  },
  {
    kind: 'basic-login',
    description: 'curl logins: `curl -u user:password`, `--user user:password`, `--proxy-user user:password`',
    anchors: ['curl '],
    find: matching(
      'curl (?:[^\\n]|\\\\\\n){0,200}?(?<=\\s)(?:-[a-zA-Z]{0,4}[uU] ?|--(?:proxy-)?user[ =])["\']?(?<user>[^\\s:"\'$]{1,64}):(?!//)(?<secret>[^\\s"\']{1,128})',
      {
        accept: (secret, { groups }) => isUrlPassword(secret, groups!.user!),
      },
    ),
    example: (fill) => ['curl -s -u admin:', fill(ALNUM, 14), ' https://host/'],
  },
  {
    kind: 'session-cookie',
    description: 'Session cookies: `Cookie: session=…`, `JSESSIONID=…`, `connect.sid=…`',
    anchors: ['session=', 'sessionid=', 'sess=', 'sessid=', '.sid=', 'session_id='],
    ignoreCase: true,
    find: matching(
      '(?:(?<=j|php|asp\\.net_|laravel_|_gh_|connect)|(?<=(?:cookies?|curl|jar)\\b[^\\n]{0,200}))(?:sess(?:ion)?_?(?:id)?|\\.sid)=["\']?(?<secret>[\\w.~%+/=-]{16,4096})',
      { ignoreCase: true, accept: (secret) => isReal(secret) && !isUuid(secret) && isOpaque(secret) },
    ),
    example: (fill) => ['Cookie: theme=dark; session=', fill(ALNUM, 32), '; lang=en'],
  },
  {
    kind: 'netrc-login',
    description: 'netrc entries: `machine … login … password …`',
    anchors: ['login '],
    find: matching(
      '(?<=machine\\s{1,8}\\S{1,128}\\s{1,8})login\\s{1,8}\\S{1,64}\\s{1,8}password\\s{1,8}(?<secret>[^\\s"\'`]{4,128})',
      { accept: (secret) => isReal(secret) && !/^pass/i.test(secret) },
    ),
    example: (fill) => ['machine host.internal login bot password ', fill(ALNUM, 20), '\n'],
  },
  {
    kind: 'registry-login',
    description: 'Package registry logins: `_authToken=`, `_auth=`, `npm config set //host/:_authToken …`',
    anchors: ['_authtoken', '_auth', 'npmauthtoken'],
    ignoreCase: true,
    find: matching(
      `(?<![${ALNUM}_])(?:_|npm)auth(?:token)?(?:\\s{0,4}=\\s{0,4}|[ \\t]{1,4}(?=[\\w.~+/-]{16}))["']?(?<secret>[\\w.~+/-]{8,512}={0,2})`,
      { ignoreCase: true, accept: (secret, [all]) => isReal(secret) && (all.includes('=') || /\d/.test(secret)) },
    ),
    example: (fill) => ['//registry.internal/:_authToken=', fill(ALNUM, 36), '\n'],
  },
  {
    kind: 'registry-login',
    description: 'Docker configuration logins: `"auth": "…"` with user and password in base64',
    anchors: ['"auth"'],
    find: matching(`"auth"\\s{0,4}:\\s{0,4}"(?<secret>[${BASE64}]{8,1024}={0,2})"`, { accept: hidesLogin }),
    example: (fill) => ['"auth": "', Buffer.from(`bot:${fill(ALNUM, 20)}`).toString('base64'), '"'],
  },
];

export function contextPatterns(): SecretPattern[] {
  return [...keyBlocks(), ...cloudContext(), ...logins()];
}
