// Every setting of Cairn, described once: what it takes, its default, what it means, who may set it. The type of the settings, their
// reader, the names of the environment variables, the JSON Schema and the table in docs/CONFIG.md are all derived from this.
// To add a setting: an entry here, and `npm run schemas`.

import {
  boolean,
  choice,
  either,
  integer,
  list,
  literal,
  map,
  number,
  object,
  omittable,
  text,
} from '../../model/schema.ts';
import { type SettingTree, setting } from './setting.ts';

const MODEL_NAMES = ['haiku', 'sonnet', 'opus'] as const;
const A_CENTURY = 36_500;
/** Injected text must stay under 10,000 characters; a token is about four of them. */
const MOST_TOKENS = 2_500;

/** Also the rule for the names of fields. `constructor` is found on every object. */
export const NAME_PATTERN = '^(?!(?:constructor|prototype)$)[a-z][a-z0-9_]{0,39}$';
/** `nodes` holds the notes; the others are device names on Windows, where such a folder cannot be made. */
export const FOLDER = {
  source: '^(?!(?:nodes|con|prn|aux|nul|com[0-9]|lpt[0-9])$)[a-z0-9][a-z0-9-]{0,63}$',
  says: 'a folder name of lower-case letters, digits and "-" that is not reserved',
};

/** Texts of one line each. */
const lines = (maxItems: number, maxLength: number) =>
  list(text({ line: true, maxLength }), { maxItems, unique: true });

/** What a field of a custom category holds: a text, a list of texts, or one of the given words. */
const fieldType = either(
  literal('text'),
  literal('list'),
  list(text({ line: true, maxLength: 40 }), { minItems: 1, maxItems: 30, unique: true }),
);

/** Phrases of one category. Primary ones make a line evidence, boosters strengthen it. */
const phrases = omittable(list(text({ line: true, maxLength: 80 }), { maxItems: 200 }));

/** Switched off by a project that nobody agreed to, it can only make Cairn do less. */
const MAY_SWITCH_OFF = { fromStrangers: 'off' } as const;
/** What could send something away from this machine, or lead a memory elsewhere, is the user's alone to set. */
/** What could send something away from this machine, or lead a memory elsewhere, is the user's alone to set. */
const USER_ONLY = { userOnly: true } as const;

export const SETTING_TREE = {
  memory_root: setting(
    'Where the memory lives, relative to the project. A project file may only name a folder inside the project, or one that `allowed_roots` lists.',
    text({ line: true, maxLength: 1_024, says: 'a path' }),
    '.claude/memory',
    { fromStrangers: 'any' },
  ),
  allowed_roots: setting(
    'Folders outside a project that its `memory_root` may name, with all that is below them. Absolute, or starting with `~/`.',
    lines(100, 1024),
    [],
    USER_ONLY,
  ),
  trust: setting(
    "Whose memory you are asked about before it is injected (`cairn trust`): that of git repositories that came with one, that of every folder, or nobody's.",
    choice(['repositories', 'always', 'never']),
    'repositories',
    USER_ONLY,
  ),
  categories: {
    '*': {
      enabled: setting(
        'Whether new memories of this category are saved. What exists is kept.',
        boolean(),
        true,
        MAY_SWITCH_OFF,
      ),
      folder: setting(
        'The folder below the memory root: lower-case letters, digits and `-`. Two categories cannot share one, and `nodes` belongs to the notes.',
        text({ pattern: FOLDER }),
        undefined,
        {
          defaults: {
            session_summary: 'sessions',
            decision: 'decisions',
            runbook: 'runbooks',
            constraint: 'constraints',
            tech_debt: 'tech-debt',
            preference: 'preferences',
          },
          fromStrangers: 'any',
        },
      ),
      auto_capture: setting(
        'Whether triage may propose this category at the end of a turn. Saving by hand always works.',
        boolean(),
        true,
        MAY_SWITCH_OFF,
      ),
      retention_days: setting(
        'Days without an update after which `cairn index --gc` retires a memory. 0 keeps it for good.',
        integer({ min: 0, max: A_CENTURY }),
        0,
        { defaults: { session_summary: 90 } },
      ),
      description: setting(
        'What the category is for. Words of it help to find its memories.',
        text({ maxLength: 500 }),
        '',
      ),
      max_retained: setting(
        'How many session summaries stay active; the oldest above it are retired. 0 keeps all.',
        integer({ min: 0, max: 10_000 }),
        5,
        { only: 'session_summary' },
      ),
      fields: setting(
        'What a memory of this category holds: field names with `"text"`, `"list"`, or a list of the allowed words.',
        map(fieldType, {
          keys: NAME_PATTERN,
          minItems: 1,
          maxItems: 30,
          says: 'an object of 1 to 30 fields such as {"summary": "text", "steps": "list", "state": ["open", "done"]}',
        }),
        undefined,
        { only: 'custom', fromStrangers: 'any' },
      ),
      required: setting('Which of the `fields` must be there.', lines(30, 40), undefined, {
        only: 'custom',
        fromStrangers: 'any',
      }),
    },
  },
  auto_commit: setting(
    'Whether each change of the memory is committed to git, the files of the memory root alone.',
    boolean(),
    false,
  ),
  max_memories_per_category: setting(
    'How many active memories a category may hold. 0 sets no limit.',
    integer({ min: 0, max: 1_000_000 }),
    100,
  ),
  retrieval: {
    enabled: setting('Whether memories are added to prompts.', boolean(), true, MAY_SWITCH_OFF),
    max_inject: setting(
      'How many memories are added to a prompt at most. 0 adds none.',
      integer({ min: 0, max: 20 }),
      5,
    ),
    match_strategy: setting(
      'How memories are found for a prompt: by all strategies together, or by the words of titles and tags.',
      choice(['title_tags', 'hybrid']),
      'hybrid',
    ),
  },
  triage: {
    enabled: setting(
      'Whether the end of a turn is looked at for something worth saving.',
      boolean(),
      true,
      MAY_SWITCH_OFF,
    ),
    mode: setting(
      '`evidence` judges the finished exchange by what was decided and done in it, prepares a draft and asks in one line, seldom; `keywords` scores the words of the last messages.',
      choice(['evidence', 'keywords']),
      'evidence',
    ),
    max_messages: setting(
      'How many of the last messages triage reads (`keywords`).',
      integer({ min: 10, max: 200 }),
      50,
    ),
    thresholds: {
      '*': setting(
        'The score from which triage proposes this category (`keywords`).',
        number({ min: 0, max: 1 }),
        0.5,
        {
          defaults: {
            decision: 0.4,
            runbook: 0.4,
            constraint: 0.5,
            tech_debt: 0.4,
            preference: 0.4,
            session_summary: 0.6,
          },
        },
      ),
    },
    vocabulary: setting(
      'Phrases that triage looks for besides its own: `{"en": {"decision": {"primary": ["settled on"], "boosters": ["so that"]}}}`.',
      map(map(object({ primary: phrases, boosters: phrases }), { keys: NAME_PATTERN }), {
        keys: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$',
        maxItems: 20,
        says: 'an object of languages with phrases for each category, such as {"en": {"decision": {"primary": ["settled on"]}}}',
      }),
      {},
      { partly: true },
    ),
    parallel: {
      enabled: setting('Whether drafts of several categories are written by subagents side by side.', boolean(), true),
      category_models: {
        '*': setting('The model that drafts memories of this category.', choice(MODEL_NAMES), undefined, {
          defaults: {
            session_summary: 'haiku',
            decision: 'sonnet',
            runbook: 'haiku',
            constraint: 'sonnet',
            tech_debt: 'haiku',
            preference: 'haiku',
          },
        }),
      },
      verification_model: setting('The model that checks the drafts.', choice(MODEL_NAMES), 'sonnet'),
      default_model: setting('The model for categories that have none of their own.', choice(MODEL_NAMES), 'haiku'),
    },
  },
  delete: {
    grace_period_days: setting(
      'Days that a retired memory is kept before `cairn index --gc` removes it. 0 removes it at the next run. Anything but a whole number from 0 is refused, because the nearest one would delete at once.',
      integer({ min: 0, max: A_CENTURY }),
      30,
      { exact: true },
    ),
    archive_retired: setting('Whether `cairn index --gc` keeps a copy of what it removes.', boolean(), true),
  },
  capture: {
    enabled: setting(
      'Whether notes are made from what the tools did: file summaries, tasks, findings of subagents, errors.',
      boolean(),
      true,
      MAY_SWITCH_OFF,
    ),
    auto_summarize_threshold_kb: setting(
      'From which size a file that was read gets a summary note.',
      integer({ min: 0, max: 10_240 }),
      50,
    ),
    auto_summarize_languages: setting('The languages whose files are summarised.', lines(50, 40), [
      'typescript',
      'javascript',
      'python',
      'go',
    ]),
    commit_sessions: setting(
      'Whether session notes are for committing. If not, the `.gitignore` of the memory names them, `auto_commit` leaves them out, and index.md shows their days alone.',
      boolean(),
      false,
      MAY_SWITCH_OFF,
    ),
    exclude: setting(
      'Files that are never summarised, as patterns such as `legacy/**` or `*.sql`. Secrets, keys and what `.gitignore` hides are left out anyway.',
      lines(200, 200),
      [],
    ),
    capture_todos: setting('Whether tasks become task notes.', boolean(), true, MAY_SWITCH_OFF),
    capture_subagent_results: setting(
      'Whether the findings of subagents become discovery notes.',
      boolean(),
      true,
      MAY_SWITCH_OFF,
    ),
  },
  injection: {
    session_start_max_tokens: setting(
      'The budget of the context at the start of a session.',
      integer({ min: 0, max: MOST_TOKENS }),
      500,
    ),
    prompt_max_tokens: setting(
      'The budget of what is added to one prompt.',
      integer({ min: 0, max: MOST_TOKENS }),
      1_000,
    ),
    session_max_tokens: setting(
      'How much is added to the prompts of one conversation in all. 0 sets no limit.',
      integer({ min: 0, max: 1_000_000 }),
      6_000,
    ),
    max_nodes_per_query: setting('How many notes are added to one prompt at most.', integer({ min: 0, max: 20 }), 5),
    other_projects: setting(
      'Whether a prompt that nothing here is about may be told one line that was said in another project. It says which.',
      boolean(),
      false,
      USER_ONLY,
    ),
  },
  retention: {
    max_nodes: setting(
      'How many notes are kept; above it they are pruned. 0 sets no limit.',
      integer({ min: 0, max: 1_000_000 }),
      500,
    ),
    session_archive_days: setting(
      'Days after which a session note is archived. 0 archives none.',
      integer({ min: 0, max: A_CENTURY }),
      7,
    ),
    conversation_days: setting(
      'Days after its last word that a conversation is forgotten, as by `cairn forget --before`. 0 keeps conversations for good.',
      integer({ min: 0, max: A_CENTURY }),
      0,
      USER_ONLY,
    ),
    prune_strategy: setting(
      'Which notes are pruned first.',
      choice(['least_connected_oldest']),
      'least_connected_oldest',
    ),
  },
  graph: {
    rebuild_on_change: setting(
      'Whether the graph cache follows each change, or waits for the next query.',
      boolean(),
      true,
    ),
    cache_ttl_seconds: setting(
      'For how long the graph cache is believed without looking at the files.',
      integer({ min: 0, max: 86_400 }),
      300,
    ),
  },
  traces: {
    enabled: setting(
      'Whether conversations are indexed as they go on. `cairn backfill` works anyway.',
      boolean(),
      true,
      MAY_SWITCH_OFF,
    ),
    thinking: setting('Whether the thinking of the agent is indexed too.', boolean(), false, MAY_SWITCH_OFF),
    aliases: setting(
      'Names that mean the same thing, such as `pg=PostgreSQL`: the left one is counted and found as the right one.',
      lines(500, 120),
      [],
    ),
    exclude: setting(
      'Conversations that are kept out from the start, as patterns like those of `.gitignore`: of the folder where they began (`~/private`, `clients/`), of their project (`github.com/acme/*`), or of their transcript.',
      lines(500, 500),
      [],
    ),
    commits: setting(
      "How many commits of the repository's own log are searched with the conversations, the newest; 0 for none.",
      integer({ min: 0, max: 20_000 }),
      2_000,
    ),
    archive_max_mb: setting(
      'How large the compressed copies of indexed transcripts may become; above it the oldest go. 0 keeps no copies.',
      integer({ min: 0, max: 1_000_000 }),
      2_048,
      USER_ONLY,
    ),
  },
  store: {
    url: setting(
      'Where the rows of the memory live: empty for the SQLite file of this machine, or a PostgreSQL server such as `postgres://alice@db.example.com/cairn`, without a password (docs/TEAM.md).',
      text({ maxLength: 1_024 }),
      '',
      USER_ONLY,
    ),
  },
  team: {
    share: {
      projects: setting(
        'On a server: the projects of which others of the team may have statements, as patterns of their names (`github.com/acme/*`). None is shared by itself.',
        lines(200, 300),
        [],
        USER_ONLY,
      ),
      kinds: setting(
        'Which kinds of statements of those projects are shared: of `decision`, `solution`, `conclusion`, `problem`, `question`, `todo`. Lines of a conversation never are.',
        lines(6, 40),
        ['decision', 'solution', 'conclusion'],
        USER_ONLY,
      ),
    },
  },
  embeddings: {
    provider: setting(
      'Who makes vectors: the model that is installed with Cairn, an OpenAI-compatible endpoint, or nobody.',
      choice(['local', 'openai', 'none']),
      'local',
      USER_ONLY,
    ),
    model: setting(
      'For `openai`: the name of the model (empty: `text-embedding-3-small`). For `local`: a folder with an ONNX model and its tokenizer (empty: the one that comes with Cairn).',
      text({ maxLength: 1_024 }),
      '',
      USER_ONLY,
    ),
    base_url: setting(
      'Where the endpoint is (empty: `https://api.openai.com/v1`).',
      text({ maxLength: 1_024 }),
      '',
      USER_ONLY,
    ),
    dimensions: setting(
      'How many numbers a vector of the endpoint shall have. 0 leaves it to the model.',
      integer({ min: 0, max: 8_192 }),
      0,
      USER_ONLY,
    ),
    batch: setting('How many texts are sent to the endpoint at once.', integer({ min: 1, max: 2_048 }), 64, USER_ONLY),
    timeout_seconds: setting(
      'How long one request to the endpoint may take.',
      integer({ min: 1, max: 600 }),
      30,
      USER_ONLY,
    ),
  },
  llm: {
    provider: setting(
      'Who improves names, summaries and ideas of finished topics: nobody, your own `claude`, the Anthropic API, or an OpenAI-compatible endpoint.',
      choice(['none', 'claude', 'anthropic', 'openai']),
      'none',
      USER_ONLY,
    ),
    model: setting(
      'The name of the model (empty: a small one of the provider).',
      text({ maxLength: 200 }),
      '',
      USER_ONLY,
    ),
    base_url: setting("Where the endpoint is (empty: the provider's own).", text({ maxLength: 1_024 }), '', USER_ONLY),
    daily_calls: setting(
      'How many calls a day are made at most. Past it, Cairn goes on without the model. 0 makes none.',
      integer({ min: 0, max: 1_000_000 }),
      200,
      { exact: true, userOnly: true },
    ),
    daily_tokens: setting(
      'How many tokens a day, sent and received, are used at most. 0 uses none.',
      integer({ min: 0, max: 1_000_000_000 }),
      500_000,
      { exact: true, userOnly: true },
    ),
    timeout_seconds: setting('How long one call may take.', integer({ min: 1, max: 600 }), 60, USER_ONLY),
  },
} satisfies SettingTree;
