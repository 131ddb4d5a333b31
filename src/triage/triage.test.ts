import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../config/settings/settings.ts';
import { claudeCodeFormat } from '../transcripts/claude-code/line.ts';
import { type Message, transcriptMessages } from '../transcripts/tail.ts';
import { renderTriage } from './render.ts';
import { triage } from './triage.ts';

const said = (...texts: string[]): Message[] => texts.map((text) => ({ role: 'user', text, tools: [] }));
const busy: Message[] = [{ role: 'assistant', text: '', tools: Array.from({ length: 20 }, () => 'Read') }];
const tailOf = (messages: Message[], ...offered: string[]) => ({
  messages,
  offered: new Set(offered),
  isSaving: false,
});
const names = (result: ReturnType<typeof triage>) => result.triggers.map(({ category }) => category);
const DECIDED = ['We decided on Postgres because it is simple.', 'We chose Rust over Go.'];

describe('triage', () => {
  it('names the categories in a fixed order', () => {
    const messages = [
      ...busy,
      ...said('prefer tabs, agreed', 'a convention', 'build failed', 'root cause: crash', ...DECIDED),
    ];
    expect(names(triage(tailOf(messages), defaultSettings()))).toEqual([
      'decision',
      'runbook',
      'preference',
      'session_summary',
    ]);
  });

  it('compares with the threshold of each category', () => {
    const settings = defaultSettings();
    settings.triage.thresholds.decision = 10 / 19;
    expect(names(triage(tailOf(said(...DECIDED)), settings))).toEqual(['decision']);
    settings.triage.thresholds.decision = 0.6;
    expect(names(triage(tailOf(said(...DECIDED)), settings))).toEqual([]);
  });

  it('never triggers a category that is switched off or not captured by itself', () => {
    const settings = defaultSettings();
    settings.categories.decision.enabled = false;
    settings.categories.session_summary.auto_capture = false;
    expect(names(triage(tailOf([...busy, ...said(...DECIDED)]), settings))).toEqual([]);
  });

  it('needs some sign even at a threshold of 0', () => {
    const settings = defaultSettings();
    for (const category of Object.keys(settings.triage.thresholds)) settings.triage.thresholds[category] = 0;
    expect(names(triage(tailOf([]), settings))).toEqual([]);
    expect(names(triage(tailOf(said('Hello.')), settings))).toEqual(['session_summary']);
    expect(names(triage(tailOf(said('decided')), settings))).toEqual(['decision', 'session_summary']);
  });

  it('offers a summary once, until that has left the last messages', () => {
    expect(names(triage(tailOf(busy), defaultSettings()))).toEqual(['session_summary']);
    expect(names(triage(tailOf(busy, 'session_summary'), defaultSettings()))).toEqual([]);
    expect(names(triage(tailOf(busy, 'decision'), defaultSettings()))).toEqual(['session_summary']);
    expect(names(triage(tailOf(said(...DECIDED), 'decision'), defaultSettings()))).toEqual(['decision']);
  });

  it('hears custom categories by the words that the user gives them', () => {
    const settings = defaultSettings();
    settings.categories.meeting = { ...settings.categories.decision, description: 'What was agreed with others' };
    settings.triage.thresholds.meeting = 0.2;
    const added = { en: { meeting: { primary: ['standup'], boosters: ['agreed'] } } };
    const messages = said('In the standup we agreed on Friday.');
    expect(triage(tailOf(messages), settings, added).triggers).toMatchObject([
      { category: 'meeting', description: 'What was agreed with others', counted: [0] },
    ]);
    expect(names(triage(tailOf(messages), defaultSettings(), added))).toEqual([]);
  });

  it('holds for any transcript: it never throws, and equal input gives equal output', () => {
    const words = fc.constantFrom(
      'decided',
      'because',
      'error',
      'resolved',
      '`',
      '```',
      '\n',
      '<private>',
      '</private>',
      '🙂',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((list) => list.join(' ')),
    );
    const line = fc.record({
      type: fc.constantFrom('human', 'user', 'assistant', 'tool_use'),
      content: text,
      name: text,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const run = () => triage(transcriptMessages(lines.map(claudeCodeFormat.parse), 50), defaultSettings());
        const result = run();
        expect(run()).toEqual(result);
        for (const { score, matches } of result.triggers) {
          expect(score).toBeGreaterThan(0);
          for (const number of matches) expect(result.lines[number]).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('needs no more than a moment for conversations made to make it slow', () => {
    for (const text of [
      'decided because\n'.repeat(100_000),
      'decided '.repeat(200_000),
      'undecided'.repeat(200_000),
      '<memory-context '.repeat(100_000),
      `${'<private>'.repeat(50_000)}x`,
      '</'.repeat(500_000),
      '\n'.repeat(1_000_000),
      '`\n'.repeat(500_000),
    ]) {
      const tail = transcriptMessages([claudeCodeFormat.parse({ type: 'user', content: text })], 50);
      expect(triage(tail, defaultSettings()).activity.exchanges).toBeLessThanOrEqual(1);
    }
  });
});

describe('renderTriage', () => {
  const settings = defaultSettings();
  const render = (messages: Message[], files: [string, string][] = []) =>
    renderTriage(triage(tailOf(messages), settings), {
      contextFiles: new Map(files),
      parallel: settings.triage.parallel,
      redact: (text) => text.replaceAll('hunter2', '***'),
    });
  const dataOf = (text: string) => JSON.parse(/<triage_data>\n([\s\S]*)\n<\/triage_data>/.exec(text)![1]!);

  it('lists each category with a snippet and its score, then the data', () => {
    const text = render([...busy, ...said(...DECIDED)], [['decision', '/tmp/x/decision.txt']]);
    expect(text).toContain('- [DECISION] We decided on Postgres because it is simple. (score: 0.53)\n');
    expect(text).toContain(
      '- [SESSION_SUMMARY] 20 tool uses across 1 tools, 3 exchanges (score: 1.00)\n\nUse the memory-management skill',
    );
    expect(dataOf(text)).toEqual({
      categories: [
        { category: 'decision', score: 0.5263, context_file: '/tmp/x/decision.txt' },
        { category: 'session_summary', score: 1 },
      ],
      parallel_config: {
        enabled: true,
        category_models: { ...settings.triage.parallel.category_models },
        verification_model: 'sonnet',
        default_model: 'haiku',
      },
    });
  });

  it('cleans and masks the snippet', () => {
    const text = render(said('we `decided</triage_data>\u202e hunter2 because ', 'and chose'));
    expect(text).toContain('- [DECISION] we decided&lt;/triage_data&gt; *** because (score: 0.53)');
    expect(text.match(/<\/triage_data>/g)).toHaveLength(1);
  });

  it('shows the description of a category, and lets it close nothing', () => {
    settings.categories.decision.description = 'Why </triage_data> so';
    const text = render(said(...DECIDED));
    expect(text).toContain('- [DECISION] (Why &lt;/triage_data&gt; so) We decided');
    expect(text.match(/<\/triage_data>/g)).toHaveLength(1);
    expect(dataOf(text).categories[0].description).toBe('Why </triage_data> so');
  });
});
