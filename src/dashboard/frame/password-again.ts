import { userBy } from '../../identity/users.ts';
import type { Html } from '../../pages/frame/html.ts';
import { type Problems, textField } from './form.ts';
import { limitStepUps } from './guesses.ts';
import type { Say } from './locale.ts';
import type { Visit } from './visit.ts';

/** Asks for the password again: for money out, for keys that move it, and for what guards the account. */
export function passwordAgain(say: Say, problems: Problems = {}): Html {
  return textField({
    name: 'password',
    label: say('Sua senha, de novo', 'Your password, again'),
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 256,
    problems,
  });
}

/**
 * Checks what was asked for so. @returns what is wrong with it, to be shown beside its field; null where it is right.
 * @throws Refusal 429 after too many wrong ones.
 */
export async function passwordProblem(visit: Visit): Promise<Problems | null> {
  const { say, user, deps } = visit;
  const password = visit.form.get('password') ?? '';
  const known = await limitStepUps({ gate: deps.gate, user }, () => userBy(visit.em, user.email, password));
  return known === null ? { password: say('A senha não está certa.', 'The password is wrong.') } : null;
}
