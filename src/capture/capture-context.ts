// What every kind of capture needs to know about where it is: the vault, the project, the session and the settings.

import type { Settings } from '../config/settings/settings.ts';
import type { NoteType } from '../model/notes.ts';
import type { Vault } from '../notes/edit-note.ts';

export type CaptureSettings = Settings['capture'] & {
  /** Patterns of files that are never summarised, as `.gitignore` writes them, from the project's root. */
  readonly exclude?: readonly string[];
};

export type CaptureContext = {
  readonly vault: Vault;
  readonly projectRoot: string;
  readonly userRoot: string;
  readonly home: string;
  /** Where the client was when it called the tool: what a relative path starts from. */
  readonly cwd: string;
  readonly sessionId: string | undefined;
  /** The subagent in which it happened. */
  readonly agentId: string | undefined;
  /** How much of the transcript was looked through for secrets: the next event goes on from there. */
  readonly transcriptRead?: number | undefined;
  readonly settings: CaptureSettings;
};

/** The note that an event made or changed. */
export type Captured = {
  readonly id: string;
  readonly type: NoteType;
  readonly file: string;
  readonly created: boolean;
};
