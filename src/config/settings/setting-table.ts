// Every setting of Cairn in one table: path, type, default, range, meaning, and who may set it. The defaults, the
// names of the environment variables, the JSON Schema and the table in docs/CONFIG.md are all derived from it.
// To add a setting: a row here, its place in the `Settings` type, and `npm run schemas`.

import { BACKGROUND_SETTINGS } from './background-settings.ts';
import type { Setting } from './setting.ts';

const MODEL_NAMES = ['haiku', 'sonnet', 'opus'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

const MATCH_STRATEGIES = ['title_tags', 'hybrid'] as const;
export type MatchStrategy = (typeof MATCH_STRATEGIES)[number];

const TRUST_SETTINGS = ['repositories', 'always', 'never'] as const;
export type TrustSetting = (typeof TRUST_SETTINGS)[number];

const PRUNE_STRATEGIES = ['least_connected_oldest'] as const;
export type PruneStrategy = (typeof PRUNE_STRATEGIES)[number];

const A_CENTURY = 36_500;
/** Injected text must stay under 10,000 characters; a token is about four of them. */
const MOST_TOKENS = 2_500;

export const SETTINGS: readonly Setting[] = [
  {
    path: 'memory_root',
    type: 'path',
    default: '.claude/memory',
    fromStrangers: 'any',
    description:
      'Where the memory lives, relative to the project. A project file may only name a folder inside the project, or one that `allowed_roots` lists.',
  },
  {
    path: 'allowed_roots',
    type: 'list',
    default: [],
    maxItems: 100,
    maxLength: 1024,
    userOnly: true,
    description:
      'Folders outside a project that its `memory_root` may name, with all that is below them. Absolute, or starting with `~/`.',
  },
  {
    path: 'trust',
    type: 'enum',
    default: 'repositories',
    values: TRUST_SETTINGS,
    userOnly: true,
    description:
      "Whose memory you are asked about before it is injected (`cairn trust`): that of git repositories that came with one, that of every folder, or nobody's.",
  },
  {
    path: 'categories.*.enabled',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether new memories of this category are saved. What exists is kept.',
  },
  {
    path: 'categories.*.folder',
    type: 'folder',
    defaults: {
      session_summary: 'sessions',
      decision: 'decisions',
      runbook: 'runbooks',
      constraint: 'constraints',
      tech_debt: 'tech-debt',
      preference: 'preferences',
    },
    fromStrangers: 'any',
    description:
      'The folder below the memory root: lower-case letters, digits and `-`. Two categories cannot share one, and `nodes` belongs to the notes.',
  },
  {
    path: 'categories.*.auto_capture',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether triage may propose this category at the end of a turn. Saving by hand always works.',
  },
  {
    path: 'categories.*.retention_days',
    type: 'integer',
    default: 0,
    defaults: { session_summary: 90 },
    min: 0,
    max: A_CENTURY,
    description: 'Days without an update after which `cairn index --gc` retires a memory. 0 keeps it for good.',
  },
  {
    path: 'categories.*.description',
    type: 'text',
    default: '',
    maxLength: 500,
    description: 'What the category is for. Words of it help to find its memories.',
  },
  {
    path: 'categories.session_summary.max_retained',
    type: 'integer',
    default: 5,
    min: 0,
    max: 10_000,
    description: 'How many session summaries stay active; the oldest above it are retired. 0 keeps all.',
  },
  {
    path: 'categories.*.fields',
    type: 'fields',
    only: 'custom',
    maxItems: 30,
    fromStrangers: 'any',
    description:
      'What a memory of this category holds: field names with `"text"`, `"list"`, or a list of the allowed words.',
  },
  {
    path: 'categories.*.required',
    type: 'list',
    only: 'custom',
    maxItems: 30,
    maxLength: 40,
    fromStrangers: 'any',
    description: 'Which of the `fields` must be there.',
  },
  {
    path: 'auto_commit',
    type: 'boolean',
    default: false,
    description: 'Whether each change of the memory is committed to git, the files of the memory root alone.',
  },
  {
    path: 'max_memories_per_category',
    type: 'integer',
    default: 100,
    min: 0,
    max: 1_000_000,
    description: 'How many active memories a category may hold. 0 sets no limit.',
  },
  {
    path: 'retrieval.enabled',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether memories are added to prompts.',
  },
  {
    path: 'retrieval.max_inject',
    type: 'integer',
    default: 5,
    min: 0,
    max: 20,
    description: 'How many memories are added to a prompt at most. 0 adds none.',
  },
  {
    path: 'retrieval.match_strategy',
    type: 'enum',
    default: 'hybrid',
    values: MATCH_STRATEGIES,
    description: 'How memories are found for a prompt: by all strategies together, or by the words of titles and tags.',
  },
  {
    path: 'triage.enabled',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether the end of a turn is looked at for something worth saving.',
  },
  {
    path: 'triage.max_messages',
    type: 'integer',
    default: 50,
    min: 10,
    max: 200,
    description: 'How many of the last messages triage reads.',
  },
  {
    path: 'triage.thresholds.*',
    type: 'number',
    default: 0.5,
    defaults: { decision: 0.4, runbook: 0.4, constraint: 0.5, tech_debt: 0.4, preference: 0.4, session_summary: 0.6 },
    min: 0,
    max: 1,
    description: 'The score from which triage proposes this category.',
  },
  {
    path: 'triage.vocabulary',
    type: 'vocabulary',
    default: {},
    maxItems: 20,
    maxLength: 80,
    description:
      'Phrases that triage looks for besides its own: `{"en": {"decision": {"primary": ["settled on"], "boosters": ["so that"]}}}`.',
  },
  {
    path: 'triage.parallel.enabled',
    type: 'boolean',
    default: true,
    description: 'Whether drafts of several categories are written by subagents side by side.',
  },
  {
    path: 'triage.parallel.category_models.*',
    type: 'enum',
    defaults: {
      session_summary: 'haiku',
      decision: 'sonnet',
      runbook: 'haiku',
      constraint: 'sonnet',
      tech_debt: 'haiku',
      preference: 'haiku',
    },
    values: MODEL_NAMES,
    description: 'The model that drafts memories of this category.',
  },
  {
    path: 'triage.parallel.verification_model',
    type: 'enum',
    default: 'sonnet',
    values: MODEL_NAMES,
    description: 'The model that checks the drafts.',
  },
  {
    path: 'triage.parallel.default_model',
    type: 'enum',
    default: 'haiku',
    values: MODEL_NAMES,
    description: 'The model for categories that have none of their own.',
  },
  {
    path: 'delete.grace_period_days',
    type: 'integer',
    default: 30,
    min: 0,
    max: A_CENTURY,
    exact: true,
    description:
      'Days that a retired memory is kept before `cairn index --gc` removes it. 0 removes it at the next run. Anything but a whole number from 0 is refused, because the nearest one would delete at once.',
  },
  {
    path: 'delete.archive_retired',
    type: 'boolean',
    default: true,
    description: 'Whether `cairn index --gc` keeps a copy of what it removes.',
  },
  {
    path: 'capture.enabled',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description:
      'Whether notes are made from what the tools did: file summaries, tasks, findings of subagents, errors.',
  },
  {
    path: 'capture.auto_summarize_threshold_kb',
    type: 'integer',
    default: 50,
    min: 0,
    max: 10_240,
    description: 'From which size a file that was read gets a summary note.',
  },
  {
    path: 'capture.auto_summarize_languages',
    type: 'list',
    default: ['typescript', 'javascript', 'python', 'go'],
    maxItems: 50,
    maxLength: 40,
    description: 'The languages whose files are summarised.',
  },
  {
    path: 'capture.commit_sessions',
    type: 'boolean',
    default: false,
    fromStrangers: 'off',
    description:
      'Whether session notes are for committing. If not, the `.gitignore` of the memory names them, `auto_commit` leaves them out, and index.md shows their days alone.',
  },
  {
    path: 'capture.exclude',
    type: 'list',
    default: [],
    maxItems: 200,
    maxLength: 200,
    description:
      'Files that are never summarised, as patterns such as `legacy/**` or `*.sql`. Secrets, keys and what `.gitignore` hides are left out anyway.',
  },
  {
    path: 'capture.capture_todos',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether tasks become task notes.',
  },
  {
    path: 'capture.capture_subagent_results',
    type: 'boolean',
    default: true,
    fromStrangers: 'off',
    description: 'Whether the findings of subagents become discovery notes.',
  },
  {
    path: 'injection.session_start_max_tokens',
    type: 'integer',
    default: 500,
    min: 0,
    max: MOST_TOKENS,
    description: 'The budget of the context at the start of a session.',
  },
  {
    path: 'injection.prompt_max_tokens',
    type: 'integer',
    default: 1_000,
    min: 0,
    max: MOST_TOKENS,
    description: 'The budget of what is added to one prompt.',
  },
  {
    path: 'injection.session_max_tokens',
    type: 'integer',
    default: 6_000,
    min: 0,
    max: 1_000_000,
    description: 'How much is added to the prompts of one conversation in all. 0 sets no limit.',
  },
  {
    path: 'injection.max_nodes_per_query',
    type: 'integer',
    default: 5,
    min: 0,
    max: 20,
    description: 'How many notes are added to one prompt at most.',
  },
  {
    path: 'retention.max_nodes',
    type: 'integer',
    default: 500,
    min: 0,
    max: 1_000_000,
    description: 'How many notes are kept; above it they are pruned. 0 sets no limit.',
  },
  {
    path: 'retention.session_archive_days',
    type: 'integer',
    default: 7,
    min: 0,
    max: A_CENTURY,
    description: 'Days after which a session note is archived. 0 archives none.',
  },
  {
    path: 'retention.conversation_days',
    type: 'integer',
    default: 0,
    min: 0,
    max: A_CENTURY,
    userOnly: true,
    description:
      'Days after its last word that a conversation is forgotten, as by `cairn forget --before`. 0 keeps conversations for good.',
  },
  {
    path: 'retention.prune_strategy',
    type: 'enum',
    default: 'least_connected_oldest',
    values: PRUNE_STRATEGIES,
    description: 'Which notes are pruned first.',
  },
  {
    path: 'graph.rebuild_on_change',
    type: 'boolean',
    default: true,
    description: 'Whether the graph cache follows each change, or waits for the next query.',
  },
  {
    path: 'graph.cache_ttl_seconds',
    type: 'integer',
    default: 300,
    min: 0,
    max: 86_400,
    description: 'For how long the graph cache is believed without looking at the files.',
  },
  ...BACKGROUND_SETTINGS,
];
