// RESULTS.md: one section for each page, each with where and when it was measured, so that a page can be measured again alone
// without a lie about the others. The list of budgets on top is read from the sections.

const INTRO = `# Measurements

Made by \`npm run bench\`; nothing in here is written by hand. Each section says when, on which commit and on what it was measured.
Times of processes are medians of several runs, taken in turns with bare \`node -e 0\`: the ratio is what counts, and what travels.
NODE_EXTRA_CA_CERTS and NODE_OPTIONS are not set: they lengthen each start of Node, also the bare one, and so flatter every ratio.
Texts, conversations and vectors are made up, the same in every run. How well memories are found on real conversations is in
EVAL.md.
`;

/** A page's result: its rows, or { rows, growth, tables, notes }. Markdown. */
export function sectionText(page, title, result, facts) {
  const { rows = [], growth = [], tables = [], notes = [] } = Array.isArray(result) ? { rows: result } : result;
  const quiet = facts.busy < 0.15;
  const lines = [
    `<!-- page ${page} -->`,
    `## ${title}`,
    '',
    `${facts.date} UTC, commit ${facts.commit}; Node ${facts.node}, ${facts.system}, ${facts.cores}, ${facts.memory}; took ${facts.seconds} s.`,
    ...(quiet
      ? []
      : [
          '',
          `**Other programs used ${Math.round(100 * facts.busy)} % of the processor when it began: measure again when the machine is quiet.**`,
        ]),
    '',
  ];
  if (rows.length > 0) lines.push(...table(['what', 'median', 'beside bare node', 'budget', ''], rows.map(cellsOf)));
  const causes = rows.filter((row) => row.cause !== undefined && isMet(row) === false);
  if (causes.length > 0) lines.push(...causes.map(({ what, cause }) => `- Missed, ${what}: ${cause}`), '');
  if (growth.length > 0) lines.push(...growthTable(growth));
  for (const each of tables) {
    if (each.title) lines.push(`**${each.title}**`, '');
    lines.push(...table(each.head, each.lines));
  }
  for (const each of notes) lines.push(each, '');
  return `${lines.join('\n').trimEnd()}\n`;
}

/**
 * A row is a time beside bare node, or something else that is shown as it is and says itself whether it is good enough. `cause`: why
 * it misses its budget, where it does.
 */
function cellsOf(row) {
  const { what, ms, ratio, budget, shown, wanted } = row;
  if (shown !== undefined) return [what, shown, '', wanted ?? '', verdict(row)];
  const limit = budget === undefined ? '' : `≤ ${budget} ×`;
  return [what, milliseconds(ms), `${ratio.toFixed(2)} ×`, limit, verdict(row)];
}

/** Undefined where there is no budget. */
function isMet({ ratio, budget, met }) {
  return budget === undefined ? met : ratio <= budget;
}

const verdict = (row) => ({ true: 'met', false: 'MISSED' })[String(isMet(row))] ?? '';

const SIZES = { 100: '100', 1000: '1 k', 10000: '10 k', 100000: '100 k', 1000000: '1 M' };

/** `growth`: [{ what, values: { 1000: 3.1, 10000: 3.4 }, show? }]; the last column: how much a tenfold size costs, on average. */
function growthTable(growth) {
  const sizes = [...new Set(growth.flatMap(({ values }) => Object.keys(values).map(Number)))].sort((a, b) => a - b);
  const lines = growth.map(({ what, values, show = milliseconds }) => {
    const known = sizes.filter((size) => values[size] !== undefined);
    const [first, last] = [known[0], known.at(-1)];
    const tenfolds = Math.log10(last / first);
    const factor = tenfolds > 0 ? (values[last] / values[first]) ** (1 / tenfolds) : undefined;
    return [
      what,
      ...sizes.map((size) => (values[size] === undefined ? '' : show(values[size]))),
      factor === undefined ? '' : `${factor.toFixed(2)} ×`,
    ];
  });
  return table(['growth', ...sizes.map((size) => SIZES[size] ?? size.toLocaleString('en')), 'each tenfold'], lines);
}

export const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

function table(head, lines) {
  const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...lines.map(row), ''];
}

/** The report with this section in it, the others as they were. */
export function putSection(report, page, text, order) {
  const sections = new Map(sectionsOf(report).filter(([name]) => order.includes(name)));
  sections.set(page, text);
  const ordered = order.filter((name) => sections.has(name)).map((name) => sections.get(name).trimEnd());
  const body = ordered.join('\n\n');
  return `${INTRO}\n${budgetList(body, order, sections)}\n${body}\n`;
}

function sectionsOf(report) {
  const marks = [...report.matchAll(/^<!-- page ([\w-]+) -->$/gm)];
  return marks.map((mark, at) => [mark[1], report.slice(mark.index, marks[at + 1]?.index)]);
}

function budgetList(body, order, sections) {
  const { met, missed } = verdicts(body);
  const lines = [...missed, ...met].map(({ what, measured, budget, isMet }) => [
    what,
    measured,
    budget,
    isMet ? 'met' : 'MISSED',
  ]);
  const absent = order.filter((name) => !sections.has(name));
  return [
    '## Budgets',
    '',
    `${met.length} met, ${missed.length} missed.${absent.length > 0 ? ` Not measured yet: ${absent.join(', ')}.` : ''}`,
    '',
    ...table(['what', 'measured', 'budget', ''], lines),
  ].join('\n');
}

/** Every row of the pages that has a budget. */
export function verdicts(report) {
  const found = [];
  const body = report.slice(Math.max(0, report.indexOf('<!-- page ')));
  for (const [, line, word] of body.matchAll(/^\| (.*) \| (met|MISSED) \|$/gm)) {
    const [what, median, ratio, budget] = line.split(' | ').map((cell) => cell.replaceAll('\\|', '|'));
    found.push({ what, measured: ratio?.trim() ? `${ratio} (${median})` : median, budget, isMet: word === 'met' });
  }
  return { met: found.filter(({ isMet }) => isMet), missed: found.filter(({ isMet }) => !isMet) };
}
