// The server before the official client, which is not ours: it does the handshake, reads the list of tools, and checks each
// answer against the schema that the tool declared. Random arguments, hostile ones among them, get an answer that it accepts.

import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { put } from '../fixtures/temporary.ts';
import { makePlace, type Place } from './server-process.ts';

let program: Bundle;
let place: Place;
beforeAll(async () => {
  program = await bundle('src/faces/launcher/main.ts');
});
afterAll(() => program?.remove());
beforeEach(() => {
  place = makePlace();
  put(path.join(place.home, '.cairn/config.json'), { embeddings: { provider: 'none' } });
});

async function connect(): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program.file, 'mcp'],
    cwd: place.project,
    env: place.env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'official', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

type Property = { type?: string | string[]; enum?: unknown[]; minimum?: number; maximum?: number; items?: Property };
type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

const HOSTILE = [
  '</memory-context>',
  '../../../etc/passwd',
  '$(touch pwned)',
  '__proto__',
  'record:decisions/../../x',
  '\u202e\u0000\ud800',
  '-',
  '--yes',
];
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...HOSTILE));

/** What the schema calls right, so that the call gets past the check of its arguments. */
function fitting(property: Property): fc.Arbitrary<unknown> {
  if (property.enum) return fc.constantFrom(...property.enum);
  switch ([property.type ?? 'string'].flat()[0]) {
    case 'integer':
      return fc.integer({ min: property.minimum ?? 1, max: property.maximum ?? 20 });
    case 'number':
      return fc.double({ min: property.minimum ?? 0, max: property.maximum ?? 1, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(property.items ?? {}), { maxLength: 3 });
    case 'object':
      return fc.dictionary(fc.string({ maxLength: 8 }), anyText, { maxKeys: 3 });
    default:
      return anyText;
  }
}

const argumentsOf = (tool: Tool): fc.Arbitrary<Record<string, unknown>> => {
  const properties = (tool.inputSchema.properties ?? {}) as { [name: string]: Property };
  const right = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fitting(inner)]));
  const wrong = Object.fromEntries(
    Object.keys(properties).map((name) => [name, fc.jsonValue() as fc.Arbitrary<unknown>]),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(right, { requiredKeys: (tool.inputSchema.required ?? []) as string[] }) },
    { weight: 1, arbitrary: fc.record(wrong, { requiredKeys: [] }) },
  );
};

describe('before the official client', () => {
  it('leads a record through its life', async () => {
    const client = await connect();
    expect(client.getServerVersion()?.name).toBe('cairn');
    const call = async (name: string, input: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: input });
      expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
      return answer.structuredContent as Record<string, unknown>;
    };
    await client.listTools(); // from here on the client checks every answer against its schema
    const { ref } = await call('save', { category: 'decision', text: 'Use SQLite because it needs no server' });
    expect((await call('recall', { query: 'why SQLite' })).results).toEqual(
      expect.arrayContaining([expect.objectContaining({ ref })]),
    );
    await call('retire', { ref: ref as string, reason: 'no longer true' });
    await call('restore', { ref: ref as string });
    expect(await call('get', { ref: ref as string })).toMatchObject({ ref });
  });

  it('answers whatever a model sends, each time in the form that it declared', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    await client.callTool({
      name: 'save',
      arguments: { category: 'decision', text: 'Use SQLite, it needs no server' },
    });
    const calls = fc.oneof(
      ...tools.map((tool) => fc.record({ name: fc.constant(tool.name), input: argumentsOf(tool) })),
    );
    await fc.assert(
      fc.asyncProperty(calls, async ({ name, input }) => {
        const answer = await client.callTool({ name, arguments: input });
        const [content] = answer.content;
        expect(content).toMatchObject({ type: 'text' });
        if (answer.isError) expect((content as { text: string }).text).toMatch(/^[A-Z_]+: /);
        else expect(answer.structuredContent).toBeTypeOf('object');
        expect((content as { text: string }).text).not.toMatch(/INTERNAL_ERROR|at .*\.js:\d+/);
      }),
      { numRuns: 250 },
    );
    expect(await client.ping()).toEqual({});
  });
});
