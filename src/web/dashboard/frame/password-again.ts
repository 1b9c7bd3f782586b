import { isPassword } from '../../../identity/password.ts';
import { requireUser } from '../../../identity/users.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { link } from './components.ts';
import { limitStepUps } from './limit-step-ups.ts';
import type { Visit } from './visit.ts';

/**
 * Asks for the password again: before money is sent, before someone gets a way to money, and before protections of the account
 * change. Someone without a password is sent to where they choose one. @param id of the element on the page.
 */
export function passwordAgain(visit: Visit, problems: Problems = {}, id = 'password'): Html {
  const { say, user } = visit;
  if (!user.hasPassword)
    return missingNote(visit, problems, {
      name: 'password',
      text: noPassword(visit),
      way: say('dashboard.balance.chooseAPassword'),
    });
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
 * Takes the place of a field that someone cannot fill in, because their account has no password or second factor. It is information,
 * and a problem only once the form was sent. The name tells a dialog that the field's problem has a place.
 */
export function missingNote(
  visit: Visit,
  problems: Problems,
  { name, text, way }: { readonly name: string; readonly text: string; readonly way: string },
): Html {
  const kind = problems[name] === undefined ? 'soft' : 'field__problem';
  return html`<p class="${kind}" data-name="${name}">${text} ${link(visit, '/account', way)}</p>`;
}

/**
 * Checks the password that was given again. @returns the problem to show beside the field; null if the password is right.
 * @throws as {@link limitStepUps} does.
 */
export async function passwordProblem(visit: Visit): Promise<Problems | null> {
  const { say, user, em, deps, store } = visit;
  const password = visit.form.get('password') ?? '';
  const owner = await requireUser(em, user.id);
  const { passwordHash } = owner;
  if (passwordHash === null) return { password: noPassword(visit) };
  const isRight = await limitStepUps(
    visit,
    owner,
    'password',
    async () =>
      (await deps.memberQueue.compare(store.id, user.id, () => isPassword(passwordHash, password))) || null,
  );
  return isRight ? null : { password: say('dashboard.thePasswordIsWrong') };
}

/** For a person who has only ever signed in by links. */
function noPassword({ say }: Visit): string {
  return say('dashboard.frame.thisRequiresYourPasswordAnd');
}
