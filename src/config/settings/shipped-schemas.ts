// The JSON Schemas under schemas/: one for each category, the common base, and the configuration. Generated from the
// same descriptions that the validator uses; a test holds the files equal to this.

import { CATEGORIES } from '../../model/categories.ts';
import { type JsonSchema, toJsonSchema } from '../../model/json-schema.ts';
import { recordSchema } from '../../model/record.ts';
import { configJsonSchema } from './settings-schema.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** File name → schema. */
export function shippedSchemas(): { [file: string]: JsonSchema } {
  const schemas: { [file: string]: JsonSchema } = { 'base.schema.json': baseSchema() };
  for (const category of CATEGORIES) {
    schemas[`${category.name.replaceAll('_', '-')}.schema.json`] = {
      $schema: DIALECT,
      title: `Cairn record: ${category.name}`,
      ...toJsonSchema(recordSchema(category)),
    };
  }
  schemas['memory-config.schema.json'] = configJsonSchema() as JsonSchema;
  return schemas;
}

/** What all categories have in common; `content` is any object here. */
function baseSchema(): JsonSchema {
  const [any] = CATEGORIES;
  const schema = any ? toJsonSchema(recordSchema(any)) : {};
  const properties = schema.properties as { [field: string]: JsonSchema };
  return {
    $schema: DIALECT,
    title: 'Cairn record',
    ...schema,
    properties: {
      ...properties,
      category: { enum: CATEGORIES.map((category) => category.name) },
      content: { type: 'object' },
    },
  };
}

export const renderSchema = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`;
