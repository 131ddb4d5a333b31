// Who is told when a lock was taken over from a process that is gone: each face has its own place to say it.

export { onBrokenLock } from '../files/lock.ts';
