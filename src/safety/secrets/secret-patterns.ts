// The whole table of what redaction recognises, most specific first: where two patterns meet, the earlier names the
// kind. docs/REDACTION.md lists the same rows, and a test keeps the two in step. The tables are functions because
// hooks import this file and mostly never redact: nothing is built before the first text asks for it.
import { assignmentPattern } from './assignments.ts';
import { commandPatterns } from './command-passwords.ts';
import { contextPatterns } from './context-patterns.ts';
import type { SecretPattern } from './pattern.ts';
import { prefixedTokens } from './prefixed-tokens.ts';
import { providerPatterns } from './provider-patterns.ts';

export function secretPatterns(): readonly SecretPattern[] {
  return [...providerPatterns(), ...prefixedTokens(), ...contextPatterns(), assignmentPattern(), ...commandPatterns()];
}
