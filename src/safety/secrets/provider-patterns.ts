// Tokens that name their issuer: a fixed prefix, or a shape no ordinary text has. Bounds are looser than the issuers'
// own, because a token that grew by a few characters must still be found.
import { ALNUM, BASE64, DASHED, EDGE, edge, HEX, matching, prefixed, type SecretPattern, WORD } from './pattern.ts';
import { isPlaceholderToken } from './secret-value.ts';

const isReal = (secret: string) => !isPlaceholderToken(secret);
const hasAllCases = (secret: string) =>
  isReal(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /[0-9]/.test(secret);

const sourceHosts = (): SecretPattern[] => [
  prefixed(
    'github-token',
    'GitHub tokens: `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    { of: ALNUM, min: 36 },
  ),
  prefixed('github-token', 'GitHub fine-grained tokens: `github_pat_`', ['github_pat_'], { of: WORD, min: 36 }),
  prefixed(
    'gitlab-token',
    'GitLab tokens: `glpat-`, `gldt-`, `glrt-`, `glptt-`, `glcbt-` and their kin',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    { of: 'A-Za-z0-9_.-', min: 20, notWords: true },
  ),
  prefixed(
    'atlassian-token',
    'Atlassian and Bitbucket tokens: `ATATT3`, `ATCTT3`, `ATBB`',
    ['ATATT3', 'ATCTT3', 'ATBB'],
    { of: 'A-Za-z0-9_=-', min: 28, edges: true, notWords: true },
  ),
  prefixed('linear-key', 'Linear keys: `lin_api_`, `lin_oauth_`', ['lin_api_', 'lin_oauth_'], { of: ALNUM, min: 32 }),
  prefixed('figma-token', 'Figma tokens: `figd_`', ['figd_'], { of: DASHED, min: 36 }),
  prefixed('notion-token', 'Notion tokens: `ntn_`', ['ntn_'], { of: ALNUM, min: 40, edges: true }),
  prefixed('notion-token', 'Notion tokens, older form: `secret_` and 43 characters', ['secret_'], {
    of: ALNUM,
    min: 43,
    max: 43,
    edges: true,
    notWords: true,
  }),
  prefixed('postman-key', 'Postman keys: `PMAK-`', ['PMAK-'], { of: 'A-Za-z0-9-', min: 50 }),
  {
    kind: 'airtable-token',
    description: 'Airtable tokens: `pat…` with two parts',
    anchors: ['pat'],
    find: matching(`${EDGE}pat[${ALNUM}]{14}\\.[${HEX}]{64}(?![${ALNUM}])`),
    example: (fill) => ['', `pat${fill(ALNUM, 14)}.${fill(HEX, 64)}`, ''],
  },
];

const clouds = (): SecretPattern[] => [
  {
    kind: 'aws-access-key-id',
    description: 'AWS access key ids: `AKIA`, `ASIA`, `ABIA`, `ACCA`',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    find: matching(`${EDGE}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![${ALNUM}])`, { accept: isReal }),
    example: (fill) => ['', `AKIA${fill('A-Z2-7', 16)}`, ''],
  },
  prefixed('google-api-key', 'Google API keys: `AIza`', ['AIza'], { of: DASHED, min: 35, max: 35, edges: true }),
  prefixed('google-oauth-token', 'Google OAuth access tokens: `ya29.`', ['ya29.'], {
    of: DASHED,
    min: 20,
    max: 2048,
    edges: true,
  }),
  prefixed('google-oauth-token', 'Google OAuth refresh tokens: `1//0`', ['1//0'], {
    of: DASHED,
    min: 28,
    edges: true,
    notWords: true,
  }),
  prefixed('google-client-secret', 'Google OAuth client secrets: `GOCSPX-`', ['GOCSPX-'], {
    of: DASHED,
    min: 20,
    notWords: true,
  }),
  {
    kind: 'azure-client-secret',
    description: 'Microsoft Entra client secrets (`…Q~…`)',
    anchors: Array.from('0123456789', (digit) => `${digit}Q~`),
    find: matching(`(?<=${edge('\\w.~-')}(?<head>[\\w.~-]{3}))[0-9]Q~[\\w.~-]{31,34}(?![\\w.~-])`),
    example: (fill) => ['', `${fill(ALNUM, 3)}8Q~${fill('A-Za-z0-9_.~-', 34)}`, ''],
  },
  prefixed(
    'digitalocean-token',
    'DigitalOcean tokens: `dop_v1_`, `doo_v1_`, `dor_v1_`',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    { of: ALNUM, min: 40 },
  ),
  prefixed('cloudflare-token', 'Cloudflare tokens and keys: `cfut_`, `cfat_`, `cfk_`', ['cfut_', 'cfat_', 'cfk_'], {
    of: ALNUM,
    min: 40,
    edges: true,
  }),
  {
    kind: 'cloudflare-token',
    description: 'Cloudflare origin CA keys: `v1.0-`',
    anchors: ['v1.0-'],
    find: matching(`${EDGE}v1\\.0-[${HEX}]{24}-[${HEX}]{146}(?![${HEX}])`),
    example: (fill) => ['', `v1.0-${fill(HEX, 24)}-${fill(HEX, 146)}`, ''],
  },
  prefixed(
    'vercel-token',
    'Vercel tokens: `vcp_`, `vck_`, `vca_`, `vci_`, `vcr_`',
    ['vcp_', 'vck_', 'vca_', 'vci_', 'vcr_'],
    { of: ALNUM, min: 24, edges: true, notWords: true },
  ),
  prefixed('vercel-token', 'Vercel Blob tokens: `vercel_blob_rw_`', ['vercel_blob_rw_'], {
    of: WORD,
    min: 24,
    notWords: true,
  }),
  prefixed('netlify-token', 'Netlify tokens: `nfp_`', ['nfp_'], { of: ALNUM, min: 36, edges: true }),
  prefixed('heroku-token', 'Heroku tokens: `HRKU-`', ['HRKU-'], { of: DASHED, min: 36 }),
  prefixed('fly-token', 'Fly.io tokens: `fm1_`, `fm2_`, `fo1_`', ['fm1_', 'fm2_', 'fo1_'], {
    of: 'A-Za-z0-9_+/=-',
    min: 40,
    max: 2048,
    edges: true,
    notWords: true,
  }),
  {
    kind: 'terraform-token',
    description: 'Terraform Cloud tokens (`….atlasv1.…`)',
    anchors: ['.atlasv1.'],
    find: matching(`(?<=(?<head>[${ALNUM}]{14}))\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}`, { accept: isReal }),
    example: (fill) => ['', `${fill(ALNUM, 14)}.atlasv1.${fill(DASHED, 67)}`, ''],
  },
  prefixed('vault-token', 'HashiCorp Vault tokens: `hvs.`, `hvb.`, `hvr.`', ['hvs.', 'hvb.', 'hvr.'], {
    of: DASHED,
    min: 20,
    max: 512,
    edges: true,
    digits: true,
  }),
  prefixed('pulumi-token', 'Pulumi tokens: `pul-`', ['pul-'], { of: HEX, min: 40, edges: true }),
  prefixed(
    'doppler-token',
    'Doppler tokens: `dp.pt.`, `dp.st.`, `dp.ct.`, `dp.sa.`',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    { of: 'A-Za-z0-9_.-', min: 40, edges: true, notWords: true },
  ),
  prefixed('tailscale-key', 'Tailscale keys: `tskey-`', ['tskey-'], { of: 'A-Za-z0-9-', min: 20, notWords: true }),
  prefixed('onepassword-token', '1Password service account tokens: `ops_eyJ`', ['ops_eyJ'], {
    of: `${BASE64}_=-`,
    min: 100,
    max: 2048,
    edges: true,
  }),
];

const aiProviders = (): SecretPattern[] => [
  prefixed('anthropic-key', 'Anthropic keys: `sk-ant-`', ['sk-ant-'], { of: DASHED, min: 20, notWords: true }),
  prefixed('openrouter-key', 'OpenRouter keys: `sk-or-`', ['sk-or-'], { of: DASHED, min: 32, notWords: true }),
  prefixed(
    'openai-key',
    'OpenAI keys: `sk-proj-`, `sk-svcacct-`, `sk-admin-`',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    { of: DASHED, min: 20, notWords: true },
  ),
  {
    kind: 'openai-key',
    description: 'OpenAI keys and compatible ones: `sk-` and at least 20 letters and digits',
    anchors: ['sk-'],
    find: matching(`${EDGE}sk-[${ALNUM}]{20,255}(?![${ALNUM}])`, {
      accept: (key) => isReal(key) && (key.length >= 35 || (/[0-9]/.test(key) && /[a-z]/i.test(key.slice(3)))),
    }),
    example: (fill) => ['', `sk-${fill(ALNUM, 48)}`, ''],
  },
  prefixed('huggingface-token', 'Hugging Face tokens: `hf_`', ['hf_'], { of: ALNUM, min: 30, max: 64, edges: true }),
  prefixed('groq-key', 'Groq keys: `gsk_`', ['gsk_'], { of: ALNUM, min: 40, edges: true }),
  prefixed('xai-key', 'xAI keys: `xai-`', ['xai-'], { of: ALNUM, min: 60, edges: true }),
  prefixed('perplexity-key', 'Perplexity keys: `pplx-`', ['pplx-'], { of: ALNUM, min: 40, edges: true }),
  prefixed('replicate-token', 'Replicate tokens: `r8_`', ['r8_'], { of: ALNUM, min: 37, max: 40, edges: true }),
  prefixed('langsmith-key', 'LangSmith keys: `lsv2_pt_`, `lsv2_sk_`', ['lsv2_pt_', 'lsv2_sk_'], { of: WORD, min: 32 }),
];

const packageHosts = (): SecretPattern[] => [
  prefixed('npm-token', 'npm tokens: `npm_`', ['npm_'], { of: ALNUM, min: 36, max: 36, edges: true }),
  {
    kind: 'pypi-token',
    description: 'PyPI tokens: `pypi-`',
    anchors: ['pypi-'],
    find: matching(`pypi-[${DASHED}]{40,1000}`, { accept: hasAllCases }),
    example: (fill) => ['', `pypi-${fill(DASHED, 120)}`, ''],
  },
  prefixed('nuget-key', 'NuGet keys: `oy2` and about 43 small letters and figures', ['oy2'], {
    of: 'a-z0-9',
    min: 40,
    max: 48,
    edges: true,
    digits: true,
  }),
  prefixed('rubygems-key', 'RubyGems keys: `rubygems_`', ['rubygems_'], { of: HEX, min: 48, max: 48, edges: true }),
  prefixed('docker-token', 'Docker Hub tokens: `dckr_pat_`, `dckr_oat_`', ['dckr_pat_', 'dckr_oat_'], {
    of: DASHED,
    min: 20,
  }),
];

const messaging = (): SecretPattern[] => [
  prefixed(
    'slack-token',
    'Slack tokens: `xoxb-`, `xoxp-`, `xoxa-`, `xoxr-`, `xoxs-`, `xoxc-`, `xoxd-`, `xoxe-`, `xapp-`',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xapp-'],
    { of: 'A-Za-z0-9%-', min: 10, max: 512, notWords: true },
  ),
  {
    kind: 'slack-webhook',
    description: 'Slack webhook URLs (the path)',
    anchors: ['hooks.slack'],
    find: matching('hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/(?<secret>[\\w/-]{20,200})', {
      accept: isReal,
    }),
    example: (fill) => [
      'https://hooks.slack.com/services/',
      `T${fill('A-Z0-9', 9)}/B${fill('A-Z0-9', 9)}/${fill(ALNUM, 24)}`,
      ' ',
    ],
  },
  {
    kind: 'discord-webhook',
    description: 'Discord webhook URLs (the token)',
    anchors: ['/webhooks/'],
    find: matching('(?<=discord(?:app)?\\.com/api(?:/v\\d{1,2})?)/webhooks/\\d{15,21}/(?<secret>[\\w-]{40,100})', {
      accept: isReal,
    }),
    example: (fill) => [`https://discord.com/api/webhooks/${fill('1-9', 18)}/`, fill(DASHED, 68), ''],
  },
  {
    kind: 'telegram-token',
    description: 'Telegram bot tokens (the part after the bot id)',
    anchors: [':AA'],
    find: matching(`(?<=(?<![0-9])[0-9]{7,12}):(?<secret>AA[${DASHED}]{33})(?![${DASHED}])`, {
      accept: hasAllCases,
    }),
    example: (fill) => [`${fill('1-9', 10)}:`, `AA${fill(DASHED, 33)}`, ''],
  },
  prefixed('brevo-key', 'Brevo keys: `xkeysib-`', ['xkeysib-'], { of: 'A-Za-z0-9-', min: 60 }),
  {
    kind: 'sendgrid-key',
    description: 'SendGrid keys: `SG.` with two parts',
    anchors: ['SG.'],
    find: matching(`${EDGE}SG\\.[${DASHED}]{20,24}\\.[${DASHED}]{39,50}(?![${DASHED}])`, { accept: hasAllCases }),
    example: (fill) => ['', `SG.${fill(DASHED, 22)}.${fill(DASHED, 43)}`, ''],
  },
  {
    kind: 'mailgun-key',
    description: 'Mailgun keys: `key-` and 32 letters and digits',
    anchors: ['key-'],
    find: matching(`${edge('\\w-')}key-[0-9a-z]{32}(?![0-9A-Za-z-])`, {
      accept: (key) => isReal(key) && /[0-9]/.test(key) && /[a-z]/.test(key.slice(4)),
    }),
    example: (fill) => ['', `key-${fill('a-z0-9', 32)}`, ''],
  },
  {
    kind: 'mailchimp-key',
    description: 'Mailchimp keys: 32 hexadecimal digits and `-us` with a number',
    anchors: ['-us'],
    find: matching(`(?<=${edge('\\w-')}(?<head>[${HEX}]{32}))-us[0-9]{1,2}(?![\\w-])`),
    example: (fill) => ['', `${fill(HEX, 32)}-us12`, ''],
  },
];

const payment = (): SecretPattern[] => [
  prefixed(
    'stripe-key',
    'Stripe keys: `sk_live_`, `rk_live_`, `sk_test_`, `rk_test_`',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    { of: ALNUM, min: 16 },
  ),
  prefixed('stripe-webhook-secret', 'Stripe and Svix webhook secrets: `whsec_`', ['whsec_'], {
    of: `${BASE64}=`,
    min: 24,
    notWords: true,
  }),
  prefixed(
    'shopify-token',
    'Shopify tokens: `shpat_`, `shpca_`, `shppa_`, `shpss_`, `shpua_`',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'],
    { of: ALNUM, min: 32 },
  ),
  prefixed('square-token', 'Square tokens: `sq0atp-`, `sq0csp-`', ['sq0atp-', 'sq0csp-'], { of: DASHED, min: 22 }),
  {
    kind: 'square-token',
    description: 'Square access tokens: `EAAA` and 60 characters',
    anchors: ['EAAA'],
    find: matching(`${edge('\\w+/=-')}EAAA[${DASHED}]{60}(?![\\w+/=-])`, { accept: hasAllCases }),
    example: (fill) => ['', `EAAA${fill(DASHED, 60)}`, ''],
  },
];

const operations = (): SecretPattern[] => [
  prefixed('databricks-token', 'Databricks tokens: `dapi`', ['dapi'], { of: HEX, min: 32, max: 32, edges: true }),
  prefixed('dropbox-token', 'Dropbox access tokens: `sl.`, `sl.u.`', ['sl.u.', 'sl.'], {
    of: DASHED,
    min: 100,
    max: 2_000,
    edges: true,
    digits: true,
  }),
  prefixed('supabase-key', 'Supabase access tokens: `sbp_`', ['sbp_'], {
    of: WORD,
    min: 36,
    edges: true,
    notWords: true,
  }),
  prefixed('supabase-key', 'Supabase secret keys: `sb_secret_`', ['sb_secret_'], {
    of: DASHED,
    min: 24,
    edges: true,
    notWords: true,
  }),
  prefixed(
    'planetscale-token',
    'PlanetScale tokens: `pscale_tkn_`, `pscale_pw_`, `pscale_oauth_`',
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    { of: 'A-Za-z0-9_.=-', min: 32 },
  ),
  prefixed('grafana-token', 'Grafana service account tokens: `glsa_`', ['glsa_'], {
    of: WORD,
    min: 32,
    edges: true,
    notWords: true,
  }),
  prefixed('grafana-token', 'Grafana Cloud tokens: `glc_`', ['glc_'], {
    of: `${BASE64}=`,
    min: 32,
    edges: true,
    notWords: true,
  }),
  prefixed('sentry-token', 'Sentry tokens: `sntrys_`, `sntryu_`', ['sntrys_', 'sntryu_'], {
    of: `${BASE64}_=-`,
    min: 40,
    max: 512,
  }),
  prefixed('newrelic-key', 'New Relic keys: `NRAK-`, `NRII-`', ['NRAK-', 'NRII-'], {
    of: DASHED,
    min: 27,
    edges: true,
  }),
  prefixed('age-secret-key', 'age secret keys: `AGE-SECRET-KEY-`', ['AGE-SECRET-KEY-'], {
    of: 'A-Z0-9-',
    min: 50,
    max: 200,
  }),
  {
    kind: 'discord-token',
    description: 'Discord bot tokens (three parts)',
    // No prefix of its own, but the first part is a decimal number in base64: only these beginnings are possible.
    anchors: ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((two) =>
      Array.from('AEIMQUYcgk', (third) => two + third),
    ),
    find: matching(`${EDGE}[MNO][${DASHED}]{23,27}\\.[${DASHED}]{6}\\.[${DASHED}]{27,38}(?![${DASHED}])`, {
      accept: hasAllCases,
    }),
    example: (fill) => ['', `MTA${fill(ALNUM, 21)}.${fill(DASHED, 6)}.${fill(DASHED, 38)}`, ''],
  },
];

export function providerPatterns(): SecretPattern[] {
  return [
    ...sourceHosts(),
    ...clouds(),
    ...aiProviders(),
    ...packageHosts(),
    ...messaging(),
    ...payment(),
    ...operations(),
  ];
}
