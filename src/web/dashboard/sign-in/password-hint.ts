import { LEAST_PASSWORD_LENGTH } from '../../../identity/password.ts';
import type { Say } from '../frame/locale.ts';

/** The rules for passwords, shown beside the field and in its error. */
export function passwordHint(say: Say): string {
  return say('dashboard.signIn.charactersOrMore', { leastPasswordLength: LEAST_PASSWORD_LENGTH });
}
