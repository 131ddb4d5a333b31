// A number from the command line that counts things.

import { InvalidArgumentError } from 'commander';

export function positive(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text.trim()) || number < 1 || number > 1_000_000)
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return number;
}
