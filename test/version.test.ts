import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { version } from '../src/version.ts';

it('the version in the code is the version of the package', () => {
  const manifest = fs.readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8');
  expect(version).toBe((JSON.parse(manifest) as { version: string }).version);
});
