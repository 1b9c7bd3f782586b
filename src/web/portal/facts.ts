import { sayDay } from '../frame/language.ts';

/** The day of an instant in São Paulo, as payers read it. */
export function dayOf(at: Date): string {
  return sayDay(at);
}
