// How much of what is secret is masked, and how much that is not. The corpora are our own, made from a fixed seed after formats that providers
// document and the forms in which people and programs write passwords; ordinary lines come from the packages and documents that are there.
//   npm run redaction [-- --data DIR] [--json] [--missed] [--write]    DIR: conversations whose lines are ordinary too; only read
// Half of the forms was looked at while the patterns were written; the other half was only ever scored.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, root } from '../bundle.mjs';
import { FORMS, NAME_VALUES, NAMED_AS, NAMES, PASSWORDS } from './redaction-passwords.mjs';
import { NAMED, PREFIXED } from './redaction-providers.mjs';

const ORDINARY_LINES = 90_000;
const MOST_OF_A_FILE = 400;
const CLASSES = {
  h: 'abcdef0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  m: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  d: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  n: '0123456789',
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
};

/** `{s}`: the secret, `{N}`, `{n}`, `{c}`, `{w}`: its name as in an environment, in snake, in camel case, in words. */
const CONTEXTS = [
  '{N}={s}',
  'export {N}="{s}"',
  '"{c}": "{s}",',
  '{n}: {s}',
  "const {c} = '{s}';",
  'the {w} is {s}, please use it',
  '2026-01-02T03:04:05Z INFO starting with {n}={s} on port 80',
  '+{N}={s}',
  '{n} = "{s}"\nretry later',
  "client = Client({n}='{s}')",
  '{"type":"tool_result","content":"{N}={s}\\nNODE_ENV=production"}',
  'docker run -e {N}={s} image',
  'curl -H "X-Api-Key: {s}" https://host/v1 # {w}',
  '{N}={s}\nthen I sent {s} to the server',
  'Set `{N}` to `{s}`. Without it {s} is refused.',
];

/** Whatever the answer is, it is the same every time. */
function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 3_266_489_909) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

function filled(format, random) {
  const some = (kind, length) => Array.from({ length }, () => CLASSES[kind][random(CLASSES[kind].length)]).join('');
  return format.replace(/\{(u|[a-zA-Z]\d+)\}/g, (_all, part) =>
    part === 'u' ? [8, 4, 4, 4, 12].map((length) => some('h', length)).join('-') : some(part[0], Number(part.slice(1))),
  );
}

const rowsOf = (text) =>
  text
    .split(/[;\n]/)
    .map((row) => row.trim())
    .filter(Boolean);
const camel = (name) => name.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());

/** Each format in three contexts; the halves take turns by format. */
export function providerSecrets() {
  const random = numbers(16);
  const kinds = ['api_key', 'token', 'secret', 'key', 'access_token'];
  const made = [];
  const add = (row, name, format, half) => {
    for (let turn = 0; turn < 3; turn += 1) {
      const secret = filled(format, random);
      const words = { N: name.toUpperCase(), n: name, c: camel(name), w: name.replaceAll('_', ' '), s: secret };
      const context = CONTEXTS[random(CONTEXTS.length)];
      made.push({ row, half, secret, text: context.replace(/\{([Nncws])\}/g, (_all, key) => words[key]) });
    }
  };
  rowsOf(PREFIXED).forEach((row, at) => {
    const [provider, ...format] = row.split(' ');
    add(row, `${provider}_${kinds[random(kinds.length)]}`, format.join(' '), at % 2);
  });
  rowsOf(NAMED).forEach((row, at) => {
    const [provider, kind, ...format] = row.split(' ');
    add(row, `${provider}_${kind}`, format.join(' '), at % 2);
  });
  return made;
}

const shell = (value) => (/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`);
const AS_WRITTEN = {
  '': (value) => value,
  q: shell,
  s: (value) => value,
  j: (value) => JSON.stringify(value).slice(1, -1),
  d: (value) => value.replaceAll('"', '""'),
  u: encodeURIComponent,
  x: (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  y: (value) => (/[#:"'$@&!]/.test(value) ? `'${value}'` : value),
  p: (value) => value,
  c: (value) => value,
  b: (value) => Buffer.from(value).toString('base64'),
  B: (value) => Buffer.from(`admin:${value}`).toString('base64'),
};

export function passwords() {
  const made = [];
  FORMS.split('\n')
    .filter((form) => form.trim() !== '')
    .forEach((form, at) => {
      for (const value of PASSWORDS) {
        let secret = value;
        const text = form
          .replace(/\\n/g, '\n')
          .replace(/%%|%([qsjduxypcbB])(?![A-Za-z])|%/g, (all, how = '') => {
            if (all === '%%') return '%';
            secret = AS_WRITTEN[how](value);
            return secret;
          })
          .replace(/%q$/, () => shell(value));
        const bare = secret.startsWith("'") && secret.endsWith("'") ? secret.slice(1, -1) : secret;
        made.push({ row: form, half: at % 2, secret: bare, text });
      }
    });
  return made;
}

export function names() {
  const random = numbers(129);
  return rowsOf(NAMES).map((name, at) => {
    const texts = NAME_VALUES.map((value) => {
      const as = NAMED_AS[random(NAMED_AS.length)];
      return { secret: value, text: as.replaceAll('%n', name).replace('%v', () => value) };
    });
    return { row: name, half: at % 2, texts };
  });
}

/** Lines of code, lock files and documents; every line once, the same ones every time. */
export function ordinaryLines(data) {
  const lines = new Set();
  const own = [
    ...filesBelow(path.join(root, 'src'), /\.ts$/, (file) => !/test\.ts$|safety/.test(file)),
    ...filesBelow(path.join(root, 'docs'), /\.md$/, (file) => !/REDACTION|SECURITY/.test(file)),
    path.join(root, 'package-lock.json'),
  ];
  for (const file of own) addLines(lines, file);
  if (data) for (const text of saidIn(data)) addText(lines, text);
  for (const file of filesBelow(path.join(root, 'node_modules'), /\.(?:js|mjs|cjs|ts|md|json|yml|py|c|h)$/))
    addLines(lines, file);
  return [...lines];
}

function addLines(lines, file) {
  if (lines.size < ORDINARY_LINES && statSync(file).size < 2_000_000) addText(lines, readFileSync(file, 'utf8'));
}

/** At most so many of one file: a large one must not be all there is. */
function addText(lines, text) {
  let taken = 0;
  for (const line of text.split('\n')) {
    if (lines.size >= ORDINARY_LINES || taken >= MOST_OF_A_FILE) return;
    if (line.trim().length < 8 || line.length > 2_000 || lines.has(line)) continue;
    lines.add(line);
    taken += 1;
  }
}

function filesBelow(folder, names, test = () => true) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => names.test(file) && test(file) && !file.includes('.cairn-bench-') && statSync(file).isFile())
    .sort();
}

function* saidIn(data) {
  for (const file of filesBelow(data, /\.jsonl$/))
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, 200)) {
      let parsed;
      try {
        parsed = JSON.parse(line);
      } catch {
        continue;
      }
      const content = parsed?.message?.content;
      if (typeof content === 'string') yield content;
      else if (Array.isArray(content)) for (const { text } of content) if (typeof text === 'string') yield text;
    }
}

/** No mention is left, not even most of it. */
const isMasked = (redact, { text, secret }) => {
  const clean = redact(text).text;
  return clean !== text && !clean.includes(secret) && !clean.includes(secret.slice(0, Math.ceil(secret.length * 0.7)));
};

export async function measure({ data } = {}) {
  const { redact } = await bundle('safety/secrets/redact.ts');
  const scored = (items, test) => {
    const result = {
      all: 0,
      masked: 0,
      halves: [
        [0, 0],
        [0, 0],
      ],
      missed: [],
    };
    for (const item of items) {
      const good = test(item);
      result.all += 1;
      result.masked += good ? 1 : 0;
      result.halves[item.half][0] += good ? 1 : 0;
      result.halves[item.half][1] += 1;
      if (!good) result.missed.push(item);
    }
    return result;
  };
  const lines = ordinaryLines(data);
  const touched = lines.filter((line) => redact(line).text !== line);
  return {
    providers: scored(providerSecrets(), (item) => isMasked(redact, item)),
    passwords: scored(passwords(), (item) => isMasked(redact, item)),
    names: scored(names(), ({ texts }) => texts.every((each) => isMasked(redact, each))),
    ordinary: { lines: lines.length, masked: touched.length, touched: touched.map((line) => redact(line).text) },
  };
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

export function section({ providers, passwords: written, names: named, ordinary }) {
  const row = (what, { all, masked, halves }, goal) =>
    `| ${what} | ${all} | ${masked} (${percent(masked, all)}) | ${halves.map(([good, of]) => percent(good, of)).join(' / ')} | ${goal} |`;
  const forms = new Set(passwords().map((each) => each.row)).size;
  return [
    '## Redaction',
    '',
    "Written by `npm run redaction -- --write`. The corpora are Cairn's own: a script makes every secret from a fixed seed, after a table of formats",
    'modelled on publicly documented ones (what providers document, what the rules of scanners such as gitleaks and TruffleHog describe). They are no',
    'corpora of theirs: none of their test data, and no secret that was ever in use. So the numbers say how Cairn does on its own picture of these formats.',
    'Passwords stand in forms that people and programs write, names are those of settings; both were written by hand for this. A secret counts only if every',
    'mention of it is masked. The halves: forms that were looked at while the patterns were written / forms that were only scored.',
    '',
    '| what | tried | masked | by halves | goal |',
    '|---|---|---|---|---|',
    row('secrets of providers, by prefix or by name', providers, '≥ 85 %'),
    row(`passwords: ${forms} forms × ${PASSWORDS.length} values`, written, '≥ 70 %'),
    row('names of settings, each with three values', named, '≥ 93 % (120 of 129)'),
    `| ordinary lines of code, lock files, documents and conversations | ${ordinary.lines} | ${ordinary.masked} | | ≤ 10 of 90,000 |`,
    '',
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const has = (name) => process.argv.includes(name);
  const data = has('--data') ? process.argv[process.argv.indexOf('--data') + 1] : undefined;
  const report = await measure({ data });
  if (has('--json')) console.log(JSON.stringify(report, null, 2));
  else console.log(section(report).join('\n'));
  // Only the half that may be looked at.
  if (has('--missed')) {
    const shown = (items) =>
      items.filter(({ half }) => half === 0).map(({ row, text, texts }) => `${row}  ::  ${text ?? texts[0].text}`);
    for (const part of ['providers', 'passwords', 'names']) console.log(part, shown(report[part].missed).join('\n'));
    console.log(report.ordinary.touched.join('\n'));
  }
  if (has('--write')) writeSection(section(report));
}

/** Into bench/EVAL.md, beside the rest of it. */
export function writeSection(lines) {
  const file = path.join(root, 'bench/EVAL.md');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const others = page.replace(/\n*## Redaction\n[\s\S]*?(?=\n## |$)/, '').trimEnd();
  writeFileSync(file, `${others}\n\n${lines.join('\n').trimEnd()}\n`);
}
