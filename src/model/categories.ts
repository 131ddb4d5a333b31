// The six record categories and what each may hold. Everything that knows a category (validation, JSON Schemas, folders,
// index lines, excerpts, command-line choices) takes it from here.

import { boolean, choice, list, object, optional, type Schema, text } from './schema.ts';

const words = (describe?: string) => text(describe ? { describe } : {});
const lines = (describe?: string) => list(text(), describe ? { describe } : {});
const someLines = (describe?: string) => list(text(), { minItems: 1, ...(describe ? { describe } : {}) });

const decisionContent = object({
  status: choice(['proposed', 'accepted', 'deprecated', 'superseded'], 'Where the decision stands.'),
  context: words('The situation that asked for a decision.'),
  decision: words('What was decided.'),
  alternatives: optional(list(object({ option: text(), rejected_reason: text() }))),
  rationale: someLines('Why, one reason a line.'),
  consequences: optional(lines('What follows from it.')),
});

const sessionSummaryContent = object({
  goal: words('What the session set out to do.'),
  outcome: choice(['success', 'partial', 'blocked', 'abandoned']),
  completed: lines('What was finished.'),
  in_progress: optional(lines()),
  blockers: optional(lines()),
  next_actions: lines('What comes next.'),
  key_changes: optional(lines()),
});

const runbookContent = object({
  trigger: words('What one sees when this runbook applies.'),
  symptoms: optional(lines()),
  steps: someLines('What to do, in order.'),
  verification: words('How to tell that it worked.'),
  root_cause: optional(text()),
  environment: optional(text()),
});

const constraintContent = object({
  kind: choice(['limitation', 'gap', 'policy', 'technical']),
  rule: words('What cannot be done, or must be.'),
  impact: someLines('What it means for the work.'),
  workarounds: optional(lines()),
  severity: choice(['high', 'medium', 'low']),
  active: boolean('False once the constraint no longer holds.'),
  expires: optional(text({ describe: 'When it ends, if that is known.' })),
});

const techDebtContent = object({
  status: choice(['open', 'in_progress', 'resolved', 'wont_fix']),
  priority: choice(['critical', 'high', 'medium', 'low']),
  description: words('What is owed.'),
  reason_deferred: words('Why it was put off.'),
  impact: optional(lines()),
  suggested_fix: optional(lines()),
  acceptance_criteria: optional(lines()),
});

const preferenceContent = object({
  topic: words('What the preference is about.'),
  value: words('What is preferred.'),
  reason: words('Why.'),
  strength: choice(['strong', 'default', 'soft']),
  examples: optional(object({ prefer: optional(lines()), avoid: optional(lines()) })),
});

export type Category = {
  /** `decision`: the value of the record's `category` field and the name on the command line. */
  readonly name: string;
  /** `decisions`: the folder below the memory root. */
  readonly folder: string;
  /** `DECISION`: how index lines show it. */
  readonly display: string;
  /** Order among equally good matches; lower comes first. */
  readonly priority: number;
  readonly content: Schema;
  /** The content fields that an excerpt shows. */
  readonly keyFields: readonly string[];
  /** May a record be retired because a hook, and not a person, asked for it? */
  readonly deletableByHook: boolean;
  readonly custom: boolean;
};

type BuiltIn = Omit<Category, 'display' | 'custom'>;
const builtIn = (category: BuiltIn): Category => ({ ...category, display: category.name.toUpperCase(), custom: false });

export const CATEGORIES: readonly Category[] = [
  builtIn({
    name: 'session_summary',
    folder: 'sessions',
    priority: 6,
    content: sessionSummaryContent,
    keyFields: ['goal', 'outcome'],
    deletableByHook: false,
  }),
  builtIn({
    name: 'decision',
    folder: 'decisions',
    priority: 1,
    content: decisionContent,
    keyFields: ['context', 'decision', 'rationale'],
    deletableByHook: false,
  }),
  builtIn({
    name: 'runbook',
    folder: 'runbooks',
    priority: 4,
    content: runbookContent,
    keyFields: ['trigger', 'root_cause'],
    deletableByHook: true,
  }),
  builtIn({
    name: 'constraint',
    folder: 'constraints',
    priority: 2,
    content: constraintContent,
    keyFields: ['rule', 'impact'],
    deletableByHook: true,
  }),
  builtIn({
    name: 'tech_debt',
    folder: 'tech-debt',
    priority: 5,
    content: techDebtContent,
    keyFields: ['description', 'reason_deferred'],
    deletableByHook: true,
  }),
  builtIn({
    name: 'preference',
    folder: 'preferences',
    priority: 3,
    content: preferenceContent,
    keyFields: ['topic', 'value', 'reason'],
    deletableByHook: false,
  }),
];
