// Whether capturing works: the last sign of each hook, what failed lately, and what the doctor finds.

import type { Overview } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { CopyCommand } from './copy.tsx';
import { When } from './marks.tsx';

type HealthProps = { signs: Overview['lastSigns']; failures: Overview['lastFailures'] };

const LEVELS = { ok: 'good', note: '', attention: 'warn' } as const;
const LEVEL_WORDS = { ok: 'Well', note: 'Note', attention: 'Attention' } as const;
const SHOWN_FAILURES = 3;
const STATES = {
  well: ['good', 'Works'],
  quiet: ['', 'Quiet'],
  off: ['warn', 'Off'],
  failing: ['bad', 'Failing'],
} as const;

/** Those that gave a sign, the latest first; of the others only the names, and where none gave one, nothing. */
function Signs({ signs }: { signs: Overview['lastSigns'] }) {
  const given = signs.flatMap(({ event, at }) => (at === null ? [] : [{ event, at }])).sort((a, b) => b.at - a.at);
  const silent = signs.filter(({ at }) => at === null);
  return (
    <>
      {given.length > 0 && (
        <ul class="signs">
          {given.map(({ event, at }) => (
            <li key={event}>
              <span>{event}</span>
              <span class="muted">
                <When at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {silent.length > 0 && given.length > 0 && (
        <p class="muted small">No sign yet of {silent.map(({ event }) => event).join(', ')}.</p>
      )}
    </>
  );
}

/** One true sentence, and the command that helps. */
export function HealthSentence() {
  const { data: health } = useAnswer('health', {});
  if (!health) return <p class="health-said" aria-busy="true" />;
  const [style, name] = STATES[health.state];
  return (
    <p class="health-said" data-state={health.state}>
      <span class={`badge ${style}`}>{name}</span>
      <span>{health.sentence}</span>
      {health.command && <CopyCommand command={health.command} />}
    </p>
  );
}

export function CaptureHealth({ signs, failures }: HealthProps) {
  const { data: health, error } = useAnswer('health', {});
  const findings = health?.findings ?? [];
  const worthSaying = findings.filter(({ level }) => level !== 'ok');
  return (
    <section class="panel" aria-labelledby="health-title">
      <h2 id="health-title">Hooks and the doctor</h2>
      <Signs signs={signs} />
      {failures.length > 0 && (
        <>
          <h3>Failures</h3>
          <ul class="findings">
            {failures.slice(0, SHOWN_FAILURES).map(({ at, event, cause }) => (
              <li key={`${at} ${event}`}>
                <span class="badge bad">{event}</span> {cause}{' '}
                <span class="muted">
                  (<When at={at} />)
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && <p class="muted small">The doctor could not be asked: {error.message}</p>}
      {health && worthSaying.length === 0 && <p class="muted small">The doctor found nothing to mention.</p>}
      {worthSaying.length > 0 && (
        <ul class="findings">
          {worthSaying.map(({ area, level, text, fix }) => (
            <li key={`${area} ${text}`}>
              <span class={`badge ${LEVELS[level]}`}>{LEVEL_WORDS[level]}</span> {text}
              {fix && <span class="muted"> {fix}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
