// The list of what is open after the last conversation of a project, against what a reader found to be open then, and against
// what looks open where it stands and is settled. What is listed and nobody labelled is counted apart, for a reader to judge.
import { overlaps, shareAnywhere } from './match-text.mjs';
import { HALVES } from './read-labels.mjs';

const NEAR = 2;

/** `listed`: { project: rows }. */
export function scoreOpen(labels, listed) {
  const items = Object.entries(listed).flatMap(([project, rows]) =>
    rows.map((row) => {
      const matched = labels
        .filter((label) => label.project === project)
        .map((label) => ({ label, closeness: closeness(label, row) }))
        .filter((each) => each.closeness > 0);
      const best = matched.toSorted(
        (a, b) => b.closeness - a.closeness || Number(b.label.open) - Number(a.label.open),
      )[0];
      const verdict = best === undefined ? 'unmatched' : best.label.open ? 'right' : 'wrong';
      return { ...row, set: project, verdict, labels: matched.map(({ label }) => label) };
    }),
  );
  const projects = Object.keys(listed);
  const measured = {};
  for (const [half, isIn] of Object.entries(HALVES)) {
    measured[half] = measure(
      labels.filter(({ session }) => isIn([session])),
      items.filter((item) => isIn([item.in])),
      items,
    );
  }
  for (const project of projects)
    measured[project] = measure(
      labels.filter((label) => label.project === project),
      items.filter(({ set }) => set === project),
      items,
    );
  return { measured, items };
}

/** 1 to 2: at the same place; up to 1: by words alone; 0: not the same thing. */
function closeness(label, row) {
  const anywhere = shareAnywhere(label.text, row.text);
  const isNear = row.in === label.session && Math.abs(row.line - label.line) <= NEAR;
  return isNear && overlaps(label.text, row.text) ? 1 + anywhere : anywhere;
}

function measure(labels, items, all) {
  const count = (verdict) => items.filter((item) => item.verdict === verdict).length;
  const open = labels.filter((label) => label.open);
  const [right, wrong, unmatched] = ['right', 'wrong', 'unmatched'].map(count);
  const found = open.filter((label) =>
    all.some((item) => item.verdict === 'right' && item.labels.includes(label)),
  ).length;
  return {
    ...{ listed: items.length, right, wrong, unmatched, open: open.length, found },
    precision: items.length === 0 ? Number.NaN : right / items.length,
    ofLabelled: right + wrong === 0 ? Number.NaN : right / (right + wrong),
    recall: open.length === 0 ? Number.NaN : found / open.length,
  };
}
