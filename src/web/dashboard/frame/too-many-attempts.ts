import { Refusal } from './route.ts';

/** @param seconds until a retry. */
export function tooManyAttempts(seconds: number): Refusal {
  return new Refusal(429, 'dashboard.frame.tooManyAttempts', {}, seconds);
}
