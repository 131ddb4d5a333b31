// The scores of the labelled conversations as a section of bench/EVAL.md, with all rules of counting that the labels leave open,
// and as lists for a reader to judge. The lists hold conversations of the half that may be read, unless all are asked for.
import { createHash } from 'node:crypto';
import { HALVES, isKeptApart } from './read-labels.mjs';
import { RELATIONS } from './score-pairs.mjs';
import { LABELS } from './score-statements.mjs';

const NAMES = Object.keys(HALVES);
const SAMPLE = 15;
const short = (value) => (Number.isNaN(value) ? '–' : value.toFixed(3).replace(/^0/, ''));
const row = (...cells) => `| ${cells.join(' | ')} |`;
const head = (...cells) => [row(...cells), `|${cells.map(() => '---').join('|')}|`];
const over = (measured, of) => NAMES.map((half) => of(measured[half]));

export function labelsSection({ statements, sessions, open, pairs, rows }) {
  return [
    '## Labels',
    '',
    'Extraction on real conversations that readers labelled by hand (`npm run eval -- --data DIR --only labels`): a store without vectors and',
    'without a model, read as `cairn export` gives it. Half of the conversations, by a hash of their ids, may be read while extraction is built;',
    'the other half is kept apart and only scored.',
    '',
    ...statementLines(statements),
    ...sessionLines(sessions),
    ...openLines(open),
    ...pairLines(pairs, rows),
  ];
}

function statementLines(measured) {
  const label = (name) =>
    row(
      name,
      ...over(measured, ({ labels }) => {
        const { precision, recall, f1, got, real } = labels[name];
        return `${short(precision)} (${got}) / ${short(recall)} (${real}) / ${short(f1)}`;
      }),
    );
  return [
    '### Statements',
    '',
    'A statement is found by its conversation, its line and .6 of its words; what is not there, or is kept for search only, counts as `none`. Worth is',
    'the exported number (what is not stored has 0, a build that knows no worth is taken at its confidence); its AUC is keep against the rest.',
    '',
    ...head('measure', ...NAMES),
    row('statements', ...over(measured, (each) => each.statements)),
    row('accuracy', ...over(measured, ({ accuracy }) => short(accuracy))),
    row('macro-F1 over eight labels', ...over(measured, ({ macroF1 }) => short(macroF1))),
    row('junk among telling labels', ...over(measured, (each) => `${short(each.junkTold)} of ${each.telling}`)),
    row('keep that is stored', ...over(measured, (each) => `${short(each.keepStored)} of ${each.keep}`)),
    row('worth: AUC', ...over(measured, ({ worth }) => short(worth.auc))),
    row('best tenth by worth: keep', ...over(measured, ({ worth }) => short(worth.tenth.keep))),
    row('best tenth by worth: junk', ...over(measured, ({ worth }) => short(worth.tenth.junk))),
    '',
    ...head('precision (given) / recall (real) / F1', ...NAMES),
    ...LABELS.map(label),
    '',
    ...head('confidence up to', ...NAMES.map((half) => `${half}: mean, right (labelled)`)),
    ...[...new Set(NAMES.flatMap((half) => measured[half].reliability.bins.map(({ to }) => to)))]
      .sort((a, b) => a - b)
      .map((to) =>
        row(
          to.toFixed(1),
          ...over(measured, ({ reliability }) => {
            const bin = reliability.bins.find((each) => each.to === to);
            return bin ? `${short(bin.confidence)}, ${short(bin.right)} (${bin.statements})` : '–';
          }),
        ),
      ),
    row('off by, on average', ...over(measured, ({ reliability }) => short(reliability.off))),
    '',
  ];
}

function sessionLines(sessions) {
  const line = (name, what) =>
    row(
      name,
      ...NAMES.map((half) => {
        const { of, found, other, stored } = sessions[what][half];
        return `${short(of === 0 ? Number.NaN : found / of)} (${found} of ${of}); ${other}; ${stored}`;
      }),
    );
  return [
    '### Whole conversations',
    '',
    'Something labelled is found if an idea within two lines of it says it and is shown as what it is, or if the exchange around it does (`decided`,',
    '`fixed`, `left`). To say it is to have .6 of the words of the quote (at least three, or all), or half of the telling words of the label’s own',
    'wording, or to be shorter and have .75 of the own telling words in quote or wording. Decisions and preferences want a decision, fixes a solution at',
    'the line of the solution, open ends a todo, a question or a problem. Behind it: how many are shown as something else; how many are stored at all.',
    '',
    ...head('found; as something else; stored at all', ...NAMES),
    line('decisions', 'decisions'),
    line('fixes', 'fixes'),
    line('open at the end', 'open_at_end'),
    line('preferences', 'preferences'),
    row('decisions that are shown, per conversation', ...NAMES.map((half) => sessions.perSession[half].toFixed(1))),
    '',
  ];
}

function openLines({ measured }) {
  return [
    '### What is open at the end of each project',
    '',
    'The list that the build gives a minute after the last conversation. An item is right if it is a labelled open thing: at its place (two lines) with',
    '.6 of the words of either in the other, or anywhere with .6 of the label’s words and of its telling words; wrong if it is a thing that is settled.',
    'What nobody labelled is for a reader (`--print FILE`). The labels name all that is open, so most of it is not: the first precision takes it as wrong,',
    'the second leaves it out.',
    '',
    ...head('of', 'listed', 'right', 'wrong', 'unlabelled', 'precision', 'of what is labelled', 'recall'),
    ...Object.entries(measured).map(([name, each]) =>
      row(
        name,
        ...[each.listed, each.right, each.wrong, each.unmatched, short(each.precision), short(each.ofLabelled)],
        `${short(each.recall)} (${each.found} of ${each.open})`,
      ),
    ),
    '',
  ];
}

function pairLines({ measured, links }, rows) {
  const line = (relation) =>
    row(
      relation,
      ...over(measured, ({ relations }) => {
        const { pairs, linked, right, precision, recall } = relations[relation];
        return `${short(precision)} (${right} of ${linked}) / ${short(recall)} (${right} of ${pairs})`;
      }),
      links[relation] ?? 0,
    );
  const ideas = rows.filter(({ kind }) => kind !== 'span');
  return [
    '### Pairs',
    '',
    'A pair is linked if any idea of one statement (within two lines, .6 of the words of either in the other) is linked to any of the other. A link of',
    'another relation than the label’s counts as wrong, and so does one that points from the earlier to the later where the direction matters. A pair is',
    'kept apart if both of its conversations are. These pairs are no sample of the store’s links: what `--print FILE` draws of them is for a reader.',
    '',
    ...head('precision / recall', ...NAMES, 'links in the store'),
    ...RELATIONS.map(line),
    row('linked without relation', ...over(measured, ({ none }) => `${none.linked} of ${none.pairs}`), ''),
    '',
    `${ideas.length} ideas (${ideas.filter((each) => each.search_only === true).length} for search only), ${rows.length - ideas.length} topics and exchanges.`,
    '',
  ];
}

/** For a reader. `isRead`: of which conversations. */
export function labelsLists({ sessions, open, pairs, rows, links }, isRead = (session) => !isKeptApart(session)) {
  const known = new Map(rows.map((each) => [each.ref, each]));
  const at = ({ in: session, line }) => `${session?.slice(0, 8)}:${line}`;
  const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 300);
  const drawn = RELATIONS.flatMap((relation) => [
    `### ${relation}`,
    ...links
      .filter(
        (link) =>
          link.relation === relation &&
          known.has(link.to) &&
          [link.from, link.to].every((ref) => isRead(known.get(ref).in)),
      )
      .toSorted((a, b) => (drawOf(a) < drawOf(b) ? -1 : 1))
      .slice(0, SAMPLE)
      .flatMap(({ from, to, rule }) => [
        `- ${rule ?? ''} ${at(known.get(from))} ${oneLine(known.get(from).text)}`,
        `  → ${at(known.get(to))} ${oneLine(known.get(to).text)}`,
      ]),
    '',
  ]);
  return [
    '## Titles: the label, and Cairn’s own',
    ...sessions.titles
      .filter(({ session }) => isRead(session))
      .flatMap(({ session, title, own }) => [`- ${session.slice(0, 8)} ${title}`, `  ${own}`]),
    '',
    '## Not found as what they are',
    ...sessions.things
      .filter(({ session, how }) => how !== 'found' && isRead(session))
      .map(
        ({ session, what, how, line, quote, text }) =>
          `- ${what} ${how} ${session.slice(0, 8)}:${line} ${text} “${quote}”`,
      ),
    '',
    '## Listed as open',
    ...open.items
      .filter((item) => isRead(item.in))
      .map((item) => `- ${item.verdict} ${item.kind} ${at(item)} ${oneLine(item.text)}`),
    '',
    '## Labelled pairs that are linked otherwise',
    ...pairs.judged
      .filter(({ a, b, relation, got }) => isRead(a.session) && isRead(b.session) && !isRight(relation, got))
      .flatMap(({ a, b, relation, got, both }) => [
        `- ${relation}, but ${got.join(', ') || (both ? 'not linked' : 'not stored')}: ${a.session.slice(0, 8)}:${a.line} ${oneLine(a.text)}`,
        `  ${b.session.slice(0, 8)}:${b.line} ${oneLine(b.text)}`,
      ]),
    '',
    '## Links of the store, drawn by chance',
    ...drawn,
  ];
}

const isRight = (relation, got) => (relation === 'none' ? got.length === 0 : got.length === 1 && got[0] === relation);
const drawOf = ({ from, to }) => createHash('sha256').update(`${from} ${to}`).digest('hex');
