// Records of all kinds, and prompts as people type them that name a tag or a word of a title: the right record comes, and little else, in a
// store that has just begun and in one that is full of conversations.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { FOLDERS, type SampleCategory, sampleRecord } from '../../../test/fixtures/sample-records.ts';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

type Everyday = {
  readonly category: SampleCategory;
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly prompt: string;
};

const EVERYDAY: readonly Everyday[] = [
  {
    category: 'decision',
    id: 'grpc',
    title: 'Services talk gRPC among each other',
    tags: ['grpc', 'protobuf'],
    prompt: 'add an endpoint for invoices to the billing service, with its protobuf',
  },
  {
    category: 'decision',
    id: 'kafka',
    title: 'Exports go through Kafka',
    tags: ['exports'],
    prompt: 'the kafka consumer lags behind again, can you look into it?',
  },
  {
    category: 'decision',
    id: 'uuidv7',
    title: 'Primary keys are UUIDv7',
    tags: ['database', 'ids'],
    prompt: 'create the table for vouchers, what do we take as primary keys?',
  },
  {
    category: 'decision',
    id: 'tailwind',
    title: 'Styles are written with Tailwind',
    tags: ['css', 'tailwind'],
    prompt: 'make the sidebar narrower, please fix the css of it',
  },
  {
    category: 'runbook',
    id: 'cert-renewal',
    title: 'Renew the certificate of the mail gateway',
    tags: ['tls', 'certificate'],
    prompt: 'our certificate runs out on friday',
  },
  {
    category: 'runbook',
    id: 'replica-lag',
    title: 'Replica lags behind the primary',
    tags: ['postgres', 'replication'],
    prompt: 'replication is stuck since this morning',
  },
  {
    category: 'runbook',
    id: 'staging-reset',
    title: 'Reset the staging data',
    tags: ['staging'],
    prompt: 'deploy this to staging',
  },
  {
    category: 'runbook',
    id: 'stripe-webhook',
    title: 'Webhook of Stripe fails with a signature error',
    tags: ['payments'],
    prompt: 'stripe answers with 400 to our webhook',
  },
  {
    category: 'constraint',
    id: 'gdpr-logs',
    title: 'No personal data in logs',
    tags: ['gdpr', 'logging'],
    prompt: 'add logging to the signup handler',
  },
  {
    category: 'constraint',
    id: 'node-18',
    title: 'Customers still run Node 18',
    tags: ['compatibility'],
    prompt: 'can we rely on compatibility with the new fetch api here?',
  },
  {
    category: 'constraint',
    id: 'shopify-quota',
    title: 'Shopify allows two calls a second',
    tags: ['quota', 'shopify'],
    prompt: 'import all products from shopify over night',
  },
  {
    category: 'constraint',
    id: 'arm-builds',
    title: 'Images must be built for ARM too',
    tags: ['docker', 'arm'],
    prompt: 'write a docker file for the worker',
  },
  {
    category: 'preference',
    id: 'dayjs',
    title: 'Dates with dayjs, never moment',
    tags: ['dates'],
    prompt: 'format the dates in the invoice list nicely',
  },
  {
    category: 'preference',
    id: 'french-copy',
    title: 'Copy is written in French first',
    tags: ['translations'],
    prompt: 'the translations for the checkout are missing',
  },
  {
    category: 'preference',
    id: 'vitest',
    title: 'Unit tests with vitest, no snapshots',
    tags: ['vitest'],
    prompt: 'write vitest cases for the discount calculation',
  },
  {
    category: 'tech_debt',
    id: 'cart-rounding',
    title: 'Rounding happens twice in the cart',
    tags: ['rounding'],
    prompt: 'the total of the cart is off by a cent',
  },
  {
    category: 'tech_debt',
    id: 'legacy-auth',
    title: 'Legacy login still accepts MD5',
    tags: ['authentication'],
    prompt: 'harden the authentication of the admin area',
  },
  {
    category: 'tech_debt',
    id: 'n-plus-one',
    title: 'Orders page loads its rows one by one',
    tags: ['performance'],
    prompt: 'why is the orders page so slow? performance matters there',
  },
  {
    category: 'session_summary',
    id: 'search-migration',
    title: 'Moved the search to Meilisearch',
    tags: ['search'],
    prompt: 'typos in meilisearch are not tolerated any more',
  },
  {
    category: 'session_summary',
    id: 'pdf-service',
    title: 'Split off the PDF service',
    tags: ['pdf'],
    prompt: 'letters in the pdf are cut off at the margin',
  },
];

/** The same again, with tags of two words, forms that differ, and tags that are words of every prompt. */
const ANOTHER_TWENTY: readonly Everyday[] = [
  {
    category: 'decision',
    id: 'feature-flags',
    title: 'Feature flags live in LaunchDarkly',
    tags: ['feature-flags', 'launchdarkly'],
    prompt: 'hide the new onboarding behind a feature flag',
  },
  {
    category: 'decision',
    id: 'monorepo',
    title: 'One repository for web and mobile',
    tags: ['monorepo'],
    prompt: 'should we split the mobile app out of the monorepo?',
  },
  {
    category: 'decision',
    id: 'graphql-mobile',
    title: 'The mobile app speaks GraphQL',
    tags: ['graphql', 'mobile'],
    prompt: 'the graphql schema lost the field nickname',
  },
  {
    category: 'decision',
    id: 'argon',
    title: 'Passwords are hashed with Argon2',
    tags: ['passwords', 'security'],
    prompt: 'users complain that changing passwords takes two seconds',
  },
  {
    category: 'decision',
    id: 'cursor-paging',
    title: 'Lists are paged by cursor, not by offset',
    tags: ['pagination'],
    prompt: 'implement pagination for the audit trail',
  },
  {
    category: 'runbook',
    id: 'deploy-production',
    title: 'Deploy to production',
    tags: ['deploy', 'production'],
    prompt: 'deploy the new version to production',
  },
  {
    category: 'runbook',
    id: 'redis-full',
    title: 'Redis runs out of memory',
    tags: ['redis', 'eviction'],
    prompt: 'redis throws OOM errors since the campaign started',
  },
  {
    category: 'runbook',
    id: 'migration-stuck',
    title: 'A migration hangs on a lock',
    tags: ['migrations'],
    prompt: 'the migration for the addresses hangs, what now?',
  },
  {
    category: 'runbook',
    id: 'rotate-keys',
    title: 'Rotate the keys of the object storage',
    tags: ['s3', 'credentials'],
    prompt: 'uploads to s3 fail with access denied',
  },
  {
    category: 'constraint',
    id: 'offline-first',
    title: 'The till must work without a network',
    tags: ['offline'],
    prompt: 'sync of receipts breaks when the till is offline',
  },
  {
    category: 'constraint',
    id: 'max-payload',
    title: 'Gateway cuts requests above 6 MB',
    tags: ['gateway', 'payload'],
    prompt: 'customers get 413 from the gateway when they upload videos',
  },
  {
    category: 'constraint',
    id: 'ie-kiosk',
    title: 'Kiosks run an old Chromium 87',
    tags: ['kiosk', 'browser-support'],
    prompt: 'use container queries on the kiosk screens',
  },
  {
    category: 'preference',
    id: 'small-prs',
    title: 'Small pull requests, one concern each',
    tags: ['pull-requests'],
    prompt: 'split this up into smaller pull requests before anyone sees it',
  },
  {
    category: 'preference',
    id: 'british',
    title: 'British English in all texts',
    tags: ['spelling'],
    prompt: 'check the spelling of the error messages',
  },
  {
    category: 'preference',
    id: 'no-barrel',
    title: 'No barrel files',
    tags: ['imports'],
    prompt: 'clean up the imports of the shared package',
  },
  {
    category: 'tech_debt',
    id: 'session-leak',
    title: 'Sessions leak in the socket server',
    tags: ['websocket', 'memory-leak'],
    prompt: 'the websocket server needs a restart every day',
  },
  {
    category: 'tech_debt',
    id: 'geocoder-cache',
    title: 'Geocoder answers are never evicted',
    tags: ['geocoding'],
    prompt: 'geocoding returns old addresses',
  },
  {
    category: 'tech_debt',
    id: 'invoice-fonts',
    title: 'Invoice fonts are loaded from a CDN',
    tags: ['fonts', 'invoices'],
    prompt: 'the fonts on printed invoices look wrong',
  },
  {
    category: 'session_summary',
    id: 'tax-engine',
    title: 'Rewrote the tax engine with rules per country',
    tags: ['tax'],
    prompt: 'swiss tax is computed wrongly for books',
  },
  {
    category: 'session_summary',
    id: 'login-audit',
    title: 'Audit of the login flow',
    tags: ['audit', 'login'],
    prompt: 'what did the login audit say about lockouts?',
  },
];

const THINGS =
  'parser queue worker cache client server schema button report header invoice table upload folder session'.split(' ');
const STATES =
  'was renamed last week|is slow on fridays|needs another column|was moved to the shared package|has one owner'.split(
    '|',
  );

/** What conversations said about everything else. */
const otherTalk = (project: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const thing = THINGS[at % THINGS.length];
    const state = STATES[Math.floor(at / THINGS.length) % STATES.length];
    return sampleIdea(project, `idea:${at}`, `The ${thing} number ${at} ${state}.`, {
      kind: at % 3 === 0 ? 'conclusion' : 'context',
      session: `s${at % 200}`,
      meta: { worth: (at % 10) / 10 },
    });
  });

async function askAll(
  everyday: readonly Everyday[],
  otherDocuments: number,
): Promise<{ right: string[]; wrong: string[]; lines: number }> {
  const base = temporaryFolder();
  const [project, home] = [path.join(base, 'project'), path.join(base, 'home')];
  const env = { HOME: home, CAIRN_HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  for (const { category, id, title, tags } of everyday)
    put(path.join(project, '.claude/memory', FOLDERS[category], `${id}.json`), {
      ...sampleRecord(category),
      id,
      title,
      tags,
    });
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  await store.apply(otherTalk(project, otherDocuments).map((document) => ({ op: 'put', document })));
  await store.close();
  const [right, wrong]: [string[], string[]] = [[], []];
  let lines = 0;
  for (const { category, id, prompt } of everyday) {
    const answer = await userPromptSubmit(
      { cwd: project, prompt, session_id: id },
      {
        env,
        now: () => new Date('2026-05-01T12:00:00Z'),
        config: loadConfig({ cwd: project, env }),
        problem: (cause) => expect.unreachable(String(cause)),
        start: async () => {},
      },
    );
    lines += answer.stdout?.match(/^- /gm)?.length ?? 0;
    (answer.stdout?.includes(`-> record:${FOLDERS[category]}/${id}\n`) ? right : wrong).push(prompt);
  }
  return { right, wrong, lines };
}

describe('twenty everyday prompts that name a tag or a word of a title', () => {
  it.each([
    { name: 'twenty', everyday: EVERYDAY, count: 0 },
    { name: 'twenty', everyday: EVERYDAY, count: 4_980 },
    { name: 'another twenty', everyday: ANOTHER_TWENTY, count: 0 },
    { name: 'another twenty', everyday: ANOTHER_TWENTY, count: 4_980 },
  ])(
    'bring the right record of $name, with $count statements of conversations beside them',
    async ({ everyday, count }) => {
      const { right, wrong, lines } = await askAll(everyday, count);
      expect(right.length, wrong.join('\n')).toBeGreaterThanOrEqual(18);
      expect(lines).toBeLessThanOrEqual(30);
    },
  );
});
