// Writes src/model/sha256-code.ts: SHA-256 (FIPS 180-4) as the little WebAssembly module that src/model/sha256.ts runs. `npm run sha256`
// makes it anew; a test compares what is committed with what this gives, and what it digests with node:crypto.
//
// Memory, one page: the 64 words of a block at 0, the constants of the rounds at 256, the state at 512, the state between the two
// halves of the rounds at 544, the digest in hexadecimal digits at 576, the text from 1024 on.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [WORDS, CONSTANTS, STATE, HALFWAY, DIGITS, TEXT] = [0, 256, 512, 544, 576, 1024];

// Numbers as WebAssembly writes them: seven bits a byte, the lowest first.
function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}
function signed(value) {
  for (const bytes = []; ; value >>= 7) {
    const low = value & 0x7f;
    const isLast = (value >> 7 === 0 && (low & 0x40) === 0) || (value >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

// Instructions, all of 32 bits. An operand comes before its instruction.
const number = (value) => [0x41, ...signed(value | 0)];
const code = (byte) => (left, right) => [...left, ...right, byte];
const [add, sub, mul] = [0x6a, 0x6b, 0x6c].map(code);
const [and, or, xor] = [0x71, 0x72, 0x73].map(code);
const [shiftLeft, shiftRight, rotateLeft, rotateRight] = [0x74, 0x76, 0x77, 0x78].map(code);
const [isLess, isMore] = [0x49, 0x4b].map(code);
const load = (place, offset = 0) => [...place, 0x28, 2, ...unsigned(offset)];
const store = (place, value, offset = 0) => [...place, ...value, 0x36, 2, ...unsigned(offset)];
const storeByte = (place, value, offset = 0) => [...place, ...value, 0x3a, 0, ...unsigned(offset)];
const fill = (place, value, length) => [...place, ...value, ...length, 0xfc, 0x0b, 0];
const call = (at, ...values) => [...values.flat(), 0x10, ...unsigned(at)];
const sum = (...terms) => terms.reduce((left, right) => add(left, right));

/** A function of i32s: `body` gets one handle for each name, of which the first `parameters` are given. */
function defined(parameters, names, body) {
  const locals = Object.fromEntries(
    names.map((name, at) => [
      name,
      {
        get: [0x20, ...unsigned(at)],
        set: (value) => [...value, 0x21, ...unsigned(at)],
        /** Sets it and gives its new value. */
        tee: (value) => [...value, 0x22, ...unsigned(at)],
      },
    ]),
  );
  const more = names.length - parameters;
  const bytes = [...(more > 0 ? [1, ...unsigned(more), 0x7f] : [0]), ...body(locals).flat(), 0x0b];
  return [...unsigned(bytes.length), ...bytes];
}

/** Runs `body`, adds `step` to the local, and begins again while that is less than `end`. */
const repeat = (local, { step, end }, body) => [
  [0x03, 0x40],
  ...body,
  isLess(local.tee(add(local.get, number(step))), end),
  [0x0d, 0],
  [0x0b],
];

/** Σ and σ of the standard: the value turned by two numbers of bits, and turned or shifted by a third. */
const turned = (value, [first, second, third], last = rotateRight) =>
  xor(xor(rotateRight(value, number(first)), rotateRight(value, number(second))), last(value, number(third)));

/** (at): the words of the block there. */
const schedule = defined(1, ['at', 'i', 'x'], ({ at, i, x }) => [
  // The bytes of a word the other way round.
  ...repeat(i, { step: 4, end: number(64) }, [
    store(
      i.get,
      or(
        and(rotateLeft(x.tee(load(add(at.get, i.get), TEXT)), number(8)), number(0x00ff00ff)),
        and(rotateRight(x.get, number(8)), number(0xff00ff00)),
      ),
      WORDS,
    ),
  ]),
  i.set(number(0)),
  ...repeat(i, { step: 4, end: number(192) }, [
    store(
      i.get,
      sum(
        load(i.get, WORDS),
        load(i.get, WORDS + 36),
        [...x.set(load(i.get, WORDS + 4)), ...turned(x.get, [7, 18, 3], shiftRight)],
        [...x.set(load(i.get, WORDS + 56)), ...turned(x.get, [17, 19, 10], shiftRight)],
      ),
      WORDS + 64,
    ),
  ]),
]);

/** Half the rounds. Two functions, because V8 compiles one anew that runs for long, which the few texts of a turn should not bring about. */
const half = (isSecond) =>
  defined(0, [...'abcdefgh', 'i', 'x'], (locals) => {
    const { a, b, c, d, e, f, g, h, i, x } = locals;
    const state = [a, b, c, d, e, f, g, h];
    const from = isSecond ? HALFWAY : STATE;
    return [
      ...state.map((each, at) => each.set(load(number(0), from + 4 * at))),
      ...(isSecond ? [i.set(number(128))] : []),
      ...repeat(i, { step: 4, end: number(isSecond ? 256 : 128) }, [
        x.set(
          sum(
            h.get,
            turned(e.get, [6, 11, 25]),
            xor(g.get, and(e.get, xor(f.get, g.get))),
            load(i.get, CONSTANTS),
            load(i.get, WORDS),
          ),
        ),
        h.set(g.get),
        g.set(f.get),
        f.set(e.get),
        e.set(add(d.get, x.get)),
        x.set(sum(turned(a.get, [2, 13, 22]), or(and(a.get, b.get), and(c.get, or(a.get, b.get))), x.get)),
        d.set(c.get),
        c.set(b.get),
        b.set(a.get),
        a.set(x.get),
      ]),
      ...state.map((each, at) =>
        isSecond
          ? store(number(0), add(load(number(0), STATE + 4 * at), each.get), STATE + 4 * at)
          : store(number(0), each.get, HALFWAY + 4 * at),
      ),
    ];
  });

/** (length): pads the text, takes block after block, writes the digits. */
const digest = defined(1, ['length', 'end', 'at', 'i'], ({ length, end, at, i }) => [
  end.set(and(add(length.get, number(72)), number(-64))),
  fill(add(length.get, number(TEXT)), number(0), sub(end.get, length.get)),
  storeByte(length.get, number(0x80), TEXT),
  // Its length in bits, in the last bytes of the last block; three of them, because the memory holds no longer text.
  ...[0, 8, 16].map((bits, back) =>
    storeByte(end.get, shiftRight(shiftLeft(length.get, number(3)), number(bits)), TEXT - 1 - back),
  ),
  ...roots(8, 2).map((root, word) => store(number(0), number(root), STATE + 4 * word)),
  ...repeat(at, { step: 64, end: end.get }, [call(0, at.get), call(1), call(2)]),
  ...repeat(i, { step: 1, end: number(64) }, [
    at.set(
      and(
        shiftRight(
          load(and(shiftRight(i.get, number(1)), number(-4)), STATE),
          shiftLeft(sub(number(7), i.get), number(2)),
        ),
        number(15),
      ),
    ),
    storeByte(i.get, sum(at.get, number(48), mul(isMore(at.get, number(9)), number(39))), DIGITS),
  ]),
]);

/** The first 32 bits of the fractions of the roots of the first primes. */
function roots(count, degree) {
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes.map((prime) => {
    // The largest x with x ** degree <= prime * 2 ** (32 * degree), by halving.
    const whole = BigInt(prime) << BigInt(32 * degree);
    let [low, high] = [0n, 1n << 40n];
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(degree) <= whole) low = middle;
      else high = middle;
    }
    return Number(low & 0xffffffffn);
  });
}

const list = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const taking = (count) => [0x60, count, ...Array(count).fill(0x7f), 0];
const constants = roots(64, 3).flatMap((root) => [0, 8, 16, 24].map((bits) => (root >>> bits) & 0xff));

const exported = (name, kind, at) => [...unsigned(name.length), ...Buffer.from(name), kind, at];

export const wasm = Buffer.from([
  ...Buffer.from('\0asm\x01\0\0\0', 'latin1'),
  ...section(1, list([taking(1), taking(0)])),
  ...section(3, list([[0], [1], [1], [0]])), // which of the two each function is
  ...section(5, list([[0, 1]])), // one page of memory
  ...section(7, list([exported('memory', 2, 0), exported('digest', 0, 3)])),
  ...section(10, list([schedule, half(false), half(true), digest])),
  ...section(11, list([[0, ...number(CONSTANTS), 0x0b, ...unsigned(constants.length), ...constants]])),
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = wasm.toString('base64').match(/.{1,120}/g);
  writeFileSync(
    fileURLToPath(new URL('../src/model/sha256-code.ts', import.meta.url)),
    `// SHA-256 in WebAssembly: written by scripts/sha256.mjs, which says what is in it. Not to be changed by hand.

export const SHA256_CODE: string =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
  );
}
