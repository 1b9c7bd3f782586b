import type { Em } from '../../../database/orm.ts';
import { renewSession } from '../../../identity/sessions.ts';
import { Refusal } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * Gives the reader's session another token. @returns the token, for the reply.
 * @throws Refusal 409 if another form has ended or renewed the session meanwhile.
 */
export async function renewOwn(em: Em, { user, now }: Visit): Promise<string> {
  const tokenText = await renewSession(em, user.sessionId, now);
  if (tokenText === null) throw new Refusal(409, 'dashboard.account.thePasswordHasJustBeen');
  return tokenText;
}
