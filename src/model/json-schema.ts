// Turns a schema of ours into a JSON Schema (draft 2020-12), so that editors and other programs check what Cairn checks.

import { type Schema, TIMESTAMP_PATTERN } from './schema.ts';

export type JsonSchema = { [key: string]: unknown };

export function toJsonSchema(schema: Schema): JsonSchema {
  const base = schema.describe ? { description: schema.describe } : {};
  const made = { ...base, ...body(schema) };
  return schema.optional ? { ...base, anyOf: [body(schema), { type: 'null' }] } : made;
}

function body(schema: Schema): JsonSchema {
  switch (schema.type) {
    case 'any':
      return {};
    case 'boolean':
      return { type: 'boolean' };
    case 'literal':
      return { const: schema.choices![0] };
    case 'choice':
      return { enum: [...schema.choices!] };
    case 'number':
    case 'integer':
      return { type: schema.type, ...pick({ minimum: schema.min, maximum: schema.max }) };
    case 'string':
      return {
        type: 'string',
        ...pick({
          minLength: schema.minLength,
          maxLength: schema.maxLength,
          pattern: schema.pattern?.source ?? (schema.timestamp ? TIMESTAMP_PATTERN : undefined),
        }),
      };
    case 'list':
      return {
        type: 'array',
        items: toJsonSchema(schema.item!),
        ...pick({ minItems: schema.minItems, maxItems: schema.maxItems }),
      };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(schema.fields!).map(([key, inner]) => [key, toJsonSchema(inner)]),
        ),
        required: Object.entries(schema.fields!)
          .filter(([, inner]) => !inner.optional)
          .map(([key]) => key),
        additionalProperties: false,
      };
  }
}

function pick(values: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
