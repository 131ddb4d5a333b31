// Values out of JSON that were not checked yet. What has a shape of its own is read with a schema: `parseAs` of schema.ts.

export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text says; `undefined`, which JSON cannot say, where it is none: half a line of a killed process, something foreign. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
