// What a tool is: a description that the client shows to the model, schemas of what goes in and comes out, and the work.
// Its answer is data with a short text beside it; what it could not do is an answer too, one that says what to do next.

import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { type JsonSchema, toJsonSchema } from '../../model/json-schema.ts';
import { type Infer, omittable, problemsOf, type Schema } from '../../model/schema.ts';
import type { ServerSession } from './server-session.ts';

/** `text` is for a model that reads, `data` for a program; both say the same. */
export type ToolAnswer = { readonly text: string; readonly data: JsonObject };

export type ToolTraits = {
  /** Changes nothing. */
  readonly reads?: true;
  /** Takes something out of sight. */
  readonly destroys?: true;
  /** Doing it twice is doing it once. */
  readonly repeats?: true;
  /** Its schema is in the first request instead of behind the client's search for tools. */
  readonly alwaysLoaded?: true;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly traits: ToolTraits;
  readonly input: Schema;
  readonly output: Schema;
  /** What to do next, where another sentence than that of all tools fits; by the code of the error. Empty: the error says it itself. */
  readonly hints?: { readonly [code: string]: string };
  run(input: unknown, session: ServerSession, signal: AbortSignal): Promise<ToolAnswer>;
};

type Definition<I extends Schema> = Omit<Tool, 'input' | 'run'> & {
  readonly input: I;
  run(input: Infer<I>, session: ServerSession, signal: AbortSignal): Promise<ToolAnswer> | ToolAnswer;
};

/** Binds the work to its schema: it sees only input that fits. */
export function defineTool<I extends Schema>(definition: Definition<I>): Tool {
  const { run, ...rest } = definition;
  return { ...rest, run: async (input, session, signal) => run(input as Infer<I>, session, signal) };
}

/** As `tools/list` shows it. */
export function describeTool({ name, title, description, traits, input, output }: Tool): JsonObject {
  const { reads = false, destroys = false, repeats = false } = traits;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    outputSchema: toJsonSchema(output),
    annotations: {
      title,
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: reads || repeats,
      openWorldHint: false,
    },
    ...(traits.alwaysLoaded ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

/** What may be left out is left out: that null would be taken too is not worth the words in every request. */
function inputSchema(input: Schema): JsonSchema {
  const fields = Object.entries(input.fields ?? {}).map(
    ([key, inner]) => [key, inner.optional ? omittable(inner) : inner] as const,
  );
  return toJsonSchema({ type: 'object', fields: Object.fromEntries(fields) });
}

const MAX_TOLD = 5;

/** One call, from the arguments as the client sent them to the result of `tools/call`. */
export async function callTool(
  tool: Tool,
  input: unknown,
  session: ServerSession,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    const given = withoutNull(input);
    const problems = problemsOf(tool.input, given);
    if (problems.length > 0)
      throw new CairnError('INPUT_ERROR', `${tool.name} was called with arguments that do not fit.`, {
        fix: problems
          .slice(0, MAX_TOLD)
          .map(({ fix }) => fix)
          .join(' '),
      });
    const { text, data } = await tool.run(given, session, signal);
    return { content: [{ type: 'text', text }], structuredContent: data };
  } catch (error) {
    return { content: [{ type: 'text', text: errorText(error, tool.hints) }], isError: true };
  }
}

/** Models send null for what they leave out. */
const withoutNull = (input: unknown): unknown =>
  isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : (input ?? {});

/** Said in the words of these tools, where the core speaks of the command line. */
const BY_TOOLS: { readonly [code: string]: string } = {
  OCC_CONFLICT: 'Call `get` for the record as it is now, then `update` with its hash.',
  CREATE_ERROR: 'Call `update` with the ref of the record that is there, or `save` with another title and "new": true.',
  ANTI_RESURRECTION_ERROR: 'Call `restore` with its ref, or `save` with another title.',
  NOT_FOUND: '`recall` finds memories with their refs.',
  VALIDATION_ERROR: 'Correct these fields and call the tool again.',
  LOCK_ERROR: 'Another session is writing. Try once more.',
  STORE_ERROR: 'Records and notes still work. Tell the user to run `cairn doctor`.',
};

export function errorText(error: unknown, hints: Tool['hints'] = {}): string {
  if (error instanceof CairnError) {
    const details = error.details.map(([name, value]) => `${name}: ${value}`);
    const hint = hints[error.code] ?? BY_TOOLS[error.code];
    return [
      `${error.code}: ${error.message}`,
      ...details,
      ...(error.fix ? [`Fix: ${error.fix}`] : []),
      ...(hint ? [`Here: ${hint}`] : []),
    ].join('\n');
  }
  const code = isSystemError(error) ? 'IO_ERROR' : 'INTERNAL_ERROR';
  return `${code}: ${messageOf(error)}\nFix: go on without memory; tell the user to run \`cairn doctor\`.`;
}
