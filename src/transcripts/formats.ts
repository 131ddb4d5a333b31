// Which format the lines of a transcript have, by the name of its file. Only of formats whose lines can be parsed one by one: a plain
// export (Markdown) says who speaks once, for all lines that follow, so its end tells nothing without its beginning.

import { claudeCodeFormat } from './claude-code/line.ts';
import { codexFormat, isRollout } from './codex/line.ts';
import type { LineFormat } from './parsed-line.ts';

export const formatOf = (file: string): LineFormat => (isRollout(file) ? codexFormat : claudeCodeFormat);
