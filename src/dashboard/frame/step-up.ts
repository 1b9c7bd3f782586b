import { type User, UserEntity } from '../../database/entities/user.ts';
import { takeCode } from '../../identity/second-factor.ts';
import { type Html, html } from '../../pages/frame/html.ts';
import { link } from './components.ts';
import { type Problems, textField } from './form.ts';
import { limitStepUps } from './guesses.ts';
import { passwordAgain, passwordProblem } from './password-again.ts';
import type { Visit } from './visit.ts';

/** What a form asks for again. */
export interface StepUp {
  /** A code of the second factor, besides the password. */
  readonly needsCode: boolean;
}

/**
 * What is asked for by whatever gives somebody a way to money, or takes a guard of it away: members and their roles,
 * keys, endpoints, second factors. A session that was stolen does none of it: a code is needed besides the password of
 * everybody who has a second factor.
 */
export function ownStepUp({ user }: Visit): StepUp {
  return { needsCode: user.hasSecondFactor };
}

/** The same for what the sandbox is free with: nothing moves there. Null if nothing is asked for. */
export function realMoneyStepUp(visit: Visit): StepUp | null {
  return visit.devMode ? null : ownStepUp(visit);
}

/** Asks people again who they are. Someone who needs a second factor and has none is shown where to set one up. */
export function stepUpFields(visit: Visit, stepUp: StepUp | null, problems: Problems = {}): Html | null {
  if (stepUp === null) return null;
  const { needsCode } = stepUp;
  const { say, user } = visit;
  const password = passwordAgain(say, problems);
  if (!needsCode) return password;
  if (!user.hasSecondFactor)
    return html`${password}
<p class="field__problem">${noSecondFactor(visit)} ${link(visit, '/account', say('Sua conta', 'Your account'))}</p>`;
  return html`${password}
${textField({
  name: 'code',
  label: say('Código do aplicativo', 'Code of your app'),
  hint: say(
    'Cada código vale uma vez. Sem o celular, use um dos códigos de recuperação.',
    'Each code is good once. Without your phone, use one of the recovery codes.',
  ),
  autocomplete: 'one-time-code',
  maxLength: 20,
  problems,
})}`;
}

/**
 * Checks what those fields sent. The code is compared only if the password is right, since it is good once.
 * @returns what is wrong, by field; null if nothing is. @throws Refusal 429 after too many wrong ones.
 */
export async function stepUpProblem(visit: Visit, stepUp: StepUp | null): Promise<Problems | null> {
  if (stepUp === null) return null;
  const { needsCode } = stepUp;
  const { say, user } = visit;
  const wrong = await passwordProblem(visit);
  if (wrong !== null || !needsCode) return wrong;
  if (!user.hasSecondFactor) return { password: noSecondFactor(visit) };
  if (await isCodeRight(visit)) return null;
  return {
    code: say(
      'O código não está certo, ou já foi usado. Espere o próximo.',
      'The code is wrong, or was used already. Wait for the next one.',
    ),
  };
}

function noSecondFactor({ say }: Visit): string {
  return say(
    'Isto pede um segundo fator, e você ainda não tem um. Ligue-o em Sua conta.',
    'This needs a second factor, and you have none yet. Switch it on under Your account.',
  );
}

async function isCodeRight(visit: Visit): Promise<boolean> {
  const { deps, user, now } = visit;
  const em = deps.database.em.fork();
  const row = (await em.findOneOrFail(UserEntity, { id: user.id }, { disableIdentityMap: true })) as User;
  // It may have been switched off, and set up again with another secret, since the session was looked up.
  if (row.totpConfirmedAt === null) return false;
  const taken = await limitStepUps(
    visit,
    'code',
    async () => (await takeCode(em, row, visit.field('code'), deps.secretsKeys, now)) || null,
  );
  return taken !== null;
}
