import type { User } from '../../../database/entities/user.ts';
import type { SessionId } from '../../../domain/ids.ts';
import { newDevice } from '../../../identity/device.ts';
import { revokeAllInvitationsBy } from '../../../identity/members.ts';
import { hashPassword, isGoodPassword } from '../../../identity/password.ts';
import { endOtherSessions, endSession, lockSessions } from '../../../identity/sessions.ts';
import { setPassword } from '../../../identity/users.ts';
import type { Problems } from '../../frame/fields.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, Refusal, seeOther } from '../frame/route.ts';
import { missingProblems, ownStepUp, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { passwordHint } from '../sign-in/password-hint.ts';
import { mayChoosePassword, ownUser, renderAccount } from './account-page.ts';
import { renewOwn } from './renew-own.ts';
import { secondFactorPages } from './second-factor-routes.ts';

const show = dashboardRoute({
  method: 'GET',
  path: '/account',
  action: 'read',
  isOfPerson: true,
  handler: (visit) => renderAccount(visit),
});

/**
 * Someone who knows the password and has a stolen session could lock out its owner, so people with a second factor give a code.
 * A new password ends all other sessions and the person's invitations, including those of someone who stole the old one. This
 * session gets another token, because a copy of its cookie may have been stolen too.
 */
const changePassword = dashboardRoute({
  method: 'POST',
  path: '/account/password',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { deps, now } = visit;
    const user = await ownUser(visit);
    const newPassword = visit.form.get('newPassword') ?? '';
    if (!(await mayChoosePassword(visit, user))) return renderAccount(visit, {}, 422);
    const problems = await changeProblems(visit, user, newPassword);
    if (problems !== null) return renderAccount(visit, problems, 422);
    const passwordHash = await deps.memberQueue.compare(visit.store.id, user.id, () =>
      hashPassword(newPassword),
    );
    const sessionToken = await deps.database.em.fork().transactional(async (em) => {
      await lockSessions(em, user.id);
      const from = user.passwordHash;
      if (!(await setPassword(em, user.id, { from, to: passwordHash }, now))) throw changedMeanwhile();
      await endOtherSessions(em, user.id, visit.user.sessionId);
      await revokeAllInvitationsBy(em, user.id);
      await visit.recordOfPerson(em, 'account/password');
      return renewOwn(em, visit);
    });
    const done = visit.say('dashboard.account.passwordChanged');
    // The new password has ended all devices of the person. This browser is one again.
    const device = newDevice(deps.secretsKeys, { ...user, passwordHash }, now);
    return { ...seeOther(visit.link('/account'), done), sessionToken, device };
  },
});

/**
 * Checks the new password, and only if it is acceptable the current one and the code of someone with a second factor: comparing a
 * password takes a core, and a code can be used only once. @returns the problems by field; null if there are none.
 */
async function changeProblems(visit: Visit, user: User, newPassword: string): Promise<Problems | null> {
  const hasPassword = user.passwordHash !== null;
  if (isGoodPassword(newPassword, user.email))
    return hasPassword ? stepUpProblem(visit, ownStepUp(visit)) : null;
  return {
    ...(hasPassword && missingProblems(visit, ownStepUp(visit))),
    newPassword: passwordHint(visit.say),
  };
}

/** Of two simultaneous changes the first one wins: it has ended the other one's session. */
function changedMeanwhile(): Refusal {
  return new Refusal(409, 'dashboard.account.thePasswordHasJustBeen');
}

/** The session is deleted at once, so copies of its cookie are useless. */
const signOut = dashboardRoute({
  method: 'POST',
  path: '/sign-out',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { id, sessionId } = visit.user;
    await visit.deps.database.em.fork().transactional(async (em) => {
      await endSession(em, id, sessionId);
      await visit.record(em, 'sign-out', sessionId, null);
    });
    return seeOther('/dashboard/sign-in', visit.say('dashboard.account.youHaveSignedOut'));
  },
});

const endOne = dashboardRoute({
  method: 'POST',
  path: '/account/sessions/:id/end',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const id = visit.params.id as SessionId;
    // Not `act`: it would hold the reader's own session, and two sessions that end each other would block each other.
    await visit.deps.database.em.fork().transactional(async (em) => {
      if (!(await endSession(em, visit.user.id, id))) throw nothingHere();
      await visit.record(em, 'account/session/end', id, null);
    });
    return seeOther(visit.link('/account'), visit.say('dashboard.account.theSessionHasEnded'));
  },
});

export const accountPages: readonly DashboardRoute[] = [
  show,
  changePassword,
  ...secondFactorPages,
  endOne,
  signOut,
];
