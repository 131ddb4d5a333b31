import { describe, expect, it } from 'vitest';
import { isSaid, originOf, originText, PROVENANCES, SPEAKERS } from './provenance.ts';

describe('who said it, and how', () => {
  it('is read from the row of a statement, and is nobody’s for anything else', () => {
    expect(originOf({ role: 'assistant', speaker: 'tool', provenance: 'outside' })).toEqual({
      speaker: 'tool',
      provenance: 'outside',
    });
    expect(originOf({ start: 1, end: 2 })).toBeUndefined();
    expect(originOf(undefined)).toBeUndefined();
  });

  it('is the role of a row that is older than these fields, or holds nonsense in them', () => {
    expect(originOf({ role: 'user' })).toEqual({ speaker: 'user', provenance: 'said' });
    expect(originOf({ role: 'assistant', agent: 'a1' })).toEqual({ speaker: 'subagent', provenance: 'said' });
    expect(originOf({ role: 'user', speaker: 7, provenance: '</x>' })).toEqual({ speaker: 'user', provenance: 'said' });
  });

  it('is told in a few words, each its own', () => {
    const told = SPEAKERS.flatMap((speaker) => PROVENANCES.map((provenance) => originText({ speaker, provenance })));
    expect(originText({ speaker: 'user', provenance: 'said' })).toBe('user said');
    expect(originText({ speaker: 'assistant', provenance: 'quoted' })).toBe('quoted by assistant');
    expect(originText({ speaker: 'user', provenance: 'pasted' })).toBe('pasted by user');
    expect(originText({ speaker: 'tool', provenance: 'outside' })).toBe('from outside');
    for (const text of told) expect(text.length).toBeLessThanOrEqual(24);
  });

  it('may be told unasked only where somebody said it themselves', () => {
    expect(PROVENANCES.filter((provenance) => isSaid({ provenance }))).toEqual(['said']);
    expect(isSaid(undefined)).toBe(true); // records, notes, topics
  });
});
