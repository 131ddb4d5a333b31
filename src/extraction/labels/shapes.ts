// What a statement looks like, asked of its text alone: marks, openings, and words that stand for what somebody does by saying it.

import { named } from './names.ts';

/** What a statement looks like. `bare`: asked of the text without marks of emphasis. */
export const SHAPES: readonly (readonly [name: string, pattern: RegExp, bare?: 'bare'])[] = [
  ['asks', /\?\s*[)*"'”]*$|？\s*$/],
  ['question mark', /\?|？/],
  ['colon', /[:：]\s*\**$/],
  ['bold', /\*\*/],
  ['bold start', /^\*\*/],
  ['code', /`/],
  ['path', /[\w/-]\.(?:tsx?|jsx?|go|py|md|json|rs|ya?ml|sql|sh|css|html)\b/],
  ['arrow', /→|->|=>/],
  ['dash', / — | -- | – /],
  ['tick', /✅|✓|✔|\[x\]/i],
  ['cross', /❌|✗|⚠/],
  ['digit', /\d/],
  [
    'announces',
    /^(?:let me|now |i'll|i will|let's|good|great|perfect|ok|okay|all \d+|next|first|looking|checking|running|done|i need to|i can see|i see|committed|pushed|both|here's|here is|here are|the tests? pass)\b/i,
    'bare',
  ],
  [
    'changed',
    /\b(?:fixed|added|updated|removed|changed|created|implemented|renamed|moved|replaced|registered|extracted|deleted|refactored|converted|wired|bumped|switched|dropped)\b/i,
  ],
  [
    'begins with a change',
    /^(?:\*\*)?(?:`[^`]+`(?:\*\*)?:? ?(?:—|-|–)? ?)?(?=)(?:fixed|added|updated|removed|changed|created|implemented|renamed|moved|replaced|registered|extracted|deleted|refactored|converted|wired|bumped|switched|dropped|new)\b/i,
  ],
  [
    'orders',
    /^(?:please |can you |could you |pls |and |also |then |ok |now )*(?:add|fix|remove|update|make|use|create|write|run|check|implement|investigate|review|change|move|do|don't|look|get|push|commit|merge|rebase|delete|rename|replace|extract|pass|import|export|wrap|set|insert|keep|show|hide|display|test|verify|ensure|open|click|start|stop|build|find|read|call|return|include|define|extend|convert|handle)\b/i,
    'bare',
  ],
  [
    'names work',
    /^(?:add|fix|remove|update|make|use|create|write|run|check|implement|change|move|delete|rename|replace|extract|pass|import|export|wrap|set|insert|keep|show|hide|display|ensure|call|return|include|define|extend|convert|handle)\b/i,
  ],
  [
    'negative',
    /\b(?:not|no|never|without|missing|fails?|failed|failing|error|bug|broken|wrong|issue|problem|cannot)\b|n't\b/i,
  ],
  ['reason', /\b(?:because|since|so that|due to|therefore|root cause|means|the reason|caused|this is why|so the)\b/i],
  ['should', /\b(?:should|shall|must)\b/i],
  ['hedges', /\b(?:may|might|could|would|seems?|maybe|perhaps|probably|possibly|wonder(?:ing)?|idea|thinking|if)\b/i],
  [
    'rules',
    /\b(?:always|never|must|only|instead|rather|prefer|from now on|no longer|no need|keep|stays?|don't|dont|do not|should not|shouldn't|not)\b/i,
  ],
  ['lets', /^(?:(?:ok|okay|yes|yeah|so|and|then|i think|also)[,. ]+)*let'?s\b/i, 'bare'],
  [
    'fault',
    /\b(?:fails?|failed|failing|error|errors|bug|broken|breaks?|crash\w*|wrong|stuck|missing|flaky|stale|leak\w*|silently|undefined|doesn't work|not working|isn't|aren't|never called|no longer)\b/i,
  ],
  [
    'symptom',
    /\b(?:i (?:get|see|saw|got)|getting|seeing|still|keeps?|shows?|displayed|appears?|happens?|whenever|when i)\b/i,
  ],
  ['will', /\b(?:will|going to|'ll)\b/i],
  ['let me', /\blet me\b/i],
  ['left', /\b(?:todo|remaining|still|pending|later|follow-up|not yet|outstanding|deferred|left to)\b/i],
  ['I', /\b(?:i|me|my)\b/i],
  ['we', /\b(?:we|our|us)\b/i],
  ['you', /\b(?:you|your)\b/i],
  [
    'agrees',
    /^(?:yes|yeah|yep|yup|ok|okay|sure|go ahead|sounds good|perfect|great|lets|let's|correct|right|agreed)\b/i,
    'bare',
  ],
  ['refuses', /^(?:no|nope|nah|don't|do not|not)\b/i, 'bare'],
  ['wants', /\b(?:i want|i'd like|i would like|i prefer|i think|i feel|we want|we need|want to)\b/i],
  ['can you', /^(?:can|could|would|will) (?:you|we|i)\b/i, 'bare'],
  [
    'question word',
    /^(?:so |and |but |ok |also )*(?:what|why|how|when|where|which|who|is|are|do|does|did|should|can|could|would|will|have|has)\b/i,
    'bare',
  ],
  [
    'checks pass',
    /\b(?:tests?|lint|typecheck|type-check|build|compil\w+|types?)\b.*\b(?:pass\w*|clean\w*|succe\w+|green|ok)\b|\ball \d* ?(?:tests?|checks?)/i,
  ],
  ['commit', /\b(?:commit\w*|pushed|push|merged|branch|pr|pull request)\b/i],
  ['command', /^`?(?:bun|npm|pnpm|yarn|npx|cargo|go|git|docker|make|cd|curl|python3?|node|gh)\b/],
  ['address', /https?:\/\//],
  ['output', /^\s*at |^\s*\d+:\d+\s|^\[?\d{4}-\d\d-\d\d|^\d\d:\d\d:\d\d|Error:|^\s*[>$]\s/],
  ['brackets', /\([^)]*\)/],
  ['quotes', /["“][^"”]{3,}["”]/],
  ['was', /\b(?:was|were|had)\b/i],
  ['is', /\b(?:is|are|has|have)\b/i],
  ['all', /\b(?:only|just|both|each|every|all)\b/i],
  [
    'has to be',
    /\b(?:should|must|shall|will|ha(?:s|ve) to|needs? to|can|may) (?:(?:not|never|always|only|also|just) )?be\b/i,
  ],
  ['wanted', /\b(?:we|it|this|that|they|users?|there) (?:should|must|shall|needs?|ha(?:s|ve) to|wants?|will)\b/i],
  [
    'stays',
    /\b(?:stays?|remains?|unchanged|as[- ]is|keep(?:s|ing)?|kept|no changes?|no new|not needed|no need|none needed)\b/i,
  ],
  [
    'requests',
    /\b(?:(?:can|could|would|will) (?:we|you)|please|pls|i need you|make sure|i'?d like you|help me|go ahead and)\b/i,
  ],
  ['lets anywhere', /\blet'?s\b/i],
  ['seems', /\b(?:(?:seems?|looks?|appears?|feels?) (?:like|that|to)|it seems|apparently)\b/i],
  [
    'muses',
    /\bjust (?:referring|playing|wondering|curious|thinking|asking|saying|checking|testing|noticed|saw|trying)\b/i,
  ],
  ['saw', /\b(?:(?:i|we) (?:see|saw|get|got|noticed?|found|ran|tried|have|had|just)|when i|now when)\b/i],
  [
    'prefers',
    /\b(?:prefer|rather|better (?:to|not)|instead|for now|no longer|do(?:n'?t| not) want|not going to|go(?:ing)? with|stick with|leave|skip|avoid|in favou?r|default)\b/i,
  ],
  ['some day', /\b(?:later|future|eventually|at some point|next (?:phase|release|time)|down the line)\b/i],
  [
    'operates',
    /\b(?:commit|push|merge|rebase|pull|branch|main|master|pr|checkout|switch|deploy|release|tag|restart|rerun|run)\b/i,
  ],
  ['opinion', /\b(?:i (?:think|feel|guess|believe)|i'd say|imo|honestly|probably|maybe|perhaps|might)\b/i],
  ['picks', /^\W*(?:option |number |#)?(?:\d{1,2}|[a-d])\b(?![.:]| (?:errors?|tests?|files?))/i],
  [
    'says yes',
    /^\W*(?:yes|yeah|yep|yup|sure|ok|okay|alright|sounds|perfect|great|definitely|absolutely|go for it|do it)\b/i,
  ],
];
export const SHAPE_NAMES = SHAPES.map(([name]) => named(name));
const shapeNumber = (name: string): number => SHAPES.findIndex(([each]) => each === name);
/** Asked of the statement before and behind too. */
export const BESIDE = ['asks', 'colon', 'announces', 'changed', 'orders', 'checks pass', 'negative'].map(shapeNumber);
export const AGREES = shapeNumber('agrees');
export const COMMITS = shapeNumber('commit');
export const ASKS = shapeNumber('asks');
