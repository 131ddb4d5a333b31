import { describe, expect, it } from 'vitest';
import { SAMPLE_CATEGORIES } from '../../../test/fixtures/sample-records.ts';
import type { JsonSchema } from '../../model/json-schema.ts';
import { renderSchema, shippedSchemas } from './shipped-schemas.ts';

const schemas = shippedSchemas();
const properties = (schema: JsonSchema) => schema.properties as { [field: string]: JsonSchema };

describe('the schemas that are shipped', () => {
  it('are one for each category, the base, and the configuration', () => {
    expect(Object.keys(schemas).sort()).toEqual([
      'base.schema.json',
      'constraint.schema.json',
      'decision.schema.json',
      'memory-config.schema.json',
      'preference.schema.json',
      'runbook.schema.json',
      'session-summary.schema.json',
      'tech-debt.schema.json',
    ]);
    for (const schema of Object.values(schemas)) expect(schema.$schema).toContain('2020-12');
  });

  it('take no unknown field, neither around the content nor in it', () => {
    for (const name of SAMPLE_CATEGORIES) {
      const schema = schemas[`${name.replaceAll('_', '-')}.schema.json`]!;
      expect(schema.additionalProperties).toBe(false);
      expect(properties(schema).content!.additionalProperties).toBe(false);
      expect(properties(schema).category).toEqual({ const: name });
    }
  });

  it('have a base that allows every category and any content', () => {
    const base = schemas['base.schema.json']!;
    expect(properties(base).category).toEqual({ enum: [...SAMPLE_CATEGORIES] });
    expect(properties(base).content).toEqual({ type: 'object' });
    expect(base.additionalProperties).toBe(false);
    expect(properties(base).title).toMatchObject({ maxLength: 120 });
  });

  it('are written as JSON with a line break at the end', () => {
    const text = renderSchema(schemas['base.schema.json']!);
    expect(JSON.parse(text)).toEqual(schemas['base.schema.json']);
    expect(text.endsWith('}\n')).toBe(true);
  });
});
