import type { User } from '../../database/entities/user.ts';
import type { Em } from '../../database/orm.ts';
import { recordAction } from '../../identity/audit.ts';
import { storesOf } from '../../identity/members.ts';
import { beginSession, endSessionOf } from '../../identity/sessions.ts';
import type { Reply } from '../frame/route.ts';
import { seeOther } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';

/**
 * Begins the session of somebody who is known now, in place of any that this browser has, and writes it down for each
 * of their stores.
 * @param awaitsCode whether the second factor is still asked for.
 */
export async function signIn(
  em: Em,
  { ctx, deps, cookies, now }: Arrival,
  user: User,
  awaitsCode: boolean,
): Promise<string> {
  await endSessionOf(em, cookies.sessionToken(ctx));
  const address = deps.gate.shortAddressOf(ctx.req);
  const begun = { userId: user.id, awaitsCode, now, address, userAgent: ctx.get('User-Agent') };
  const { tokenText, session } = await beginSession(em, begun);
  if (awaitsCode) return tokenText;
  const done = { action: 'sign-in', subjectId: session.id, devMode: null, now };
  for (const { id: storeId, role } of await storesOf(em, user.id))
    await recordAction(em, { userId: user.id, storeId, role, address, submission: null }, done);
  return tokenText;
}

/** Where somebody is sent whose password was right. */
export function afterPassword({ ctx, cookies }: Arrival, tokenText: string, user: User, to: string): Reply {
  cookies.setSession(ctx, tokenText);
  if (user.totpConfirmedAt === null) return seeOther(to);
  return seeOther(`/dashboard/sign-in/code?${new URLSearchParams({ to })}`);
}
