import { UserEntity } from '../../database/entities/user.ts';
import { isPassword } from '../../identity/password.ts';
import type { Html } from '../../pages/frame/html.ts';
import { type Problems, textField } from './form.ts';
import { limitStepUps } from './guesses.ts';
import type { Say } from './locale.ts';
import type { Visit } from './visit.ts';

/** Asks for the password again: for money out, for whatever gives somebody a way to it, and for what guards the account. */
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
  const { say, user, em } = visit;
  const password = visit.form.get('password') ?? '';
  const where = { id: user.id };
  const { passwordHash } = await em.findOneOrFail(UserEntity, where, { disableIdentityMap: true });
  if (passwordHash === null) return { password: noPassword(visit) };
  const isRight = await limitStepUps(
    visit,
    'password',
    async () => (await isPassword(passwordHash, password)) || null,
  );
  return isRight ? null : { password: say('A senha não está certa.', 'The password is wrong.') };
}

/** Somebody who has only ever come in by links that sign in. */
function noPassword({ say }: Visit): string {
  return say(
    'Isto pede a sua senha, e você ainda não tem uma. Escolha-a em Sua conta.',
    'This asks for your password, and you have none yet. Choose one under Your account.',
  );
}
