import { type AuditedAction, recordActions } from '../../database/audit/record-action.ts';
import type { User } from '../../database/entities/user.ts';
import type { Em } from '../../database/orm.ts';
import { storesOf } from '../../identity/members.ts';
import { beginSession, endSessionOf } from '../../identity/sessions.ts';
import type { Reply } from '../frame/route.ts';
import { seeOther } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';

/**
 * Begins the session of somebody who is known now, in place of any that this browser has, and writes it down for each
 * of their stores.
 * @param awaitsCode whether the second factor is still asked for.
 * @param before what they have done in the same transaction, to be written down as well.
 */
export async function signIn(
  em: Em,
  { ctx, deps, cookies, now }: Arrival,
  user: User,
  awaitsCode: boolean,
  before: readonly AuditedAction[] = [],
): Promise<string> {
  await endSessionOf(em, cookies.sessionToken(ctx));
  const address = deps.gate.shortAddressOf(ctx.req);
  const begun = { userId: user.id, awaitsCode, now, address, userAgent: ctx.get('User-Agent') };
  const { tokenText, session } = await beginSession(em, begun);
  const done = { action: 'sign-in', subjectId: session.id, devMode: null, now };
  const person = { kind: 'PERSON', userId: user.id, address, submission: null } as const;
  const stores = awaitsCode ? [] : await storesOf(em, user.id);
  const signIns = stores.map(({ id: storeId, role }) => ({ actor: { ...person, storeId, role }, done }));
  await recordActions(em, [...before, ...signIns]);
  return tokenText;
}

/** Where somebody is sent whose password was right. */
export function afterPassword({ ctx, cookies }: Arrival, tokenText: string, user: User, to: string): Reply {
  cookies.setSession(ctx, tokenText);
  if (user.totpConfirmedAt === null) return seeOther(to);
  return seeOther(`/dashboard/sign-in/code?${new URLSearchParams({ to })}`);
}
