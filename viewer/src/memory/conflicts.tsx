// Two people changed the same field: what it was, what it is in the file now, what was typed here, and which of them is to be saved.

import { useState } from 'preact/hooks';
import { words } from '../wording.ts';
import type { Conflict } from './drafts.ts';

type ConflictsProps = {
  conflicts: readonly Conflict[];
  choose: (path: string, value: unknown) => void;
  done: () => void;
};

export function Conflicts({ conflicts, choose, done }: ConflictsProps) {
  return (
    <section class="conflicts" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">Changed on both sides</h2>
      {conflicts.map((conflict) => (
        <Choice key={conflict.path} conflict={conflict} choose={choose} />
      ))}
      <button type="button" onClick={done}>
        Go on with these
      </button>
    </section>
  );
}

function Choice({
  conflict: { path, base, mine, theirs },
  choose,
}: { conflict: Conflict } & Pick<ConflictsProps, 'choose'>) {
  const [chosen, setChosen] = useState<'mine' | 'theirs'>('mine');
  const pick = (which: 'mine' | 'theirs') => {
    setChosen(which);
    choose(path, which === 'mine' ? mine : theirs);
  };
  return (
    <fieldset class="conflict">
      <legend>{words(path.replace(/^(?:content|sections)\./, ''))}</legend>
      <div>
        <span class="label">It was</span>
        <p>{shown(base)}</p>
      </div>
      {(['theirs', 'mine'] as const).map((which) => (
        <label key={which}>
          <input type="radio" name={`conflict-${path}`} checked={chosen === which} onChange={() => pick(which)} />
          <span>
            <span class="label">{which === 'mine' ? 'Yours' : 'In the file now'}</span>
            <span class="prose">{shown(which === 'mine' ? mine : theirs)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ') || '(nothing)';
  return JSON.stringify(value);
}
