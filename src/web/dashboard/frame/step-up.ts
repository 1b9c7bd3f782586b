import { takeCode } from '../../../identity/second-factor.ts';
import { requireUser } from '../../../identity/users.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { limitStepUps } from './limit-step-ups.ts';
import { missingNote, passwordAgain, passwordProblem } from './password-again.ts';
import type { Visit } from './visit.ts';

/** What a form asks for again. */
export interface StepUp {
  /** Whether it also asks for a code of the second factor. */
  readonly needsCode: boolean;
}

/**
 * Required before someone gets a way to money or a protection of it is removed: members and their roles, keys, endpoints, second
 * factors. A stolen session alone can do none of these: people with a second factor must give a code as well as the password.
 */
export function ownStepUp({ user }: Visit): StepUp {
  return { needsCode: user.hasSecondFactor };
}

/** The same for actions that need it in production only, because the sandbox moves no money. Null if nothing is asked for. */
export function realMoneyStepUp(visit: Visit): StepUp | null {
  return visit.devMode ? null : ownStepUp(visit);
}

/**
 * Asks people to authenticate again. Someone who needs a second factor and has none is sent to where they set one up.
 * @param form starts the fields' ids, on a page with several forms.
 */
export function stepUpFields(
  visit: Visit,
  stepUp: StepUp | null,
  problems: Problems = {},
  form?: string,
): Html | null {
  if (stepUp === null) return null;
  const { needsCode } = stepUp;
  const { say, user } = visit;
  const idOf = (name: string) => (form === undefined ? name : `${form}-${name}`);
  const password = passwordAgain(visit, problems, idOf('password'));
  if (!needsCode) return password;
  if (!user.hasSecondFactor)
    return html`${password}
${missingNote(visit, problems, { name: 'code', text: noSecondFactor(visit), way: say('dashboard.frame.setOneUp') })}`;
  return html`${password}
${textField({
  name: 'code',
  id: idOf('code'),
  label: say('dashboard.codeOfYourApp'),
  hint: say('dashboard.frame.eachCodeCanBeUsed'),
  autocomplete: 'one-time-code',
  maxLength: 20,
  problems,
})}`;
}

/**
 * Checks these fields. The code is checked only if the password is right, because checking uses it up.
 * @returns the problems by field; null if there are none. @throws as {@link limitStepUps} does.
 */
export async function stepUpProblem(visit: Visit, stepUp: StepUp | null): Promise<Problems | null> {
  if (stepUp === null) return null;
  const { needsCode } = stepUp;
  const { say, user } = visit;
  const wrong = await passwordProblem(visit);
  if (wrong !== null || !needsCode) return wrong;
  if (!user.hasSecondFactor) return { code: noSecondFactor(visit) };
  if (await isCodeRight(visit)) return null;
  return {
    code: say('dashboard.theCodeIsWrongOr'),
  };
}

/** The problems that need no comparison, for a form that is refused anyway: fields that were left empty. */
export function missingProblems(visit: Visit, { needsCode }: StepUp): Problems {
  const { say, form } = visit;
  return {
    ...((form.get('password') ?? '') === '' && { password: say('dashboard.thePasswordIsWrong') }),
    ...(needsCode && visit.field('code') === '' && { code: say('dashboard.theCodeIsWrongOr') }),
  };
}

function noSecondFactor({ say }: Visit): string {
  return say('dashboard.frame.thisRequiresASecondFactor');
}

async function isCodeRight(visit: Visit): Promise<boolean> {
  const { deps, user, now } = visit;
  const em = deps.database.em.fork();
  const row = await requireUser(em, user.id);
  // The second factor may have been switched off and set up with another secret since the session was loaded.
  if (row.totpConfirmedAt === null) return false;
  const taken = await limitStepUps(
    visit,
    row,
    'code',
    async () => (await takeCode(em, row, visit.field('code'), deps.secretsKeys, now)) || null,
  );
  return taken !== null;
}
