// The names that `cairn hook` knows: one for each event of the client, and the workers that they leave behind.

export const HOOK_EVENTS: readonly string[] = [
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'post-tool-use',
  'capture',
  'stop',
  'session-end',
  'session-end-worker',
  'sync-worker',
  'pre-compact',
  'index-worker',
  'vector-worker',
  'embed-worker',
  'read-worker',
];
