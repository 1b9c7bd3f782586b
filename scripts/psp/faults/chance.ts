import { hash } from 'node:crypto';

/** Whether something of the given probability happens: the same names always give the same answer. */
export function isChosen(probability: number, ...names: readonly (string | number)[]): boolean {
  const digits = hash('sha256', names.join('/')).slice(0, 8);
  return Number.parseInt(digits, 16) / 2 ** 32 < probability;
}
