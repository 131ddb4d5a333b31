// Ctrl-C in long work: the first ends it after the step at hand, so that nothing is lost; the second ends it at once.

import process from 'node:process';

export type Interrupt = { stopped(): boolean; release(): void };

export function onInterrupt(say: () => void): Interrupt {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
    say();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    stopped: () => stopped,
    release() {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
    },
  };
}
