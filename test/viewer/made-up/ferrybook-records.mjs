// What a made-up project has written down: Ferrybook sells seats on small island ferries. Days are counted back from today.

const record = (category, id, title, days, more) => ({ category, id, title, days, ...more });

export const RECORDS = [
  record('decision', 'hold-seats-in-redis', 'Hold seats in Redis for ten minutes during checkout', 24, {
    tags: ['booking', 'redis', 'checkout'],
    files: ['src/booking/seat-hold.ts'],
    updated: 6,
    changes: [
      [
        6,
        'The hold was too short for bank redirects',
        'content.decision',
        'A hold lasts five minutes.',
        'A hold lasts ten minutes.',
      ],
      [15, 'Added what happens when Redis is away'],
    ],
    content: {
      status: 'accepted',
      context: 'Two people could pay for the same seat while a bank page was open.',
      decision:
        'A chosen seat is held in Redis under its sailing and seat number for ten minutes; paying turns the hold into a booking. See [[payments-are-idempotent]].',
      alternatives: [
        { option: 'A row lock in PostgreSQL', rejected_reason: 'It would be open as long as the bank page is.' },
        { option: 'Overbooking and refunding', rejected_reason: 'There is no later ferry on most islands.' },
      ],
      rationale: ['A hold ends by itself', 'The booking table sees only what was paid'],
      consequences: ['Without Redis nobody can buy; [[redis-away]] says what to do'],
    },
  }),
  record('decision', 'payments-are-idempotent', 'Every payment carries an idempotency key made from the hold', 22, {
    tags: ['payments', 'booking'],
    files: ['src/payments/charge.ts'],
    content: {
      status: 'accepted',
      context: 'Impatient taps on “Pay” charged a card twice on the pier’s weak network.',
      decision: 'The key is the id of the seat hold; the provider answers a second charge with the first one.',
      rationale: ['The hold is there before the payment', 'No table of our own is needed'],
      consequences: ['[[hold-seats-in-redis]] must never give the same id twice'],
    },
  }),
  record('decision', 'timetable-as-files', 'Keep the timetable as files in the repository', 28, {
    tags: ['timetable'],
    files: ['timetable/2026-winter.yaml'],
    content: {
      status: 'accepted',
      context: 'The timetable changes four times a year and is reviewed by the skippers.',
      decision: 'One YAML file a season, loaded at start; a change is a pull request.',
      rationale: ['A review that everybody can read', 'No screen to edit it has to be built'],
    },
  }),
  record('decision', 'tickets-work-offline', 'Tickets are signed, so that they can be checked without a network', 12, {
    tags: ['tickets', 'offline'],
    files: ['src/tickets/sign.ts', 'src/tickets/verify.ts'],
    content: {
      status: 'accepted',
      context: 'There is no reception on the north pier, where half of the tickets are checked.',
      decision: 'A ticket is a short signed text in a QR code; the phone of the crew knows the public key.',
      rationale: ['Checking takes no network', 'A copied ticket is noticed when the list is synced'],
    },
  }),
  record('constraint', 'ninety-seats', 'No sailing may carry more than 90 people, crew included', 29, {
    tags: ['safety', 'booking'],
    content: {
      kind: 'policy',
      rule: 'The certificate of the boats allows 90 people on board. 86 seats may be sold.',
      impact: ['Group bookings are split', 'Children on laps count'],
      severity: 'high',
      active: true,
    },
  }),
  record('constraint', 'provider-rate-limit', 'The payment provider allows 25 calls a second', 19, {
    tags: ['payments', 'limits'],
    content: {
      kind: 'limitation',
      rule: 'More than 25 calls a second are answered with 429, and the key is blocked for a minute.',
      impact: ['Refunds after a storm must be sent slowly'],
      workarounds: ['The refund job waits 50 ms between two calls'],
      severity: 'medium',
      active: true,
    },
  }),
  record('runbook', 'redis-away', 'Redis is away and nobody can buy', 15, {
    tags: ['ops', 'redis'],
    files: ['ops/redis.md'],
    content: {
      trigger: 'Checkout answers 503, the log says `seat hold refused`.',
      symptoms: ['Searches still work', 'Holds in progress are lost'],
      steps: [
        'Look at the memory of the Redis host',
        'Restart redis-ferry',
        'Watch the rate of holds for five minutes',
      ],
      verification: 'A test booking on the training sailing goes through.',
      root_cause: 'The disk was full, so snapshots stopped all writes.',
    },
  }),
  record('runbook', 'storm-cancellation', 'Cancel a day of sailings because of a storm', 9, {
    tags: ['ops', 'refunds'],
    content: {
      trigger: 'The harbour office closes the harbour.',
      steps: [
        'ferry cancel --day DATE --reason storm',
        'Wait for the mails to be sent',
        'Start the refund job in the evening',
      ],
      verification: 'The list of open refunds is empty the next morning.',
    },
  }),
  record('tech_debt', 'price-rules-in-two-places', 'Price rules are written twice, in the API and in the app', 17, {
    tags: ['prices'],
    files: ['src/prices/rules.ts', 'app/prices.ts'],
    content: {
      status: 'open',
      priority: 'high',
      description: 'Island residents pay half; the rule is in the API and, again, in the app.',
      reason_deferred: 'The app could not ask for prices while offline.',
      suggested_fix: ['Send the rules with the timetable'],
    },
  }),
  record('tech_debt', 'mails-without-retry', 'Mails are sent once and forgotten', 11, {
    tags: ['mail'],
    content: {
      status: 'in_progress',
      priority: 'medium',
      description: 'If the mail server is away, the ticket never arrives.',
      reason_deferred: 'Tickets are in the app as well.',
    },
  }),
  record('preference', 'times-are-local', 'Times are shown in the harbour’s local time, always', 26, {
    tags: ['style'],
    content: {
      topic: 'Times in the app and in mails',
      value: 'Local time of the harbour, with the weekday',
      reason: 'Visitors came a day late when they saw their own time zone.',
      strength: 'strong',
      examples: { prefer: ['Sat 14 Nov, 09:40'], avoid: ['2026-11-14T08:40Z'] },
    },
  }),
  record('preference', 'small-pull-requests', 'Pull requests of at most 300 lines', 21, {
    tags: ['review'],
    content: {
      topic: 'Size of pull requests',
      value: 'At most 300 lines, tests included',
      reason: 'Two people review beside other work.',
      strength: 'default',
    },
  }),
  record(
    'session_summary',
    'offline-tickets-first-version',
    'Offline tickets: the first version works on the pier',
    5,
    {
      tags: ['tickets', 'offline'],
      content: {
        goal: 'Check a ticket without a network',
        outcome: 'success',
        completed: ['Signed tickets', 'The crew’s app verifies them'],
        next_actions: ['Rotate the key each season'],
      },
    },
  ),
  record('decision', 'sessions-in-cookies', 'Keep sessions in signed cookies', 30, {
    tags: ['auth'],
    retired: [8, 'A stolen cookie could not be ended'],
    content: {
      status: 'superseded',
      context: 'The first version had no place to keep sessions.',
      decision: 'A signed cookie holds the user.',
      rationale: ['Nothing to run'],
    },
  }),
];

const note = (type, id, title, days, more) => ({ type, id, title, days, ...more });

export const NOTES = [
  note('file-summary', 'file-src-booking-seat-hold-ts', 'src/booking/seat-hold.ts', 13, {
    tags: ['booking', 'redis'],
    fields: { path: 'src/booking/seat-hold.ts', line_count: 148, language: 'typescript' },
    sections: {
      Purpose: 'Takes, renews and gives back holds on seats. The decision behind it: [[hold-seats-in-redis]].',
      'Key Exports': 'holdSeat, releaseSeat, holdToBooking',
      Dependencies: '[[file-src-payments-charge-ts]], Redis',
    },
  }),
  note('file-summary', 'file-src-payments-charge-ts', 'src/payments/charge.ts', 13, {
    tags: ['payments'],
    fields: { path: 'src/payments/charge.ts', line_count: 96, language: 'typescript' },
    sections: {
      Purpose: 'Charges a card once for a hold, see [[payments-are-idempotent]].',
      'Key Exports': 'charge, refund',
    },
  }),
  note('file-summary', 'file-src-tickets-sign-ts', 'src/tickets/sign.ts', 7, {
    tags: ['tickets'],
    fields: { path: 'src/tickets/sign.ts', line_count: 61, language: 'typescript' },
    sections: { Purpose: 'Signs a ticket for the QR code, see [[tickets-work-offline]].' },
  }),
  note('decision', 'decision-crew-app-is-a-web-page', 'The crew’s app is a web page', 10, {
    tags: ['app', 'offline'],
    sections: {
      Context: 'The crew has phones of three makers.',
      Decision: 'A web page that is kept on the phone; it verifies tickets as [[tickets-work-offline]] says.',
      Consequences: 'The camera is asked for each time. [[discovery-qr-codes-in-sunlight]] came out of it.',
    },
  }),
  note('discovery', 'discovery-qr-codes-in-sunlight', 'QR codes above 120 characters fail in sunlight', 8, {
    tags: ['tickets', 'offline'],
    sections: {
      Insight: 'On the pier the phones read codes of up to about 120 characters; longer ones take several tries.',
      Implications: 'The signed text of [[file-src-tickets-sign-ts]] must stay short.',
    },
  }),
  note('error', 'error-hold-lost-after-failover', 'Holds were lost after the failover', 15, {
    status: 'resolved',
    tags: ['redis', 'booking'],
    sections: {
      'Error Message': 'seat hold refused: READONLY You can’t write against a read only replica',
      Cause: 'The client kept talking to the old primary.',
      Solution:
        'It reconnects on READONLY now; [[redis-away]] has the steps. Found in [[file-src-booking-seat-hold-ts]].',
    },
  }),
  note('task', 'task-rotate-signing-key', 'Rotate the signing key each season', 5, {
    status: 'in_progress',
    tags: ['tickets'],
    sections: {
      Description: 'Two keys must be valid for a week around the change of season, see [[tickets-work-offline]].',
    },
  }),
  note('task', 'task-refund-job', 'Send refunds slowly after a storm', 9, {
    status: 'completed',
    tags: ['refunds', 'payments'],
    sections: { Description: 'Stay below [[provider-rate-limit]]; [[storm-cancellation]] starts it.' },
  }),
];
