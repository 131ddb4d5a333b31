// Types of the preload script.
export type Fault = 'ENOSPC' | 'EIO' | 'EACCES' | 'EMFILE' | 'EROFS' | 'SHORT' | 'KILL' | 'TORN' | 'DO';
export type Plan = {
  readonly under: string;
  readonly at: number;
  readonly fault: Fault;
  readonly only?: 'reads' | 'changes';
  readonly act?: (name: string, args: readonly unknown[]) => void;
};
export function arm(plan: Plan): void;
export function disarm(): number;
export function lastStruck(): string;
export function unhindered<T>(work: () => T): T;
