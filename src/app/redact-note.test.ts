// A note that is masked stays the note it was: its other properties, its comments and its body.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { KnownValues } from '../safety/secrets/known-values.ts';
import { cleanText } from './redact-text.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;

describe('masking a note', () => {
  it('reaches every place of its front matter, and leaves it valid', () => {
    const note = (token: string): string =>
      `---\n# was ${token}\nid: token\nversion: "1.10"\nkey: ${token}\ndeep:\n  inner: "${token}"\ntext: |\n  line\n  ${token}\ntags: [a, # why\n  b]\n---\nbody ${token}\n`;
    const clean = cleanText('x.md', note(TOKEN), new KnownValues());
    expect(clean).not.toContain(TOKEN);
    expect(clean).toContain('tags: [a, # why\n  b]\n');
    const said = parse(clean.split('---\n')[1]!) as { [key: string]: unknown };
    expect(said).toMatchObject({ id: 'token', version: '1.10', tags: ['a', 'b'] });
    expect(said.key).toMatch(/^\[redacted:/);
    expect(cleanText('x.md', note('nothing'), new KnownValues())).toBe(note('nothing'));
  });

  it('is not stopped by front matter that is no YAML', () => {
    const clean = cleanText('x.md', `---\ntitle: a: b\nkey: ${TOKEN}\n---\nbody\n`, new KnownValues());
    expect(clean).not.toContain(TOKEN);
    expect(clean).toContain('title: a: b\n');
  });
});
