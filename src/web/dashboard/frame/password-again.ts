import { isPassword } from '../../../identity/password.ts';
import { requireUser } from '../../../identity/users.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { link } from './components.ts';
import { limitStepUps } from './password-guess-limit.ts';
import type { Visit } from './visit.ts';

/**
 * Asks for the password again: before money is sent, before someone gets a way to money, and before protections of the account
 * change. Someone without a password is sent to where they choose one. @param id of the element on the page.
 */
export function passwordAgain(visit: Visit, problems: Problems = {}, id = 'password'): Html {
  const { say, user } = visit;
  if (!user.hasPassword)
    return html`<p class="field__problem">${noPassword(visit)} ${link(visit, '/account', say('dashboard.yourAccount'))}</p>`;
  return textField({
    name: 'password',
    id,
    label: say('dashboard.frame.yourPasswordAgain'),
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 256,
    problems,
  });
}

/**
 * Checks the password that was given again. @returns the problem to show beside the field; null if the password is right.
 * @throws Refusal 429 after too many wrong attempts.
 */
export async function passwordProblem(visit: Visit): Promise<Problems | null> {
  const { say, user, em } = visit;
  const password = visit.form.get('password') ?? '';
  const owner = await requireUser(em, user.id);
  const { passwordHash } = owner;
  if (passwordHash === null) return { password: noPassword(visit) };
  const isRight = await limitStepUps(
    visit,
    owner,
    'password',
    async () => (await isPassword(passwordHash, password)) || null,
  );
  return isRight ? null : { password: say('dashboard.thePasswordIsWrong') };
}

/** For a person who has only ever signed in by links. */
function noPassword({ say }: Visit): string {
  return say('dashboard.frame.thisRequiresYourPasswordAnd');
}
