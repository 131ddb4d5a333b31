// The scenes: memories of made-up work on a booking service for boat berths, each with the questions that it answers. A scene is
// there for one rule of ranking; the memories of all the others are what it has to be found among.

import { DAY, NOW, record } from '../recall/memories.ts';
import { agent, type CaptureContext, daysAgo, user } from './scene.ts';

const file = (path: string) => ({ meta: { files: [{ path, blob: 'x', size: 1 }] } });
const said = (role: string, more: object = {}) => ({ meta: { role, stance: 'stated', ...more } });

/** Without vectors the pool holds what the words, names and relations bring, and nothing else. */
const WORDS_ALONE = { embedder: undefined };

export const SCENES: readonly CaptureContext[] = [
  {
    rule: 'the rarer word decides, not the more of common ones',
    memories: [
      agent('tide-a', 'The tide table of the harbour is read from the coast guard every night'),
      agent('tide-b', 'The harbour page shows the table of every berth and every night'),
      agent('tide-c', 'Every night the harbour table of guests is printed'),
    ],
    asks: [{ query: 'tide in the harbour table at night', first: ['idea:tide-a'] }],
  },
  {
    rule: 'in a long text a word counts for less, and saying it again helps little',
    memories: [
      agent('winch-short', 'The winch driver needs firmware 4'),
      agent('winch-twice', 'The winch, well, the winch is blue, and who wants a blue winch paints it again in spring'),
      agent(
        'winch-long',
        'Among the things that were seen on the walk along the pier were two ladders, a rope, an old winch, seven fenders, a box with flags, a driver of a crane and three gulls that somebody had fed with bread',
      ),
    ],
    asks: [{ query: 'winch driver', first: ['idea:winch-short', 'idea:winch-twice', 'idea:winch-long'] }],
  },
  {
    rule: 'what means the same is found without its words',
    memories: [
      agent('throttle', 'Throttling of the public search: sixty calls a minute'),
      agent('minute', 'Sixty boats a minute passed the lock in summer'),
    ],
    asks: [
      { query: 'rate limit', first: ['idea:throttle'] },
      {
        query: 'hammering robots',
        first: ['idea:throttle'],
        more: { hyde: true },
        deps: { hypothesise: async () => 'Throttling of the public search to sixty calls' },
      },
    ],
  },
  {
    rule: 'who mentions a name is found by it, in whatever words',
    memories: [
      agent('name-a', 'The ledger moved to it in May', { entities: ['cockroachdb'] }),
      agent('name-b', 'The ledger moved to a quiet room in May', {}),
    ],
    asks: [{ query: 'ledger moved CockroachDB', first: ['idea:name-a', 'idea:name-b'] }],
  },
  {
    rule: 'the title and the tags of a record count as its text does',
    memories: [
      record('mooring-title', 'Mooring lines are renewed yearly', 'The old ones go to the school of sailing'),
      record('mooring-tags', 'Yearly renewal of ropes', 'The old ones go to a school', { tags: ['mooring', 'lines'] }),
      record('mooring-none', 'Ropes', 'The old ones go to the school of sailing, yearly'),
    ],
    asks: [
      {
        query: 'mooring lines',
        first: ['record:decisions/mooring-title', 'record:decisions/mooring-tags'],
        never: ['record:decisions/mooring-none'],
      },
    ],
  },
  {
    rule: 'a short answer leans on the question before it, a long one does not',
    memories: [
      agent('pump-short', 'Weekly, before the first boat leaves', { context: 'How often is the bilge pump checked?' }),
      ...['Clean the sieve', 'Count the hoses', 'Oil the hinge', 'Sweep the yard'].map((text, at) =>
        agent(`pump-long-${at}`, `${text} of the shed`, {
          context: 'How often is the bilge pump checked?',
          session: 'pump-long',
          line: 7,
        }),
      ),
      agent('pump-said', 'The bilge pump is loud'),
    ],
    asks: [{ query: 'bilge pump checked', first: ['idea:pump-said', 'idea:pump-short'] }],
  },
  {
    rule: 'the words of who is asked about go first',
    memories: [
      agent('keel-agent', 'Your keel has six coats of paint, I would say, all of them red'),
      user('keel-user', 'My keel has five coats of paint by now, I think'),
      user('keel-paste', 'I gave my keel nine coats of paint', said('user', { provenance: 'pasted' })),
    ],
    asks: [
      { query: 'how many coats of paint did I give my keel', first: ['idea:keel-user'] },
      { query: 'how many coats of paint did you recommend for the keel', first: ['idea:keel-agent'] },
    ],
  },
  {
    rule: 'what is always wanted counts when something is to be done',
    memories: [
      user('invoice-wish', 'Always put the berth number on an invoice, please'),
      user('invoice-told', 'Somebody put the berth number on an invoice, fine'),
      agent('invoice-agent', 'Always put the berth number on an invoice, people say'),
    ],
    asks: [
      { query: 'write an invoice with the berth number', first: ['idea:invoice-wish', 'idea:invoice-told'] },
      { query: 'invoice berth number', first: ['idea:invoice-told', 'idea:invoice-wish', 'idea:invoice-agent'] },
    ],
  },
  {
    rule: 'a kind that is asked for goes before the others, and its like in the other layers',
    memories: [
      agent('fuel-talk', 'The fuel dock could use prepaid cards'),
      agent('fuel-decided', 'The fuel dock shall use prepaid cards', { kind: 'decision' }),
      record('fuel-rule', 'The fuel dock', 'It does use prepaid cards', { kind: 'constraint' }),
      agent('sluice-problem', 'The sluice sensor freezes', { kind: 'problem' }),
      agent('sluice-fix', 'The sluice sensor got a heater', { kind: 'solution' }),
      record('sluice-steps', 'Sluice sensor', 'Switch the heater on', { kind: 'runbook' }),
    ],
    asks: [
      {
        query: 'what did we decide about fuel dock prepaid cards',
        first: ['idea:fuel-decided', 'record:decisions/fuel-rule', 'idea:fuel-talk'],
      },
      { query: 'problems with the sluice sensor', first: ['idea:sluice-problem'] },
      {
        query: 'how did we fix the sluice sensor heater',
        first: ['idea:sluice-fix', 'record:decisions/sluice-steps', 'idea:sluice-problem'],
      },
    ],
  },
  {
    rule: 'of open questions those that nobody answered go first',
    memories: [
      agent('buoy-open', 'Who repaints the buoy this year?', { kind: 'question' }),
      agent('buoy-asked', 'Who repaints the buoy this year, and when?', { kind: 'question' }),
      agent('buoy-answer', 'Jonna does it in April', {
        links: [{ to: 'idea:buoy-asked', relation: 'answers', confidence: 0.9 }],
      }),
    ],
    asks: [
      { query: 'open questions about the buoy', first: ['idea:buoy-open', 'idea:buoy-asked'] },
      { query: 'repaints the buoy this year, and when', first: ['idea:buoy-asked', 'idea:buoy-open'] },
      {
        query: 'who repaints the buoy',
        deps: WORDS_ALONE,
        first: ['idea:buoy-open', 'idea:buoy-asked', 'idea:buoy-answer'],
      },
    ],
  },
  {
    rule: 'whoever asks for tasks gets those that are left first',
    memories: [
      agent('crane-done', 'Grease the crane and its chain', { kind: 'todo', status: 'done' }),
      agent('crane-left', 'Grease the crane, its chain and the hook of it', { kind: 'todo' }),
    ],
    asks: [
      { query: 'open tasks for the crane chain', first: ['idea:crane-left', 'idea:crane-done'] },
      { query: 'crane chain grease', first: ['idea:crane-done', 'idea:crane-left'] },
    ],
  },
  {
    rule: 'the time that the words name is a limit',
    memories: [
      agent('regatta-old', 'The regatta starts at the second pier', daysAgo(300)),
      agent('regatta-week', 'The regatta, it was said, shall start a little further out in the bay', daysAgo(6)),
    ],
    asks: [
      { query: 'regatta start last week', first: ['idea:regatta-week'], never: ['idea:regatta-old'] },
      {
        query: 'regatta start last week',
        first: ['idea:regatta-week', 'idea:regatta-old'],
        more: { narrow: false },
      },
      { query: 'regatta start', first: ['idea:regatta-old', 'idea:regatta-week'] },
      {
        query: 'regatta start before v2.0',
        first: ['idea:regatta-old'],
        never: ['idea:regatta-week'],
        deps: { tags: async () => [{ name: 'v2.0', time: NOW - 100 * DAY }] },
      },
      {
        query: 'regatta start',
        first: ['idea:regatta-week'],
        more: { since: NOW - 9 * DAY },
        never: ['idea:regatta-old'],
      },
    ],
  },
  {
    rule: 'age counts only where the newest is asked for',
    memories: [
      agent('rota-old', 'The rota of the night watch lists Ines and Bo', daysAgo(120)),
      agent('rota-mid', 'The rota of the night watch, in pencil, lists Ines and Kai', daysAgo(30)),
      agent('rota-new', 'The rota of the night watch, on the new sheet, lists Ines and Lou', daysAgo(1)),
    ],
    asks: [
      { query: 'latest rota of the night watch', first: ['idea:rota-new', 'idea:rota-mid', 'idea:rota-old'] },
      { query: 'rota of the night watch', first: ['idea:rota-old', 'idea:rota-mid', 'idea:rota-new'] },
    ],
  },
  {
    rule: 'between equals the surer one goes first, and no more than that',
    memories: [
      agent('gate-a', 'The gate code changes on Mondays, said one', { confidence: 0.2 }),
      agent('gate-b', 'The gate code changes on Sundays, said two', { confidence: 0.9 }),
    ],
    asks: [{ query: 'gate code changes', first: ['idea:gate-b', 'idea:gate-a'] }],
  },
  {
    rule: 'what was replaced goes below what replaces it',
    memories: [
      agent('sms-old', 'Guests are told by SMS about the storm warning', { kind: 'decision', ...daysAgo(60) }),
      agent('sms-new', 'Mail goes out for it', {
        kind: 'decision',
        ...daysAgo(5),
        links: [{ to: 'idea:sms-old', relation: 'supersedes', confidence: 0.8 }],
      }),
      record('flag-old', 'Storm flag is red', 'The storm flag is red cloth', { status: 'superseded' }),
      record('flag-new', 'Storm flag is orange', 'The storm flag is orange cloth, by the book of the port'),
    ],
    asks: [
      { query: 'SMS storm warning guests', deps: WORDS_ALONE, first: ['idea:sms-new', 'idea:sms-old'] },
      { query: 'storm flag cloth', first: ['record:decisions/flag-new', 'record:decisions/flag-old'] },
    ],
  },
  {
    rule: 'what was denied goes below the denial, what builds on a match is brought in, and what is only about the same is not',
    memories: [
      user('dredge-yes', 'We dredged the basin in the spring, all of it', daysAgo(40)),
      user('dredge-no', 'Nobody dredged it, the basin is as it was, and I asked everybody on the pier', {
        ...daysAgo(4),
        links: [{ to: 'idea:dredge-yes', relation: 'contradicts', confidence: 0.7 }],
      }),
      agent('sonar-base', 'The sonar draws the floor of the canal', daysAgo(40)),
      agent('sonar-more', 'It colours what is new', {
        ...daysAgo(39),
        links: [{ to: 'idea:sonar-base', relation: 'builds_on', confidence: 0.6 }],
      }),
      agent('sonar-like', 'A chart is a picture', {
        ...daysAgo(38),
        links: [{ to: 'idea:sonar-base', relation: 'relates_to', confidence: 0.6 }],
      }),
    ],
    asks: [
      { query: 'dredged the basin in spring', first: ['idea:dredge-no', 'idea:dredge-yes'] },
      {
        query: 'sonar floor of the canal',
        deps: WORDS_ALONE,
        first: ['idea:sonar-base', 'idea:sonar-more'],
        never: ['idea:sonar-like'],
      },
    ],
  },
  {
    rule: 'archived things come on request and below the others, retired ones never',
    memories: [
      record('dock-archived', 'Dry dock closes in winter', 'The dry dock closes', { status: 'archived' }),
      record('dock-active', 'Dry dock closes in the cold winter', 'The dry dock closes then'),
      record('dock-retired', 'Dry dock closes', 'The dry dock closes', { status: 'retired' }),
    ],
    asks: [
      {
        query: 'dry dock closes in winter',
        first: ['record:decisions/dock-active'],
        never: ['record:decisions/dock-archived', 'record:decisions/dock-retired'],
      },
      {
        query: 'dry dock closes in winter',
        more: { includeArchived: true },
        first: ['record:decisions/dock-active', 'record:decisions/dock-archived'],
        never: ['record:decisions/dock-retired'],
      },
    ],
  },
  {
    rule: 'what was called useful goes up, what was called wrong goes down, within bounds',
    memories: [
      agent('lamp-a', 'The lamp of the pier has a timer, one'),
      agent('lamp-b', 'The lamp of the pier has a timer, two'),
      agent('lamp-c', 'The lamp of the pier has a timer, three'),
    ],
    asks: [
      {
        query: 'lamp pier timer',
        deps: { feedback: (ref) => ({ 'idea:lamp-c': 90, 'idea:lamp-b': 1.2, 'idea:lamp-a': 0.01 })[ref] ?? 1 },
        first: ['idea:lamp-c', 'idea:lamp-b', 'idea:lamp-a'],
      },
    ],
  },
  {
    rule: 'what was said on another branch goes a little lower',
    memories: [
      agent('map-a', 'The map of berths is drawn with canvas, one', said('assistant', { branch: 'feature/svg' })),
      agent('map-b', 'The map of berths is drawn with canvas, two', said('assistant', { branch: 'main' })),
    ],
    asks: [{ query: 'map of berths canvas', deps: { branch: 'main' }, first: ['idea:map-b', 'idea:map-a'] }],
  },
  {
    rule: 'what speaks of files that changed goes lower, of files that are gone lower still',
    memories: [
      record('queue-a', 'Mail queue retries', 'The mail queue retries', file('gone.ts')),
      record('queue-b', 'Mail queue retries', 'The mail queue also retries', file('changed.ts')),
      record('queue-c', 'Mail queue retries', 'The mail queue, too, retries', file('same.ts')),
    ],
    asks: [
      {
        query: 'mail queue retries',
        deps: {
          checkFiles: ([{ path } = { path: '' }]) =>
            path === 'gone.ts' ? 'gone' : path === 'same.ts' ? 'unchanged' : 'changed',
        },
        first: ['record:decisions/queue-c', 'record:decisions/queue-b', 'record:decisions/queue-a'],
      },
    ],
  },
  {
    rule: 'a statement goes before the topic that holds it',
    memories: [
      agent('heron-topic', 'Heron nests on the breakwater', {
        ref: 'span:heron',
        kind: 'span',
        title: 'Heron nests',
        meta: {},
      }),
      agent('heron-said', 'Heron nests on the old breakwater of the port', { span: 'span:heron' }),
    ],
    asks: [{ query: 'heron nests breakwater', first: ['idea:heron-said', 'span:heron'] }],
  },
  {
    rule: 'where it is asked how things stand, the newer number goes first; how it came about leaves it',
    memories: [
      user('berth-old', 'I have 14 berths with power on the west quay', daysAgo(90)),
      user('berth-new', 'I now have 17 berths with power on the west quay, since the works', daysAgo(2)),
      agent('hose-old', 'The fire hose on the east quay is 20 metres', daysAgo(90)),
      user('hose-new', 'The fire hose on the east quay has now grown to 35 metres, they say', daysAgo(2)),
    ],
    asks: [
      { query: 'how many berths with power on the west quay', first: ['idea:berth-new', 'idea:berth-old'] },
      { query: 'how many berths with power on the west quay originally', first: ['idea:berth-old', 'idea:berth-new'] },
      { query: 'how long is the fire hose on the east quay', first: ['idea:hose-old', 'idea:hose-new'] },
    ],
  },
  {
    rule: 'what is said twice is one result, unless somebody else said it, or nobody did',
    memories: [
      agent('seal-a', 'The seal on the slipway is named Otto by the crew'),
      agent('seal-b', 'The seal on the slipway is named Otto by the crew'),
      user('seal-c', 'The seal on the slipway is named Otto by the crew'),
      agent(
        'seal-d',
        'The seal on the slipway is named Otto by the crew',
        said('assistant', { provenance: 'outside' }),
      ),
    ],
    asks: [
      {
        query: 'seal on the slipway',
        first: ['idea:seal-a', 'idea:seal-c', 'idea:seal-d'],
        never: ['idea:seal-b'],
      },
    ],
  },
  {
    rule: 'good lines of one conversation speak for each other',
    memories: [
      agent('raft-1', 'The raft race needs a permit of the port', { session: 'raft', line: 1 }),
      agent('raft-2', 'The raft race needs marshals on both banks', { session: 'raft', line: 2 }),
      agent('raft-3', 'The raft race needs an ambulance and a boat', { session: 'raft', line: 3 }),
      agent('raft-x', 'The raft race needs a permit of the town', { session: 'other' }),
    ],
    asks: [
      { query: 'raft race permit', first: ['idea:raft-1', 'idea:raft-x', 'idea:raft-2'] },
      { query: 'raft race permit', first: ['idea:raft-1', 'idea:raft-x'], more: { expand: false } },
    ],
  },
  {
    rule: 'the conversation that has all of what is asked goes before one that has a part',
    memories: [
      agent('sail-1', 'The sail loft opens for repairs', { session: 'sail', line: 1 }),
      agent('sail-2', 'Cash is not taken there', { session: 'sail', line: 2 }),
      agent('sail-x', 'The sail loft opens for guests', { session: 'sail-other', line: 1 }),
      agent('sail-y', 'Tea is served there', { session: 'sail-other', line: 2 }),
    ],
    asks: [{ query: 'sail loft cash', first: ['idea:sail-1'] }],
  },
  {
    rule: 'no conversation takes every place',
    memories: [
      agent('zinc-1', 'Zinc anode behind the ladders', { session: 'zinc', line: 1 }),
      agent('zinc-2', 'Zinc anode behind the anchors', { session: 'zinc', line: 2 }),
      agent('zinc-3', 'Zinc anode behind the bollard', { session: 'zinc', line: 3 }),
      agent('zinc-4', 'Zinc anode behind the fenders', { session: 'zinc-other' }),
    ],
    asks: [
      {
        query: 'zinc anode',
        deps: WORDS_ALONE,
        more: { expand: false },
        first: ['idea:zinc-1', 'idea:zinc-4', 'idea:zinc-2', 'idea:zinc-3'],
      },
    ],
  },
  {
    rule: 'words of the first results find what belongs to the matter',
    memories: [
      agent('ferry-a', 'Ferry tickets: the barcode scanner is made by Halyard'),
      agent('ferry-b', 'Ferry tickets are sold with a barcode'),
      agent('ferry-c', 'The Halyard scanner wants a charger'),
      agent('ferry-d', 'Ferry tickets are made of paper'),
    ],
    asks: [{ query: 'ferry tickets', first: ['idea:ferry-d', 'idea:ferry-b', 'idea:ferry-a'] }],
  },
  {
    rule: 'several statements of one line are one result, the best of them',
    memories: [
      agent('oar-1', 'The oar rack is full', { session: 'oar', line: 4 }),
      agent('oar-2', 'Oar rack number two holds spare blades', { session: 'oar', line: 4 }),
    ],
    asks: [{ query: 'oar rack spare blades', first: ['idea:oar-2'], never: ['idea:oar-1'] }],
  },
  {
    rule: 'identifiers are found whole and in parts, and questions in other languages by their words',
    memories: [
      agent('code', 'assignBerthToGuest() throws when the berth is taken'),
      agent('words', 'Guests are assigned to a berth by hand'),
      agent('german', 'Der Liegeplatz wird im Herbst neu vergeben', { kind: 'decision' }),
    ],
    asks: [
      { query: 'assign_berth_to_guest', first: ['idea:code'] },
      { query: 'wann wird der Liegeplatz vergeben', first: ['idea:german'] },
    ],
  },
];
