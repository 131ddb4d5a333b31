// Writes schemas/*.schema.json from the descriptions in src/model/. Run it after changing a category or a setting.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundled = await build({
  entryPoints: [path.join(root, 'src/config/settings/shipped-schemas.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const source = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
const { shippedSchemas, renderSchema } = await import(`data:text/javascript;base64,${source}`);
mkdirSync(path.join(root, 'schemas'), { recursive: true });
for (const [file, schema] of Object.entries(shippedSchemas())) {
  writeFileSync(path.join(root, 'schemas', file), renderSchema(schema));
  console.log(`schemas/${file}`);
}
