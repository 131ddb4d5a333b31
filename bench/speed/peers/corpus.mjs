// Made-up conversations about twenty parts of a product and thirty matters, and questions whose answers stand in them: one message
// holds the answer, the others speak of the same part or of the same matter. A third of the questions uses the words of the answer,
// a third other forms of them, a third other words. The same in every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { random } from '../../../test/store/made-up.mjs';
import { conversation, textPart } from '../transcripts.mjs';

/** [as it is called, in other forms, in other words] */
const PARTS = [
  ['login page', 'pages for logging in', 'sign-in screen'],
  ['invoice export', 'exported invoices', 'billing download'],
  ['search box', 'searching in boxes', 'query field'],
  ['mail sender', 'sent mails', 'e-mail delivery'],
  ['job scheduler', 'scheduled jobs', 'cron runner'],
  ['image cache', 'cached images', 'stored pictures'],
  ['audit log', 'logged audits', 'compliance trail'],
  ['payment gateway', 'gateways for payments', 'card processor'],
  ['user profile', 'profiles of users', 'account page'],
  ['report builder', 'built reports', 'statistics generator'],
  ['file upload', 'uploaded files', 'attachment transfer'],
  ['rate limiter', 'limited rates', 'throttling'],
  ['translation table', 'translated tables', 'localisation data'],
  ['backup script', 'scripted backups', 'snapshot program'],
  ['webhook receiver', 'received webhooks', 'incoming callbacks'],
  ['price calculator', 'calculated prices', 'cost computation'],
  ['stock counter', 'counted stocks', 'inventory'],
  ['chat widget', 'widgets for chatting', 'messaging panel'],
  ['map view', 'viewed maps', 'geographic display'],
  ['queue worker', 'workers of queues', 'background consumer'],
];

// biome-ignore format: a table, one row for each matter
/** [what is stated of %, asked with the same words, in other forms, in other words] */
const MATTERS = [
  ['We decided that the % gives up after five seconds, because users leave.', 'why does the % give up after five seconds', 'giving up after seconds in %', 'what time limit did we choose for the %'],
  ['The root cause of the crash of the % was a null pointer in the parser.', 'root cause of the crash of the %', 'what caused crashes of % in parsing', 'why did the % fall over'],
  ['We chose PostgreSQL for the % because it has row locks.', 'why did we choose PostgreSQL with row locks for the %', 'choosing PostgreSQL and locking rows for %', 'which database holds the data of the %'],
  ['The % must never write passwords to its output.', 'must the % write passwords to its output', 'writing a password in outputs of %', 'what about secrets and credentials in the %'],
  ['We fixed the memory leak of the % by closing the stream.', 'how was the memory leak of the % fixed', 'fixing leaks by closed streams in %', 'why did the % need more and more RAM'],
  ['TODO: remove the old feature switch of the % after the release.', 'old feature switch of the % to remove after the release', 'removing switches of features in %', 'which obsolete flag of the % should be dropped'],
  ['The % is slow in the morning because its table has no index.', 'why is the % slow in the morning', 'slowness in the mornings, missing indexes of %', 'bad performance of the % at the start of the day'],
  ['We agreed to write the tests of the % with real files instead of mocks.', 'did we agree on real files instead of mocks for tests of the %', 'testing % without mocking', 'how do we verify the %'],
  ['The certificate of the % expires in May and is renewed by hand.', 'when does the certificate of the % expire', 'expiring certificates, renewing by hands in %', 'TLS validity of the %'],
  ['The % runs in two regions so that one may fail.', 'in which regions does the % run', 'running % in a region that fails', 'high availability of the %'],
  ['We rejected Redis for the % since it loses data on restart.', 'why did we reject Redis for the %', 'rejecting Redis, losing data when restarted, %', 'which key-value store was turned down for the %'],
  ['Dates in the % are kept in UTC and shown in local time.', 'are dates in the % kept in UTC or local time', 'keeping a date, showing local times in %', 'how does the % treat time zones'],
  ['The deployment of the % needs a migration first.', 'does the deployment of the % need a migration first', 'deploying %, migrating before', 'what must be done before releasing the %'],
  ['The % retries failed calls three times with growing pauses.', 'how often does the % retry failed calls', 'retrying calls with pauses that grow in %', 'what happens in the % when a request does not succeed'],
  ['The owner of the % is the platform team.', 'which team is the owner of the %', 'owned by teams: %', 'who is responsible for the %'],
  ['The licence of the library in the % forbids commercial use.', 'what does the licence of the library in the % forbid', 'licensing, forbidden use of libraries in %', 'legal problem of the %'],
  ['We keep the configuration of the % in YAML, as people edit it.', 'why is the configuration of the % in YAML', 'configuring %, editing YAML', 'in which format are the settings of the %'],
  ['The % drops events when its buffer of one thousand is full.', 'when does the % drop events', 'dropping an event, full buffers of %', 'how does the % lose messages'],
  ['Unicode names broke the % until we normalised them.', 'did Unicode names break the %', 'breaking on names, normalising Unicode in %', 'accents and umlauts in the %'],
  ['The % is written in Rust for its speed.', 'is the % written in Rust for speed', 'writing fast Rust for %', 'programming language of the %'],
  ['A flaky test of the % fails on Windows only.', 'which flaky test of the % fails on Windows', 'failing tests of % under Windows, flakiness', 'unreliable check of the %'],
  ['The % asks for consent before it stores a cookie.', 'does the % ask for consent before it stores a cookie', 'asking, storing cookies, consents in %', 'privacy rules of the %'],
  ['We pinned the version of OpenSSL of the % after the incident.', 'why was the version of OpenSSL of the % pinned', 'pinning versions of OpenSSL in %', 'which dependency of the % was frozen'],
  ['The limit of the % is ten megabytes for each request.', 'what is the limit of the % for each request in megabytes', 'limiting requests by megabyte in %', 'maximum size in the %'],
  ['The % sends its metrics to Grafana every minute.', 'where does the % send its metrics', 'sending a metric each minute to Grafana from %', 'how is the % monitored'],
  ['Colours of the % follow the dark theme of the system.', 'do colours of the % follow the dark theme', 'following themes, colouring of %', 'appearance of the % at night'],
  ['The % was rewritten because nobody understood its macros.', 'why was the % rewritten', 'rewriting %, understanding a macro', 'reason for starting over with the %'],
  ['Only administrators may delete entries of the %.', 'who may delete entries of the %', 'deleting an entry of % by an administrator', 'permissions of the %'],
  ['The % compresses answers with brotli above one kilobyte.', 'does the % compress answers with brotli', 'compressing an answer over a kilobyte in %', 'how does the % save bandwidth'],
  ['We cancelled the plugin system of the % for lack of time.', 'why was the plugin system of the % cancelled', 'cancelling systems of plugins for %', 'extension mechanism of the % that was given up'],
];

const REMARKS = [
  'I looked at the % and found nothing to change there.',
  'The tests of the % pass again.',
  'Let me read the code of the % first.',
  'Now the % builds without a warning.',
  'I renamed a variable in the %.',
  'The comment in the % was wrong, I corrected it.',
  'Next I look at the %.',
  'The % has one more parameter now.',
  'Please have a look at the % too.',
];

export const KINDS = ['the same words', 'other forms', 'other words'];

/**
 * Writes `sessions` transcripts and returns { messages, questions, bytes }: a message is { id, text }, a question { query, kind, gold };
 * an id is `<session>:<line>`.
 */
export function writeCorpus(folder, { cwd, remarks = 9, each = 50 }) {
  mkdirSync(folder, { recursive: true });
  const draw = random(41);
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const facts = shuffled(
    PARTS.flatMap((part) => MATTERS.map((matter) => ({ part, matter }))),
    draw,
  );
  const messages = [];
  const PER_SESSION = 10;
  for (let from = 0; from < facts.length; from += PER_SESSION) {
    const session = `5a1e0000-0000-4000-8000-${String(from).padStart(12, '0')}`;
    const talk = conversation({ session, cwd });
    const lines = [];
    const add = (text, isUser) => {
      const line = isUser ? talk.said(text) : talk.answered(textPart(text));
      lines.push(...line.trimEnd().split('\n'));
      messages.push({ id: `${session}:${lines.length}`, text });
      return messages.at(-1).id;
    };
    for (const fact of facts.slice(from, from + PER_SESSION)) {
      for (let n = 0; n < remarks; n++) {
        add(pick(REMARKS).replace('%', pick(PARTS)[0]), n === 0);
        if (n % 3 === 2) lines.push(...talk.printed(2_000).trimEnd().split('\n'));
      }
      fact.id = add(fact.matter[0].replace('%', fact.part[0]), false);
    }
    writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`);
  }
  const asked = shuffled([...facts], draw).slice(0, each * KINDS.length);
  const questions = asked.map(({ part, matter, id }, at) => {
    const kind = at % KINDS.length;
    return { query: `${matter[1 + kind].replace('%', part[kind])}?`, kind, gold: id };
  });
  return { messages, questions };
}

function shuffled(list, draw) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
}

const STOP = new Set(
  'a an and are as at before by did do does each for from has have how in is it its may more must need not of on one or our out over should so that the their then to two up was we were what when where which who why with'.split(
    ' ',
  ),
);

/** The words of a question that tell something: what somebody would type who searches by words. */
export const tellingWords = (query) => [
  ...new Set((query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !STOP.has(word))),
];
