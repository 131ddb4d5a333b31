// The settings of what happens in the background: conversations, vectors, the model. Rows of the table in setting-table.ts.
// Whatever could send something away from this machine is the user's alone to set.

import type { Setting } from './setting.ts';

const EMBED_PROVIDERS = ['local', 'openai', 'none'] as const;
export type EmbedProvider = (typeof EMBED_PROVIDERS)[number];

const LLM_PROVIDERS = ['none', 'claude', 'anthropic', 'openai'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];

export const BACKGROUND_SETTINGS: readonly Setting[] = [
  {
    path: 'traces.enabled',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether conversations are indexed as they go on. `cairn backfill` works anyway.',
  },
  {
    path: 'traces.thinking',
    type: 'boolean',
    default: false,
    fromStrangers: 'off',
    description: 'Whether the thinking of the agent is indexed too.',
  },
  {
    path: 'traces.aliases',
    type: 'list',
    default: [],
    maxItems: 500,
    maxLength: 120,
    description:
      'Names that mean the same thing, such as `pg=PostgreSQL`: the left one is counted and found as the right one.',
  },
  {
    path: 'traces.exclude',
    type: 'list',
    default: [],
    maxItems: 500,
    maxLength: 500,
    description:
      'Conversations that are kept out from the start, as patterns like those of `.gitignore`: of the folder where they began (`~/private`, `clients/`), of their project (`github.com/acme/*`), or of their transcript.',
  },
  {
    path: 'traces.archive_max_mb',
    type: 'integer',
    default: 2_048,
    min: 0,
    max: 1_000_000,
    userOnly: true,
    description:
      'How large the compressed copies of indexed transcripts may become; above it the oldest go. 0 keeps no copies.',
  },
  {
    path: 'embeddings.provider',
    type: 'enum',
    default: 'local',
    values: EMBED_PROVIDERS,
    userOnly: true,
    description: 'Who makes vectors: the model that is installed with Cairn, an OpenAI-compatible endpoint, or nobody.',
  },
  {
    path: 'embeddings.model',
    type: 'text',
    default: '',
    maxLength: 1_024,
    userOnly: true,
    description:
      'For `openai`: the name of the model (empty: `text-embedding-3-small`). For `local`: a folder with an ONNX model and its tokenizer (empty: the one that comes with Cairn).',
  },
  {
    path: 'embeddings.base_url',
    type: 'text',
    default: '',
    maxLength: 1_024,
    userOnly: true,
    description: 'Where the endpoint is (empty: `https://api.openai.com/v1`).',
  },
  {
    path: 'embeddings.dimensions',
    type: 'integer',
    default: 0,
    min: 0,
    max: 8_192,
    userOnly: true,
    description: 'How many numbers a vector of the endpoint shall have. 0 leaves it to the model.',
  },
  {
    path: 'embeddings.batch',
    type: 'integer',
    default: 64,
    min: 1,
    max: 2_048,
    userOnly: true,
    description: 'How many texts are sent to the endpoint at once.',
  },
  {
    path: 'embeddings.timeout_seconds',
    type: 'integer',
    default: 30,
    min: 1,
    max: 600,
    userOnly: true,
    description: 'How long one request to the endpoint may take.',
  },
  {
    path: 'llm.provider',
    type: 'enum',
    default: 'none',
    values: LLM_PROVIDERS,
    userOnly: true,
    description:
      'Who improves names, summaries and ideas of finished topics: nobody, your own `claude`, the Anthropic API, or an OpenAI-compatible endpoint.',
  },
  {
    path: 'llm.model',
    type: 'text',
    default: '',
    maxLength: 200,
    userOnly: true,
    description: 'The name of the model (empty: a small one of the provider).',
  },
  {
    path: 'llm.base_url',
    type: 'text',
    default: '',
    maxLength: 1_024,
    userOnly: true,
    description: "Where the endpoint is (empty: the provider's own).",
  },
  {
    path: 'llm.daily_calls',
    type: 'integer',
    default: 200,
    min: 0,
    max: 1_000_000,
    exact: true,
    userOnly: true,
    description: 'How many calls a day are made at most. Past it, Cairn goes on without the model. 0 makes none.',
  },
  {
    path: 'llm.daily_tokens',
    type: 'integer',
    default: 500_000,
    min: 0,
    max: 1_000_000_000,
    exact: true,
    userOnly: true,
    description: 'How many tokens a day, sent and received, are used at most. 0 uses none.',
  },
  {
    path: 'llm.timeout_seconds',
    type: 'integer',
    default: 60,
    min: 1,
    max: 600,
    userOnly: true,
    description: 'How long one call may take.',
  },
];
