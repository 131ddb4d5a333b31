// Writes the cues of English in the form that the matcher wants: src/extraction/ideas/cues/en-code.ts. A test says when it is due.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (file) => fileURLToPath(new URL(`../src/extraction/ideas/${file}`, import.meta.url));
const source = `
  export { packCues } from ${JSON.stringify(at('cue-code.ts'))};
  export { readCues } from ${JSON.stringify(at('cue-reader.ts'))};
  export { en } from ${JSON.stringify(at('cues/en.ts'))};
  export { GROUPS } from ${JSON.stringify(at('judge-groups.ts'))};`;
const { outputFiles } = await build({
  stdin: { contents: source, resolveDir: '.' },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const { packCues, readCues, en, GROUPS } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);
const packed = packCues(readCues(en, GROUPS));
const fields = Object.entries(packed).map(([name, text]) => `  ${name}: ${quoted(text)},`);
writeFileSync(
  at('cues/en-code.ts'),
  `// English, read: written by scripts/cues.mjs from en.ts and en-classes.ts. Not to be changed by hand.

import type { PackedCues } from '../cue-code.ts';

export const enCode: PackedCues = {
${fields.join('\n')}
};
`,
);

function quoted(text) {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
