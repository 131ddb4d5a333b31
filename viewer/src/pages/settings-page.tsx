// Settings: what can be switched off, and what was changed from its default.

import { useLayoutEffect, useState } from 'preact/hooks';
import type { SettingsAnswer } from '../../../src/viewer-api/protocol.ts';
import { useAnswer } from '../live.ts';
import { perform } from '../memory/perform.ts';
import { CopyCommand } from '../parts/copy.tsx';
import { Answer } from '../parts/states.tsx';

export function SettingsPage() {
  const answer = useAnswer('settings', {});
  return (
    <>
      <div class="head">
        <div>
          <h1>Settings</h1>
          <p>
            What Cairn does, and what you changed. All settings: docs/CONFIG.md and <code>cairn config</code>.
          </p>
        </div>
      </div>
      <Answer of={answer}>{(settings) => <Parts settings={settings} refresh={answer.refresh} />}</Answer>
    </>
  );
}

function Parts({
  settings: { switches, fields, changed, files },
  refresh,
}: {
  settings: SettingsAnswer;
  refresh: () => void;
}) {
  const set = (key: string, value: string | null) => perform({ action: 'setting', key, value }, refresh);
  return (
    <div class="stack">
      <section class="panel" aria-labelledby="switches-title">
        <h2 id="switches-title">Turning parts off</h2>
        <ul class="rows">
          {switches.map((each) => (
            <SwitchRow key={each.key} of={each} set={set} />
          ))}
          {fields.map((each) => (
            <FieldRow key={`${each.key} ${each.value}`} of={each} set={set} />
          ))}
        </ul>
        <p class="small muted">
          These are written to your own settings, for all projects. Also: <CopyCommand command="cairn uninstall" />{' '}
          takes the plugin out; <code>CAIRN_DISABLE=1</code> switches all of it off for one conversation.
        </p>
      </section>
      <section class="panel" aria-labelledby="changed-title">
        <h2 id="changed-title">Changed from the default</h2>
        {changed.length === 0 ? (
          <p class="muted">Nothing.</p>
        ) : (
          <ul class="rows">
            {changed.map(({ key, value, preset, description, canReset }) => (
              <li class="row" key={key}>
                <div class="row-title">
                  <code>{key}</code>
                  <strong>{value}</strong>
                  {preset !== null && <span class="muted small">by default {preset}</span>}
                  {canReset && (
                    <span class="end">
                      <button type="button" class="small" onClick={() => void set(key, null)}>
                        Take back
                      </button>
                    </span>
                  )}
                </div>
                <p class="small muted">{description}</p>
              </li>
            ))}
          </ul>
        )}
        <p class="small muted">
          <span class="mono">{files.user}</span>, <span class="mono">{files.project}</span>
        </p>
      </section>
    </div>
  );
}

type Switch = SettingsAnswer['switches'][number];
type SwitchProps = { of: Switch; set: (key: string, value: string | null) => Promise<boolean> };

/** Shows what was chosen until the server has answered with what it is now, whatever else makes the page draw itself meanwhile. */
function SwitchRow({ of, set }: SwitchProps) {
  const [chosen, setChosen] = useState<{ readonly isOn: boolean; readonly isWritten: boolean }>();
  useLayoutEffect(() => setChosen((before) => (before?.isWritten ? undefined : before)), [of]);
  const choose = async (isOn: boolean) => {
    setChosen({ isOn, isWritten: false });
    const isWritten = await set(of.key, isOn ? of.on : of.off);
    setChosen(isWritten ? { isOn, isWritten } : undefined);
  };
  return (
    <li class="row">
      <label class="switch">
        <input
          type="checkbox"
          checked={chosen?.isOn ?? of.isOn}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />
        <span>{of.stops}</span>
        <code>{of.key}</code>
      </label>
    </li>
  );
}

type FieldProps = { of: SettingsAnswer['fields'][number]; set: SwitchProps['set'] };

/** Saved by its button alone: what is forgotten for good is not to hang on a number that is half typed. */
function FieldRow({ of: { key, stops, kind, hint, value }, set }: FieldProps) {
  const [typed, setTyped] = useState(value);
  const items = typed
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean);
  const wanted = kind === 'list' ? JSON.stringify(items) : typed.trim();
  const common = { id: key, value: typed, 'aria-describedby': `${key}-hint` };
  return (
    <li class="row">
      <form
        class="setting-field"
        onSubmit={(event) => {
          event.preventDefault();
          void set(key, wanted);
        }}
      >
        <div class="field">
          <label for={key}>
            {stops} <code>{key}</code>
          </label>
          {kind === 'list' ? (
            <textarea {...common} rows={2} onInput={(event) => setTyped(event.currentTarget.value)} />
          ) : (
            <input
              {...common}
              type="text"
              inputMode="numeric"
              autocomplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <p class="hint" id={`${key}-hint`}>
            {hint}
          </p>
        </div>
        <button type="submit" disabled={typed === value} aria-label={`Save: ${stops}`}>
          Save
        </button>
      </form>
    </li>
  );
}
