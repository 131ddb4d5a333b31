// The files under schemas/ are generated; this holds them equal to the descriptions they are generated from.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderSchema, shippedSchemas } from '../src/config/settings/shipped-schemas.ts';

const FOLDER = path.resolve(import.meta.dirname, '../schemas');

it('schemas/ is current; `npm run schemas` makes it anew', () => {
  const files = Object.fromEntries(
    fs.readdirSync(FOLDER).map((name) => [name, fs.readFileSync(path.join(FOLDER, name), 'utf8')]),
  );
  const generated = Object.fromEntries(
    Object.entries(shippedSchemas()).map(([name, schema]) => [name, renderSchema(schema)]),
  );
  expect(Object.keys(files).sort()).toEqual(Object.keys(generated).sort());
  expect(files).toEqual(generated);
});
