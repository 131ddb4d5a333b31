import { describe, expect, it } from 'vitest';
import { redactLine } from '../../safety/redact-line.ts';
import { archivedLine } from './archived-line.ts';

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const picture = (length: number) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(length / 8) },
});
const prompt = (...content: unknown[]) => JSON.stringify({ type: 'user', message: { role: 'user', content } });

describe('a line in the archive', () => {
  it('has lost the data of a pasted picture and nothing else', () => {
    const said = { type: 'text', text: 'The button is cut off, see the screenshot.' };
    const kept = archivedLine(prompt(said, picture(40_000)));
    expect(kept).toBe(prompt(said, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }));
  });

  it('is the same whether somebody has parsed the line before or not', () => {
    const line = prompt({ type: 'text', text: `The key is ${SECRET}` }, picture(40_000));
    expect(archivedLine(line, { parsed: JSON.parse(line) })).toBe(archivedLine(line));
  });

  it('loses its secrets with the picture', () => {
    const kept = archivedLine(prompt({ type: 'text', text: `The key is ${SECRET}` }, picture(40_000)));
    expect(kept).not.toContain(SECRET);
    expect(kept).toContain('[redacted:github-token:');
  });

  it('finds a picture in the result of a tool', () => {
    const kept = archivedLine(prompt({ type: 'tool_result', tool_use_id: 't1', content: [picture(40_000)] }));
    expect(kept.length).toBeLessThan(300);
  });

  it('is kept as it is redacted elsewhere where nothing is attached, where it is broken, and where it only speaks of base64', () => {
    const spoken = prompt({ type: 'text', text: `"base64" ${'word '.repeat(4_000)} ${SECRET}` });
    for (const line of [spoken, spoken.slice(0, -20), prompt(picture(800)), ''])
      expect(archivedLine(line)).toBe(redactLine(line));
  });
});
