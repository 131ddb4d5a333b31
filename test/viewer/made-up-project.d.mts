// Types of made-up-project.mjs, which scripts without types use too.

export type MadeProject = {
  readonly base: string;
  readonly project: string;
  readonly home: string;
  readonly transcripts: string;
  readonly memory: string;
  readonly env: { readonly [name: string]: string };
};
export const BINARY: string;
export function makeProject(base: string, options?: { settings?: object; talks?: boolean }): MadeProject;
export function cairnEnv(base: string, home: string): { [name: string]: string };
export function cairn(made: MadeProject, args: readonly string[], input?: string): string;
