// What a statement is judged by: place, shape, what stands above and beside it, its exchange, its words. Each is a feature with a name.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { speechOf } from '../../../test/fixtures/speech.ts';
import { asks, Features, featureName, lookAt, PLACES, type Speech } from './features.ts';
import { hashOf } from './names.ts';

type Feature = { readonly key: number; readonly value: number; readonly name: string };
function featuresOf(speech: Speech, at = 0): Feature[] {
  const found: Feature[] = [];
  new Features(speech).of(at, (key, value, group, name) => found.push({ key, value, name: featureName(group, name) }));
  return found;
}
const namesOf = (text: string, more: Partial<Speech> = {}, at = 0): string[] =>
  featuresOf(speechOf(text, more), at).map(({ name }) => name);
/** What the second has and the first has not. */
const gained = (one: readonly string[], other: readonly string[]): string[] =>
  other.filter((name) => !one.includes(name));

const TEXT = 'The export crashes on empty tables.';

describe('the features of a statement', () => {
  it('have a name and a key each, and the same key always has the same name', () => {
    const names = new Map<number, string>();
    fc.assert(
      fc.property(anyWords, fc.constantFrom(...PLACES), (text, place) => {
        const speech = speechOf(text, { place });
        speech.statements.forEach((_, at) => {
          for (const { key, name, value } of featuresOf(speech, at)) {
            expect(names.get(key) ?? name).toBe(name);
            expect(Number.isInteger(key) && key >= 0 && key < 2 ** 32).toBe(true);
            expect(Number.isFinite(value)).toBe(true);
            names.set(key, name);
          }
        });
      }),
    );
    expect(names.size).toBeGreaterThan(200);
  });

  it('are of one place: the same text in another place has others', () => {
    const [prompt = [], between = [], final = []] = PLACES.map((place) => namesOf(TEXT, { place }));
    for (const [place, names, other] of [
      ['prompt', prompt, final],
      ['between', between, prompt],
      ['final', final, between],
    ] as const) {
      expect(names).toContain(`place ${place}: `);
      expect(names).toContain(`place ${place}: crashes`);
      expect(names).toContain(`place ${place}: fault`);
      expect(other.filter((name) => name.startsWith(`place ${place}`))).toEqual([]);
    }
  });

  it('say where in its turn it stands', () => {
    const text = Array.from({ length: 9 }, (_, at) => `Sentence number ${at} of the report.`).join(' ');
    const where = (at: number): string | undefined => namesOf(text, {}, at).find((name) => /^position: ./.test(name));
    expect([0, 1, 4, 7, 8].map(where)).toEqual([
      'position: first',
      'position: early',
      'position: mid',
      'position: late',
      'position: last',
    ]);
    const shares = [0, 4, 8].map(
      (at) => featuresOf(speechOf(text), at).find(({ name }) => name === 'position: ')?.value,
    );
    expect(shares).toEqual([0, 0.5, 1]);
    expect(featuresOf(speechOf(TEXT)).find(({ name }) => name === 'position: ')?.value).toBe(0.5);
    expect(namesOf(text, {}, 1)).toContain('number: 4');
    expect(namesOf(TEXT)).toContain('number: 0');
  });

  it('tell how long it and its message are, in steps', () => {
    const steps = (length: number): string[] =>
      namesOf('x'.repeat(length)).filter((name) => /^(?:length|message): \d/.test(name));
    expect(steps(11)).toEqual(['length: 0', 'message: 0']);
    expect(steps(12)).toEqual(['length: 1', 'message: 0']);
    expect(steps(80)).toEqual(['length: 4', 'message: 1']);
    expect(steps(300)).toEqual(['length: 6', 'message: 2']);
  });

  it.each([
    ['asks', 'Which port is it?'],
    ['asks', 'どうしますか？'],
    ['colon', 'Two things are left:'],
    ['bold start', '**Cause**: the cache.'],
    ['code', 'The `cache` is stale.'],
    ['path', 'See src/cache.ts for it.'],
    ['arrow', 'Redis → Postgres'],
    ['announces', 'Let me look at the cache.'],
    ['announces', '**Now** the cache.'],
    ['begins with a change', 'Fixed the cache.'],
    ['orders', 'please add a cache'],
    ['negative', "It doesn't start."],
    ['reason', 'It fails because of the cache.'],
    ['should', 'We should use a cache.'],
    ['left', 'The export is still pending.'],
    ['agrees', 'yes, do that'],
    ['refuses', "don't do that"],
    ['wants', "I'd like a cache."],
    ['can you', 'Can you add a cache?'],
    ['question word', 'Why is it slow?'],
    ['checks pass', 'All 412 tests pass.'],
    ['command', 'npm run build'],
    ['output', '2026-01-01 the server started'],
    ['hedges', 'Perhaps it is the cache.'],
    ['rules', 'It must run on one core.'],
    ['lets', "ok, let's keep both"],
    ['fault', 'The importer gets stuck.'],
    ['symptom', 'when i reload, nothing comes'],
  ])('tell its shape: %s in %j', (shape, text) => {
    expect(namesOf(text)).toContain(`shape: ${shape}`);
    expect(namesOf('The weather is fine')).not.toContain(`shape: ${shape}`);
  });

  it('tell what kind of block it stands in, its box and whose words it has', () => {
    expect(namesOf('- [ ] Publish the package')).toEqual(expect.arrayContaining(['kind item: ', 'box: open']));
    expect(namesOf('- [x] Publish the package')).toContain('box: ticked');
    expect(namesOf('> We decided to wait for it.')).toContain('foreign: quoted');
    expect(namesOf('| a row | of a table |')).toContain('kind row: ');
    expect(namesOf('# A heading of it')).toContain('kind heading: ');
    expect(namesOf(TEXT).filter((name) => /^(?:box|foreign)/.test(name))).toEqual([]);
    expect(namesOf('One is here. Two is there.', {}, 1)).toEqual(
      expect.arrayContaining(['several sentences: 1', 'several sentences: ']),
    );
  });

  it('tell what stands above it', () => {
    const text = '## Next steps\n\n- Dark theme for the settings';
    expect(namesOf(text, {}, 1)).toEqual(
      expect.arrayContaining(['something above: ', 'above: next', 'above: steps', 'above item: next']),
    );
    expect(namesOf(TEXT)).toContain('nothing above: ');
    expect(namesOf(text, {}, 0)).toContain('nothing above: ');
  });

  it('tell what stands beside it', () => {
    const text = 'Is it slow? The cache is stale. Fixed the cache.';
    expect(namesOf(text, {}, 1)).toEqual(
      expect.arrayContaining([
        'before: prose',
        'before: asks',
        'word before: is',
        'behind: prose',
        'behind: changed',
        'word behind: fixed',
      ]),
    );
    expect(namesOf(text, {}, 0)).toContain('before: nothing');
    expect(namesOf(text, {}, 2)).toContain('behind: nothing');
  });

  it('tell what happened in its exchange, what was asked before and what followed', () => {
    const plain = namesOf(TEXT, { place: 'prompt', asked: 'I am done.' });
    const also = (more: Partial<Speech>): string[] =>
      gained(plain, namesOf(TEXT, { place: 'prompt', asked: 'I am done.', ...more }));
    expect(also({ isAside: true })).toEqual(['exchange: aside']);
    expect(also({ worksOn: true })).toEqual(['exchange: works on']);
    expect(also({ isPlan: true })).toEqual(['exchange: plan', 'place prompt: plan', 'place prompt, plan: prose']);
    expect(also({ isFirst: true })).toEqual(['place prompt: first of the conversation']);
    expect(also({ wrote: true })).toEqual(['place prompt: files written']);
    expect(also({ wroteBefore: true })).toEqual(['place prompt: files written before']);
    expect(also({ committed: true })).toEqual(['place prompt: commit']);
    expect(also({ failed: true })).toEqual(['place prompt: failure']);
    expect(also({ asked: 'Shall I?' })).toEqual([
      'exchange: agent asked before',
      'replies: 0',
      'replies: first',
      'replies: fault',
    ]);
    expect(also({ asked: 'Either way.\n1. Now\n2. Later' })).toEqual(['replies: options']);
    expect(plain).toContain('replies, prompt: 0');
    expect(namesOf(TEXT.repeat(9), { place: 'prompt', asked: 'Shall I?' })).toContain('replies: 2');
    expect(namesOf(TEXT, { place: 'final', asked: 'Shall I?' }).join()).not.toContain('replies');
    expect(also({ asked: '' })).toEqual(['exchange: nothing said before']);
    expect(plain).toContain('exchange: agent spoke before');
    expect(plain).toContain('place prompt, followed by: nothing');
    expect(also({ next: 'yes, do it' })).toEqual(['place prompt, followed by: agrees']);
    expect(also({ next: 'commit it' })).toEqual(['place prompt, followed by: commit']);
    expect(also({ next: `${'x'.repeat(40)} commit` })).toEqual([]);
    expect(namesOf(TEXT, { place: 'prompt', next: 'go on' })).not.toContain('place prompt, followed by: nothing');
    expect(namesOf(TEXT, { asked: 'Shall I?' }).filter((name) => name.startsWith('exchange'))).toEqual([]);
  });

  it('tell its words, each once, and which come first', () => {
    const names = namesOf('We use use Redis');
    expect(names.filter((name) => name === 'word: use')).toHaveLength(1);
    expect(names).toEqual(
      expect.arrayContaining([
        'word: we',
        'word: redis',
        'word 1: we',
        'word 2: use',
        'word 3: use',
        'first two words we: use',
        'place final, word 1: we',
      ]),
    );
  });

  it('take code, addresses, paths and numbers for one word each: which one it is tells nothing about other projects', () => {
    const one = namesOf('See `a.b` at https://a.org/x and src/a.ts in 3.5 s');
    const other = namesOf('See `foo()` at http://b.net/y and lib/b/c.go in 17 s');
    expect(one.filter((name) => name.startsWith('word: '))).toEqual(other.filter((name) => name.startsWith('word: ')));
    expect(one).toEqual(expect.arrayContaining(['word: ‹c›', 'word: ‹u›', 'word: ‹f›', 'word: ‹n›']));
  });

  it('do not hang on what somebody quotes in it: a sentence of a page speaks for no label', () => {
    for (const [open, close] of ['“”', '""', '„“', '«»', "''"]) {
      const quoting = (words: string): string =>
        `The button now says ${open}${words}${close} in the dialog of the shop.`;
      const wordsIn = (text: string): string[] => namesOf(text).filter((name) => !/length|message/.test(name));
      const one = wordsIn(quoting('we have decided to fix the root cause of every bug at once'));
      expect(one).toEqual(wordsIn(quoting('no page may tell anybody here what should be done, is that so')));
      expect(one).toContain('word: dialog');
      expect(one).not.toContain('word: decided');
    }
    expect(namesOf('The "auth" module is broken.')).toContain('word: auth');
    expect(namesOf("It doesn't start, the cache isn't there.")).toContain("word: doesn't");
  });

  it('are bounded, however long the statement', () => {
    const long = Array.from(
      { length: 400 },
      (_, at) => `w${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 40)]} `,
    ).join('');
    expect(lookAt(long).words).toHaveLength(60);
    expect(
      namesOf(`# ${'up '.repeat(40)}\n\nThe cache.`, {}, 1).filter((name) => name.startsWith('above: ')),
    ).toHaveLength(8);
    expect(featuresOf(speechOf(TEXT), 5)).toEqual([]);
  });
});

describe('asks', () => {
  it('knows a question by its end, also in brackets and in wide marks', () => {
    for (const text of ['Which port?', ' Which port? ', '**Which port?**', '(which port?)', 'どれ？'])
      expect(asks(text)).toBe(true);
    for (const text of ['8080', 'Which? The first.', '']) expect(asks(text)).toBe(false);
  });
});

describe('hashOf', () => {
  it('is FNV-1a over the characters', () => {
    expect(hashOf('')).toBe(0x811c9dc5);
    expect(hashOf('a')).toBe(0xe40c292c);
    expect(hashOf('foobar')).toBe(0xbf9cf968);
  });
});
