import type { AuditDetails } from '../../../audit-log/record-action.ts';
import type { Em } from '../../../database/orm.ts';
import { WrongAccountSetting } from '../../../providers/provider-kind.ts';
import type { Problems } from '../../frame/fields.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { accountStepUp, holdAccountAuthority } from './account-access.ts';
import { accountProblems } from './account-form.ts';

/** A change of an account, with its line of the audit log. */
interface Change {
  readonly name: string;
  readonly details: AuditDetails;
  /** @returns the account's id. */
  readonly work: (em: Em) => Promise<string>;
}

/** Ends a transaction that was only a rehearsal. */
class Rehearsed extends Error {}

/**
 * Carries out a change. It is rehearsed first in a transaction that is rolled back, so that the form shows everything that is
 * wrong at once: a code can be used only once, so the step-up comes last.
 * @throws MoneyWaits, NoAuthority
 */
export async function changeAccount(
  visit: Visit,
  { name, details, work }: Change,
): Promise<{ readonly id: string } | { readonly problems: Problems }> {
  const held = async (em: Em) => {
    await holdAccountAuthority(em, visit);
    return work(em);
  };
  const rehearsal = visit.deps.database.em.fork().transactional(async (em) => {
    await held(em);
    throw new Rehearsed();
  });
  const wrong =
    (await problemsOf(visit, rehearsal)) ?? (await stepUpProblem(visit, await accountStepUp(visit)));
  if (wrong !== null) return { problems: wrong };
  let id = '';
  const done = visit.act(
    name,
    'of environment',
    async (em) => {
      id = await held(em);
      return id;
    },
    details,
  );
  const raced = await problemsOf(visit, done);
  return raced === null ? { id } : { problems: raced };
}

/** The problems of the form's fields; null if there are none. */
async function problemsOf(visit: Visit, work: Promise<void>): Promise<Problems | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Rehearsed) return null;
    if (error instanceof WrongAccountSetting) return accountProblems(visit, error);
    throw error;
  }
}
