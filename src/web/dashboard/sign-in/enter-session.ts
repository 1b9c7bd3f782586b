import { type AuditedAction, recordActions } from '../../../audit-log/record-action.ts';
import type { User } from '../../../database/entities/user.ts';
import type { Em } from '../../../database/orm.ts';
import { newDevice } from '../../../identity/device.ts';
import { storesOf } from '../../../identity/members.ts';
import { beginSession, endSessionOf } from '../../../identity/sessions.ts';
import { lockUser, noteLanguage, requireUser } from '../../../identity/users.ts';
import { Refusal, type Reply, seeOther } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';

/**
 * Locks the person whose password was compared until the transaction ends. Nothing is locked during the comparison, which is
 * slow. A new password or second factor ends all sessions, so this session must not start after such a change.
 * @returns the current row. @throws Refusal 409 if the password has changed since.
 */
export async function holdCompared(em: Em, { id, passwordHash }: User): Promise<User> {
  await lockUser(em, id);
  const present = await requireUser(em, id);
  if (present.passwordHash === passwordHash) return present;
  throw new Refusal(409, 'dashboard.signIn.thePasswordHasJustBeen');
}

/**
 * Starts a session that replaces any other of this browser, and records it in each of the person's stores.
 * @param awaitsCode whether the second factor is still missing.
 * @param before what the person did in the same transaction, also recorded.
 */
export async function signIn(
  em: Em,
  { ctx, deps, cookies, locale, now }: Arrival,
  user: User,
  awaitsCode: boolean,
  before: readonly AuditedAction[] = [],
): Promise<string> {
  await endSessionOf(em, cookies.sessionToken(ctx));
  const address = deps.trafficLimiter.shortAddressOf(ctx.req);
  const begun = { userId: user.id, awaitsCode, now, address, userAgent: ctx.get('User-Agent') };
  const { tokenText, session } = await beginSession(em, begun);
  if (!awaitsCode) await noteLanguage(em, user.id, locale);
  // Someone who has stolen the password gets this far. The owner must see it, also if no code follows.
  const action = awaitsCode ? 'sign-in/password' : 'sign-in';
  const done = { action, subjectId: session.id, devMode: null, now };
  const person = { kind: 'PERSON', userId: user.id, address, submission: null } as const;
  const stores = await storesOf(em, user.id);
  const signIns = stores.map(({ id: storeId, role }) => ({ actor: { ...person, storeId, role }, done }));
  await recordActions(em, [...before, ...signIns]);
  return tokenText;
}

/** Where to redirect after the password was right, or a link was used. @param isProven whether this person has given the password. */
export function afterPassword(
  { ctx, deps, cookies, now }: Arrival,
  tokenText: string,
  { user, isProven }: { readonly user: User; readonly isProven: boolean },
  to: string,
): Reply {
  cookies.setSession(ctx, tokenText);
  if (user.totpConfirmedAt === null)
    return { ...seeOther(to), device: isProven ? newDevice(deps.secretsKeys, user, now) : null };
  return seeOther(`/dashboard/sign-in/code?${new URLSearchParams({ to })}`);
}
