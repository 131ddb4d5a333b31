// All tools, in the order that clients show them.

import type { Tool } from './tool.ts';
import { blameTool } from './tools/blame.ts';
import { feedbackTool } from './tools/feedback.ts';
import { forgetTool } from './tools/forget.ts';
import { inboxTool } from './tools/inbox.ts';
import { archiveTool, restoreTool, retireTool } from './tools/lifecycle.ts';
import { overviewTool } from './tools/overview.ts';
import { candidatesTool, getTool, relatedTool, statusTool, topicsTool } from './tools/read.ts';
import { recallTool } from './tools/recall.ts';
import { saveDraftTool, saveTool, updateTool } from './tools/save.ts';
import { settleTool } from './tools/settle.ts';

export const TOOLS: readonly Tool[] = [
  recallTool,
  saveTool,
  saveDraftTool,
  getTool,
  updateTool,
  retireTool,
  archiveTool,
  restoreTool,
  candidatesTool,
  relatedTool,
  overviewTool,
  settleTool,
  blameTool,
  inboxTool,
  topicsTool,
  statusTool,
  feedbackTool,
  forgetTool,
];
