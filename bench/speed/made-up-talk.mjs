// What is said in made-up conversations about code. Its words are as common, its statements as long, as often about a file and of the
// same kinds as those of real conversations, because that is what reading them costs: a word that every statement has makes a search
// slow that is quick in practice, and one without names saves the indexer half its work.
//
// Real ones (98 conversations, 4,900 statements): the 10th, 30th, 100th, 300th and 1,000th word stands in 29, 15, 7, 2 and 0.4 % of
// the statements; half of these have more than 115 letters; two in three name a file or something in the code; 38 % are remarks,
// 26 % tasks, 14 % problems, 14 % solutions, 3 % conclusions, 2 % decisions, 1 % questions.

const WORDS = 8_000;
const FILES = 600;
const [BEND, FALL] = [35, 1.3];

const SYLLABLES =
  'ba be bi bo ca ce co da de di do fa fi fo ga ge go ka ki la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo'.split(
    ' ',
  );
const ENDS = 'ner ter lat mon vel tor ken dal set gram lock port sult bin'.split(' ');

/** The nth word: two or three syllables and an end, no two alike. */
function wordAt(at) {
  const count = SYLLABLES.length;
  const long = at >= count * ENDS.length * 4;
  const first = SYLLABLES[(at * 7) % count];
  const second = SYLLABLES[Math.floor(at / count) % count];
  return first + second + (long ? SYLLABLES[Math.floor(at / count / count) % count] : '') + ENDS[at % ENDS.length];
}

/** How often each of the first words comes, and all before it: few often, most hardly ever. */
function shares(count) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let at = 0; at < count; at++) sums[at] = sum += 1 / (at + BEND) ** FALL;
  return sums.map((each) => each / sum);
}

const [OF_WORDS, OF_FILES] = [shares(WORDS), shares(FILES)];

function drawn(sums, number) {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** { word, name, file }: what the next statement is about. */
export function subjects(next) {
  const word = () => wordAt(drawn(OF_WORDS, next()));
  const fileAt = (at) => `src/${wordAt(at % 23)}/${wordAt(at + 100)}-${wordAt(at * 3 + 1)}.ts`;
  return {
    word,
    /** Something in the code. */
    name: () => (next() < 0.5 ? word() + capital(word()) : capital(word()) + capital(word())),
    file: () => fileAt(drawn(OF_FILES, next())),
  };
}

// %w a word, %n a name in the code, %f a file.
const STATEMENTS = {
  prompt: [
    'The %w %w of `%f` is slow since we changed the %w of the %w. Find out why, and fix it.',
    'Please add a %w %w to `%n`, so that the %w no longer depends on %w. Keep the %w as it is.',
    'When I open the %w %w, its %w is missing and the %w says %w. Can you look into `%f`?',
    'I want %n to read the %w once for each %w. Do not touch %w %w, and write tests.',
  ],
  remark: [
    'Reading `%f` to see how the %w %w gets its %w.',
    'The %w keeps its %w in `%f`, beside the %w %w, and gives it to every %w that asks for a %w.',
    'Now `%n` takes a %w and gives back the %w %w of each %w.',
    'Each %w is written by %w %w before `%n` has seen it, and then %w waits for the %w of %w %w.',
    'I looked at %w and at the %w of `%f`, where %w %w stands behind a %w.',
    'There are two places: %w in `%f`, and the %w of `%n` with its own %w %w.',
  ],
  task: [
    'TODO: measure %w %w with the %w of `%f`',
    'Add a test for `%n` with an empty %w and with %w %w',
    'Update the %w in `%f` for %w %w',
    'Remove the old %w from %w once nobody uses `%n` any more',
    'Next: document %w and the %w of %w in the guide of %w',
    'Check whether %w %w still needs `%n` when %w is off',
  ],
  problem: [
    'The %w fails in `%f` when its %w has no %w, and the error names neither %w nor the %w it came from.',
    '`%n` throws an error as soon as %w %w is empty, so the %w never reaches the %w of %w %w.',
    'Tests in `%f` are failing because %w returns the wrong %w for every %w with more than one %w %w.',
    'There is a race between `%n` and the %w that loses a %w now and then when %w %w is slow.',
  ],
  solution: [
    'Fixed `%f` by adding a %w before the %w %w is read.',
    'Added `%n` to the %w, so that %w %w is read once and its %w stays in %w.',
    'Fixed the %w: `%n` now closes its %w before %w %w begins.',
    'The %w %w works again: `%f` waits for the %w of %w.',
  ],
  conclusion: [
    'The root cause was a %w without %w in `%f`.',
    'It turned out that %w %w is read twice, once for every %w.',
    'So the %w comes from the %w of %w, and not from `%n`.',
  ],
  decision: [
    'We decided to keep the %w %w of `%n`, because the %w of %w needs it.',
    "Let's use %w %w for every %w, and leave the %w of %w alone.",
    'We will go with the %w %w, since %w costs less than %w %w.',
  ],
  question: [
    'Should `%n` get the same %w as the %w %w of %w?',
    'Do we want %w %w in `%f`, or is it better beside the %w of %w?',
  ],
};

/** `kind`: a key of STATEMENTS. */
export function statement(kind, next) {
  const { word, name, file } = subjects(next);
  const choices = STATEMENTS[kind];
  const text = choices[Math.floor(next() * choices.length)];
  return text.replace(/%([wnf])/g, (_, what) => (what === 'w' ? word() : what === 'n' ? name() : file()));
}
