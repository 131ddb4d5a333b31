// Turns a schema of ours into a JSON Schema (draft 2020-12), so that editors and other programs check what Cairn checks.

import { patternOf, type Schema } from './schema.ts';

export type JsonSchema = { [key: string]: unknown };

export function toJsonSchema(schema: Schema): JsonSchema {
  const base = schema.describe ? { description: schema.describe } : {};
  const made = { ...base, ...body(schema) };
  return schema.optional === true ? { ...base, anyOf: [body(schema), { type: 'null' }] } : made;
}

function body(schema: Schema): JsonSchema {
  switch (schema.type) {
    case 'any':
      return {};
    case 'boolean':
      return { type: 'boolean' };
    case 'literal':
      return { const: schema.choices?.[0] };
    case 'choice':
      return { enum: schema.choices };
    case 'either':
      return { anyOf: schema.alternatives?.map(toJsonSchema) };
    case 'number':
    case 'integer':
      return { type: schema.type, ...pick({ minimum: schema.min, maximum: schema.max }) };
    case 'string':
      return {
        type: 'string',
        ...pick({ minLength: schema.minLength, maxLength: schema.maxLength, pattern: patternOf(schema) }),
      };
    case 'list':
      return {
        type: 'array',
        ...(schema.item ? { items: toJsonSchema(schema.item) } : {}),
        ...pick({ minItems: schema.minItems, maxItems: schema.maxItems, uniqueItems: schema.unique }),
      };
    case 'map':
      return {
        type: 'object',
        ...pick({ minProperties: schema.minItems, maxProperties: schema.maxItems }),
        ...(schema.keys ? { propertyNames: { pattern: schema.keys } } : {}),
        ...(schema.item ? { additionalProperties: toJsonSchema(schema.item) } : {}),
      };
    case 'object': {
      const fields = Object.entries(schema.fields ?? {});
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([key, inner]) => [key, toJsonSchema(inner)])),
        required: fields.filter(([, inner]) => !inner.optional).map(([key]) => key),
        ...(schema.open ? {} : { additionalProperties: false }),
      };
    }
  }
}

function pick(values: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
