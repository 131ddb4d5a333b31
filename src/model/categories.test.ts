import { describe, expect, it } from 'vitest';
import { FOLDERS, SAMPLE_CATEGORIES, sampleContent } from '../../test/fixtures/sample-records.ts';
import { CATEGORIES } from './categories.ts';
import { problemsOf } from './schema.ts';

const category = (name: string) => CATEGORIES.find((each) => each.name === name)!;
const fields = (name: string): [string, boolean][] =>
  Object.entries(category(name).content.fields!).map(([field, schema]) => [field, schema.optional !== true]);
const choices = (name: string, field: string) => category(name).content.fields![field]!.choices;

describe('the six categories', () => {
  it('have their folders, their display names and their order', () => {
    expect(CATEGORIES.map(({ name, folder, display }) => [name, folder, display])).toEqual(
      SAMPLE_CATEGORIES.map((name) => [name, FOLDERS[name], name.toUpperCase()]),
    );
    const byPriority = [...CATEGORIES].sort((a, b) => a.priority - b.priority).map(({ name }) => name);
    expect(byPriority).toEqual(['decision', 'constraint', 'preference', 'runbook', 'tech_debt', 'session_summary']);
  });

  it('let a hook retire runbooks, constraints and tech debt, nothing else', () => {
    expect(CATEGORIES.filter((each) => each.deletableByHook).map(({ name }) => name)).toEqual([
      'runbook',
      'constraint',
      'tech_debt',
    ]);
  });

  it('show fields in excerpts that they have', () => {
    for (const { keyFields, content } of CATEGORIES)
      expect(keyFields.filter((field) => !Object.hasOwn(content.fields!, field))).toEqual([]);
    expect(category('decision').keyFields).toEqual(['context', 'decision', 'rationale']);
  });

  it.each(SAMPLE_CATEGORIES)('%s takes every field it has, and no other', (name) => {
    const { content } = category(name);
    const sample = sampleContent(name);
    expect(Object.keys(sample).sort()).toEqual(Object.keys(content.fields!).sort());
    expect(problemsOf(content, sample)).toEqual([]);
    expect(problemsOf(content, { ...sample, extra: 1 }).map((each) => each.field)).toEqual(['extra']);
  });

  it.each(SAMPLE_CATEGORIES)('%s may be written without its optional fields, not without the others', (name) => {
    const { content } = category(name);
    const sample = sampleContent(name);
    for (const [field, required] of fields(name)) {
      const { [field]: _, ...rest } = sample;
      expect(problemsOf(content, rest).map((each) => each.field)).toEqual(required ? [field] : []);
    }
  });
});

describe('the content of', () => {
  const required = (name: string): string[] =>
    fields(name)
      .filter(([, needed]) => needed)
      .map(([field]) => field);

  it('a decision', () => {
    expect(required('decision')).toEqual(['status', 'context', 'decision', 'rationale']);
    expect(choices('decision', 'status')).toEqual(['proposed', 'accepted', 'deprecated', 'superseded']);
    const odd = sampleContent('decision', { rationale: [], alternatives: [{ option: 'x' }] });
    expect(problemsOf(category('decision').content, odd).map((each) => each.field)).toEqual([
      'alternatives.0.rejected_reason',
      'rationale',
    ]);
  });

  it('a session summary', () => {
    expect(required('session_summary')).toEqual(['goal', 'outcome', 'completed', 'next_actions']);
    expect(choices('session_summary', 'outcome')).toEqual(['success', 'partial', 'blocked', 'abandoned']);
  });

  it('a runbook', () => {
    expect(required('runbook')).toEqual(['trigger', 'steps', 'verification']);
    expect(problemsOf(category('runbook').content, sampleContent('runbook', { steps: [] }))).toHaveLength(1);
  });

  it('a constraint', () => {
    expect(required('constraint')).toEqual(['kind', 'rule', 'impact', 'severity', 'active']);
    expect(choices('constraint', 'kind')).toEqual(['limitation', 'gap', 'policy', 'technical']);
    expect(choices('constraint', 'severity')).toEqual(['high', 'medium', 'low']);
    const odd = sampleContent('constraint', { impact: [], active: 'yes' });
    expect(problemsOf(category('constraint').content, odd).map((each) => each.field)).toEqual(['impact', 'active']);
  });

  it('a piece of tech debt', () => {
    expect(required('tech_debt')).toEqual(['status', 'priority', 'description', 'reason_deferred']);
    expect(choices('tech_debt', 'status')).toEqual(['open', 'in_progress', 'resolved', 'wont_fix']);
    expect(choices('tech_debt', 'priority')).toEqual(['critical', 'high', 'medium', 'low']);
  });

  it('a preference', () => {
    expect(required('preference')).toEqual(['topic', 'value', 'reason', 'strength']);
    expect(choices('preference', 'strength')).toEqual(['strong', 'default', 'soft']);
    const odd = sampleContent('preference', { examples: { prefer: 'x', also: [] } });
    expect(problemsOf(category('preference').content, odd).map((each) => each.field)).toEqual([
      'examples.prefer',
      'examples.also',
    ]);
  });
});
