// Tokens of the many smaller issuers: a prefix that is theirs, and behind it letters and figures that nobody thought of. One row for all of
// them, because there is nothing else to say about each; and one for the words that issuers put in front of their tokens in common.
import { ALNUM, EDGE, type Fill, HEX, matching, type SecretPattern } from './pattern.ts';
import { isMachineMade, isPlaceholderToken, isUuid } from './secret-value.ts';

/** The prefixes of single issuers. */
const ISSUERS: readonly string[] = [
  ...[
    'GR1348941',
    'api_org_',
    'CLOJARS_',
    'NRJS-',
    'NRSP-',
    'NRIQ-',
    'dt0c01.',
    'dt0s01.',
    'p8e-',
    'LTAI',
    'AKCp',
    'cmVmd',
    'EZAK',
    'EZTK',
  ],
  ...[
    'duffel_live_',
    'duffel_test_',
    'FLWSECK',
    'fio-u-',
    'pnu_',
    'rdme_',
    'tk-us-',
    'shippo_live_',
    'shippo_test_',
    'ico-',
    's-s4t2',
  ],
  ...[
    'sha256~',
    'sm_pat_',
    'sm_aat_',
    'sm_sat_',
    'sqp_',
    'squ_',
    'sqa_',
    'sgp_',
    'tfp_',
    'AQVN',
    'EAAC',
    'EAAM',
    'scauth_',
    'authress_',
  ],
  ...[
    '4b1d',
    'bkua_',
    'CFPAT-',
    'CCIPAT_',
    'rnd_',
    'rzp_live_',
    'rzp_test_',
    'ramp_sec_',
    'phx_',
    'phc_',
    'pcsk_',
    'nvapi-',
    'tgp_v1_',
  ],
  ...[
    'csk-',
    'tvly-',
    'e2b_',
    'wandb_v1_',
    'napi_',
    'dub_',
    'cal_live_',
    'ATTA',
    'sct_rw_',
    'sct_ro_',
    'pat-na1-',
    'pat-eu1-',
    'dG9rO',
  ],
  ...[
    'apify_api_',
    'xkeysib-',
    'xsmtpsib-',
    'shltm_',
    'endr+',
    'flb_live_',
    'ptr_',
    'BBFF-',
    'trnsl.',
    'tkn.v1_',
    'KEY01',
    'FLWPUBK',
  ],
  ...[
    'access-production-',
    'access-sandbox-',
    'access-development-',
    'persona_production_',
    'persona_sandbox_',
    'sdk-',
    'mob-',
    'fw_',
    're_',
  ],
  ...['cs_live_', 'v2.public.', 'v1.public.', 'AQE', 'ATCTT', 'secret-live-', 'secret-test-', 'fc-'],
];

/** What issuers call a key in it. */
const COMMON: readonly string[] = [
  'sk_',
  'sk-',
  'sk.',
  'pk_live_',
  '_live_',
  '_test_',
  '_prod_',
  '_secret_',
  'secret_',
  'secret-',
  'api_live.',
];

const TOKEN = `[${ALNUM}_.=~+-]{16,400}`;

const isRandom = (body: string): boolean =>
  !isPlaceholderToken(body) && (isUuid(body) || (body.length >= 20 && isMachineMade(body)) || isHexTail(body));
const isHexTail = (body: string): boolean =>
  new RegExp(`^[${HEX}]{24,}$`, 'i').test(body) && /\d/.test(body) && /[a-f]/i.test(body);

export const prefixedTokens = (): SecretPattern[] => [
  {
    kind: 'provider-token',
    description: `Tokens of other issuers, by their prefix: ${ISSUERS.map((prefix) => `\`${prefix}\``).join(', ')}`,
    anchors: ISSUERS,
    find: matching(`${EDGE}${TOKEN}`, {
      accept: (secret, _match, anchor) => isRandom(trimmed(secret).slice(anchor.length)),
    }),
    example: (fill: Fill) => ['', `sqp_${fill(HEX, 40)}`, ''],
  },
  {
    kind: 'provider-token',
    description:
      'Tokens that call themselves keys: `sk_`, `sk-`, `secret_`, `…_live_`, `…_prod_` and at least 24 random characters',
    anchors: COMMON,
    find: matching(`(?<=(?:^|[^${ALNUM}_.-])(?<head>[a-z0-9]{0,12}))${TOKEN}`, {
      accept: (secret) => {
        const body = trimmed(secret).replace(/^[a-z0-9]{0,12}[_.-](?:[a-z]{2,6}[_.-]){0,2}/i, '');
        return (
          body.length >= 24 &&
          isRandom(body) &&
          (isUuid(body) || body.split(/[._=~+-]/).some((part) => part.length >= 16))
        );
      },
    }),
    example: (fill: Fill) => ['', `acme_live_${fill(ALNUM, 32)}`, ''],
  },
  {
    kind: 'provider-token',
    description:
      'Tokens of a shape of their own: 1Password secret keys (`A3-`), Octopus (`API-`), MaxMind (`…_mmk`), Harness (`pat.`, `sat.`), Twitch (`oauth:`)',
    anchors: ['A3-', 'API-', '_mmk', 'pat.', 'sat.', 'oauth:'],
    find: matching(
      `${EDGE}(?:A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}|API-(?=[A-Z]*[0-9])[A-Z0-9]{26}|[ps]at\\.[\\w-]{22}\\.[${HEX}]{24}\\.[${ALNUM}]{20}|oauth:(?=[a-z]*[0-9])[a-z0-9]{30})(?![${ALNUM}])|(?<=(?<head>[${ALNUM}]{6}_[${ALNUM}]{29}))_mmk`,
    ),
    example: (fill: Fill) => [
      '',
      `A3-${fill('A-Z0-9', 6)}-${fill('A-Z0-9', 6)}-${[1, 2, 3, 4].map(() => fill('A-Z0-9', 5)).join('-')}`,
      '',
    ],
  },
];

/** A full stop ends the sentence. */
const trimmed = (secret: string): string => secret.replace(/[.=~+-]+$/, '');
