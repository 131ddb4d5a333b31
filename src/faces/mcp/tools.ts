// All tools, in the order that clients show them.

import type { Tool } from './tool.ts';
import { feedbackTool } from './tools/feedback.ts';
import { forgetTool } from './tools/forget.ts';
import { archiveTool, restoreTool, retireTool } from './tools/lifecycle.ts';
import { candidatesTool, getTool, relatedTool, statusTool, topicsTool } from './tools/read.ts';
import { recallTool } from './tools/recall.ts';
import { saveTool, updateTool } from './tools/save.ts';

export const TOOLS: readonly Tool[] = [
  recallTool,
  saveTool,
  getTool,
  updateTool,
  retireTool,
  archiveTool,
  restoreTool,
  candidatesTool,
  relatedTool,
  topicsTool,
  statusTool,
  feedbackTool,
  forgetTool,
];
