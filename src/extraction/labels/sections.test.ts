// Which sort of section a statement stands in, and which stand around it.
import { describe, expect, it } from 'vitest';
import { statementsOf } from '../statements/statements-of.ts';
import { Outline } from './sections.ts';

const PLAN = `# The old ledger

Intro of the ledger.

## Design

- Amounts stay integers

### 2. Rounding rules

- Half a cent goes up

## Implementation steps

Files to touch:

- src/ledger.ts gets a guard

## Verification

Run it twice.

## Ledger

Nothing here.
`;

/** Of the statement that begins so. */
function sectionOf(begin: string, text = PLAN): { sorts: string[]; around: string[]; depth: number } {
  const { statements } = statementsOf(text, 'user');
  const at = statements.findIndex(({ start }) => text.startsWith(begin, start));
  const { sorts, around, depth } = new Outline({ text, statements }).of(at);
  return { sorts: sorts.map((each) => each.text), around: around.map((each) => each.text), depth };
}

describe('the section of a statement', () => {
  it('is told by what stands right above it', () => {
    expect(sectionOf('Amounts')).toEqual({ sorts: ['design'], around: ['other'], depth: 2 });
    expect(sectionOf('Run it')).toEqual({ sorts: ['checks'], around: ['other'], depth: 2 });
    expect(sectionOf('Nothing')).toEqual({ sorts: ['other'], around: ['other'], depth: 2 });
  });

  it('knows the headings around that, from the outermost in', () => {
    expect(sectionOf('Half')).toEqual({ sorts: ['design', 'numbered'], around: ['other', 'design'], depth: 3 });
    expect(sectionOf('src/ledger')).toEqual({ sorts: ['files'], around: ['other', 'steps'], depth: 2 });
  });

  it('of a heading is what the heading stands in', () => {
    expect(sectionOf('2. Rounding')).toEqual({ sorts: [], around: ['other', 'design'], depth: 2 });
    expect(sectionOf('The old')).toEqual({ sorts: [], around: [], depth: 0 });
  });

  it('is none without a heading, and a bold line is a lead alone', () => {
    expect(sectionOf('One key', 'One key for all.')).toEqual({ sorts: [], around: [], depth: 0 });
    const text = '## Approach\n\n**Background:**\n\n- One key for all';
    expect(sectionOf('One key', text)).toEqual({ sorts: ['background'], around: ['design'], depth: 1 });
  });
});
