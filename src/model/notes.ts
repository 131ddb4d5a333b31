// The kinds of notes: linked Markdown files, each kind with its folder, its id, its states and the sections of its body.

export const NOTE_TYPES = ['file-summary', 'decision', 'discovery', 'session', 'task', 'error'] as const;
export type NoteType = (typeof NOTE_TYPES)[number];

export type NoteKind = {
  readonly type: NoteType;
  /** Below `nodes/`. */
  readonly folder: string;
  /** Every id begins with this and a dash. */
  readonly prefix: string;
  /** What its title begins with: `# Decision: …`; a file summary is headed by its path alone. */
  readonly heading: string;
  readonly statuses: readonly string[];
  readonly firstStatus: string;
  /** Front-matter fields besides the common ones. */
  readonly fields: readonly string[];
  /** The sections of a new note, in order. */
  readonly sections: readonly string[];
  /** The section that says it in one sentence. */
  readonly gist: string;
};

const LIFE = ['active', 'archived', 'superseded'] as const;

export const NOTE_KINDS: readonly NoteKind[] = [
  {
    type: 'file-summary',
    folder: 'files',
    prefix: 'file',
    heading: '',
    statuses: LIFE,
    firstStatus: 'active',
    fields: ['path', 'file_size', 'line_count', 'language'],
    sections: ['Purpose', 'Key Exports', 'Dependencies', 'Patterns', 'Notes'],
    gist: 'Purpose',
  },
  {
    type: 'decision',
    folder: 'decisions',
    prefix: 'decision',
    heading: 'Decision',
    statuses: ['proposed', ...LIFE],
    firstStatus: 'active',
    fields: ['supersedes'],
    sections: ['Context', 'Decision', 'Alternatives Considered', 'Consequences', 'Implementation'],
    gist: 'Decision',
  },
  {
    type: 'discovery',
    folder: 'discoveries',
    prefix: 'discovery',
    heading: 'Discovery',
    statuses: LIFE,
    firstStatus: 'active',
    fields: ['category'],
    sections: ['Insight', 'Pattern Details', 'Where Used', 'Implications'],
    gist: 'Insight',
  },
  {
    type: 'session',
    folder: 'sessions',
    prefix: 'session',
    heading: 'Session',
    statuses: LIFE,
    firstStatus: 'active',
    fields: ['session_id', 'duration_minutes', 'message_count'],
    sections: [
      'Summary',
      'Tasks Completed',
      'Tasks In Progress',
      'Key Decisions Made',
      'Fixes',
      'Left Open',
      'Preferences',
      'Commits',
      'Files Modified',
      'Discoveries',
      'Notes',
    ],
    gist: 'Summary',
  },
  {
    type: 'task',
    folder: 'tasks',
    prefix: 'task',
    heading: 'Task',
    statuses: ['active', 'pending', 'in_progress', 'completed', 'cancelled', 'archived', 'superseded'],
    firstStatus: 'pending',
    fields: ['session_id'],
    sections: ['Description', 'Root Cause', 'Solution', 'Blockers Encountered', 'Completion Notes'],
    gist: 'Description',
  },
  {
    type: 'error',
    folder: 'errors',
    prefix: 'error',
    heading: 'Error',
    statuses: ['active', 'resolved', 'archived', 'superseded'],
    firstStatus: 'active',
    fields: ['session_id'],
    sections: ['Error Message', 'Cause', 'Solution', 'Prevention'],
    gist: 'Solution',
  },
];

export const NODES_FOLDER = 'nodes';
export const NOTE_ID_MAX = 120;
/** Ids are file names: plain, so that they are the same on every system and in every link. */
export const NOTE_ID = /^[a-z0-9][a-z0-9._-]{0,119}$/i;

export function noteKind(type: string): NoteKind | undefined {
  return NOTE_KINDS.find((kind) => kind.type === type);
}

/** The kind whose folder it is. */
export function noteKindOfFolder(folder: string): NoteKind | undefined {
  return NOTE_KINDS.find((kind) => kind.folder === folder);
}
