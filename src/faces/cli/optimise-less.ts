// Tells V8 to optimise only what runs very often. Reading conversations goes through hundreds of functions for a few seconds:
// with its own idea of "often", V8 spends a quarter of all processor time on compiling what has hardly run by the end.

/** Six times V8's own. Code that runs for minutes is still optimised, a moment later. */
const INTERRUPT_BUDGET = 400_000;

let isDone = false;

/** The module is not imported: no other command needs it, and each would pay for it. */
export function optimiseLess(): void {
  if (isDone) return;
  isDone = true;
  process.getBuiltinModule?.('node:v8').setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
