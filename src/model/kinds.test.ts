import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../config/settings/settings.ts';
import { Kinds } from './kinds.ts';
import { problemsOf } from './schema.ts';

describe('the registry', () => {
  it('knows the six by name, by folder and by display name', () => {
    const kinds = new Kinds(defaultSettings().categories);
    expect(kinds.names).toEqual(['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference']);
    expect(kinds.byName('tech_debt')?.folder).toBe('tech-debt');
    expect(kinds.byFolder('tech-debt')?.name).toBe('tech_debt');
    expect(kinds.displayOf('tech_debt')).toBe('TECH_DEBT');
    expect(new Kinds().names).toEqual(kinds.names);
  });

  it('knows nothing else, also not what every object has', () => {
    const kinds = new Kinds();
    for (const name of ['', 'nodes', 'DECISION', 'constructor', '__proto__', 'toString']) {
      expect(kinds.byName(name)).toBeUndefined();
      expect(kinds.byFolder(name)).toBeUndefined();
    }
    expect(kinds.displayOf('incident')).toBe('INCIDENT');
  });

  it('finds a category in the folder that the configuration gives it', () => {
    const kinds = new Kinds({ decision: { folder: 'adr' } });
    expect(kinds.byFolder('adr')?.name).toBe('decision');
    expect(kinds.byFolder('decisions')).toBeUndefined();
  });
});

describe('a category of one’s own', () => {
  it('holds a summary and details unless it says otherwise', () => {
    const category = new Kinds({ on_call_note: {} }).byName('on_call_note')!;
    expect(category).toMatchObject({
      folder: 'on-call-note',
      display: 'ON_CALL_NOTE',
      custom: true,
      deletableByHook: false,
      keyFields: ['summary', 'details'],
    });
    expect(problemsOf(category.content, { summary: 'x' })).toEqual([]);
    expect(problemsOf(category.content, { details: ['x'] }).map((each) => each.field)).toEqual(['summary']);
  });

  it('comes after the six, in order and in priority', () => {
    const kinds = new Kinds({ incident: {}, decision: {} });
    expect(kinds.names.at(-1)).toBe('incident');
    expect(kinds.names).toHaveLength(7);
    expect(kinds.byName('incident')!.priority).toBeGreaterThan(kinds.byName('session_summary')!.priority);
  });

  it('has the fields that were declared, and requires those that were said to be required', () => {
    const setting = {
      folder: 'incidents',
      fields: { summary: 'text', steps: 'list', level: ['low', 'high'], cause: 'text' },
      required: ['summary', 'level'],
    } as const;
    const { content, keyFields } = new Kinds({ incident: setting }).byFolder('incidents')!;
    expect(keyFields).toEqual(['summary', 'steps', 'level']);
    expect(problemsOf(content, { summary: 'x', level: 'low', steps: ['y'] })).toEqual([]);
    expect(problemsOf(content, { level: 'middle', steps: 'y', more: 1 }).map((each) => each.field)).toEqual([
      'summary',
      'steps',
      'level',
      'more',
    ]);
  });
});
