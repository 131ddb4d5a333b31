// English. These phrases are the scored contract, to the letter: whole words only, no plurals, no other forms.

import type { Language } from './words.ts';

export const en: Language = {
  decision: {
    primary: ['decided', 'chose', 'selected', 'went with', 'picked'],
    boosters: ['because', 'due to', 'reason', 'rationale', 'over', 'instead of', 'rather than'],
  },
  runbook: {
    primary: ['error', 'exception', 'traceback', 'stack trace', 'stacktrace', 'failed', 'failure', 'crash'],
    boosters: ['fixed by', 'resolved', 'root cause', 'solution', 'workaround', 'the fix'],
  },
  constraint: {
    primary: ['limitation', 'api limit', 'cannot', 'restricted', 'not supported', 'quota', 'rate limit'],
    boosters: ['discovered', 'found that', 'turns out', 'permanently', 'enduring', 'platform'],
  },
  tech_debt: {
    primary: ['todo', 'deferred', 'tech debt', 'workaround', 'hack', 'will address later', 'technical debt'],
    boosters: ['because', 'for now', 'temporary', 'acknowledged', 'deferring', 'cost', 'risk'],
  },
  preference: {
    primary: ['always use', 'prefer', 'convention', 'from now on', 'standard', 'never use', 'established'],
    boosters: ['agreed', 'going forward', 'consistently', 'rule', 'practice', 'workflow'],
  },
};
