// Tells V8 to optimise only what runs very often. Reading conversations goes through hundreds of functions for a few seconds:
// with its own idea of "often", V8 spends a quarter of all processor time on compiling what has hardly run by the end.

/** Fifteen times V8's own: less and more take longer. Code that runs for minutes is still optimised, a moment later. */
const INTERRUPT_BUDGET = 1_000_000;

/** A pattern that has run so often is compiled to machine code; V8's own is once, and most of ours run a few times in a turn. */
const PATTERN_TICKS = 100;

/** Newer ones do not know the settings any more, and say so on the terminal. Node 24 has 13. */
const LAST_V8 = 12;

/** As arguments of Node, for processes that do nothing else: setting it later takes a module that costs half of what it saves a turn. */
export const OPTIMISING_LESS: readonly string[] =
  Number.parseInt(process.versions.v8, 10) > LAST_V8
    ? []
    : [`--interrupt-budget=${INTERRUPT_BUDGET}`, `--regexp-tier-up-ticks=${PATTERN_TICKS}`];

let isDone = false;

/** The module is not imported: no other command needs it, and each would pay for it. */
export function optimiseLess(): void {
  if (isDone) return;
  isDone = true;
  for (const flag of OPTIMISING_LESS) process.getBuiltinModule?.('node:v8').setFlagsFromString(flag);
}
