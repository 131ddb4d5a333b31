// "What would be told?": a prompt as somebody would type it, the block that the model would see, and what just missed with why.

import { useState } from 'preact/hooks';
import type { RehearsalAnswer } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { retypeParams } from '../route.ts';
import { count } from '../wording.ts';
import { KindMark } from './marks.tsx';
import { memoryHref } from './memory-row.tsx';
import { PlainText } from './plain-text.tsx';
import { Answer } from './states.tsx';

const MOST = 4_000;

export function Rehearsal({ given }: { given: string }) {
  const [text, setText] = useState(given);
  const answer = useAnswer('rehearsal', given.trim() ? { prompt: given.slice(0, MOST) } : undefined);
  return (
    <div class="stack">
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          retypeParams({ prompt: text.trim() || undefined });
        }}
      >
        <label for="rehearsal-prompt">Your prompt</label>
        <textarea
          id="rehearsal-prompt"
          data-search
          rows={3}
          maxLength={MOST}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <div class="actions">
          <button type="submit" class="primary">
            See what would be told
          </button>
          <span class="small muted">Nothing is sent anywhere, and nothing is recorded.</span>
        </div>
      </form>
      {given.trim() !== '' && <Answer of={answer}>{(rehearsal) => <Result of={rehearsal} />}</Answer>}
    </div>
  );
}

function Result({ of: { silent, text, tokens, told, missed } }: { of: RehearsalAnswer }) {
  if (silent) return <p class="notice">Nothing would be told. {silent}</p>;
  return (
    <>
      <section class="panel" aria-labelledby="told-title">
        <header>
          <h2 id="told-title">
            {told.length === 0 ? 'Nothing would be told' : `Would be told (${count(tokens)} tokens)`}
          </h2>
        </header>
        {text === '' ? (
          <p class="muted">Better no line than a wrong one. What came nearest is below.</p>
        ) : (
          <pre class="block">{text.trim()}</pre>
        )}
        <ul class="rows">
          {told.map((each) => (
            <li class="row" key={`${each.project} ${each.ref}`}>
              <div class="row-title">
                <KindMark layer={each.layer} kind={each.kind} />
                <a href={memoryHref(each)} data-row class="clamp">
                  <PlainText text={each.title} />
                </a>
                <span class="end">{Math.round(each.likelihood * 100)} % likely of use</span>
              </div>
            </li>
          ))}
        </ul>
      </section>
      {missed.length > 0 && (
        <section class="panel" aria-labelledby="missed-title">
          <h2 id="missed-title">Just missed</h2>
          <ul class="rows">
            {missed.map((each) => (
              <li class="row" key={`${each.project} ${each.ref}`}>
                <div class="row-title">
                  <KindMark layer={each.layer} kind={each.kind} />
                  <a href={memoryHref(each)} data-row class="clamp">
                    <PlainText text={each.title} />
                  </a>
                </div>
                <p class="small muted">{each.why}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
