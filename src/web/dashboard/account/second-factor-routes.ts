import { newDevice } from '../../../identity/device.ts';
import { revokeAllInvitationsBy } from '../../../identity/members.ts';
import {
  lockMembershipsOf,
  waitWithNewFactor,
  waitWithoutFactor,
} from '../../../identity/new-second-factor.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor } from '../../../identity/second-factor.ts';
import { endOtherSessions, lockSessions } from '../../../identity/sessions.ts';
import { limitStepUps } from '../frame/limit-step-ups.ts';
import { passwordProblem } from '../frame/password-again.ts';
import { type DashboardRoute, dashboardRoute, type Reply, refused, seeOther } from '../frame/route.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { ownUser, SECOND_FACTOR } from './account-page.ts';
import { renewOwn } from './renew-own.ts';
import { renderEnrolment, renderRecoveryCodes, renderSecondFactor } from './second-factor-pages.ts';

const show = dashboardRoute({
  method: 'GET',
  path: SECOND_FACTOR,
  action: 'read',
  isOfPerson: true,
  handler: async (visit) => renderSecondFactor(visit),
});

/** Requires the password. Otherwise a stolen session could set up a second factor that the owner does not have. */
const begin = dashboardRoute({
  method: 'POST',
  path: `${SECOND_FACTOR}/begin`,
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { user, deps, now } = visit;
    if (user.hasSecondFactor) return isOn(visit);
    const wrong = await passwordProblem(visit);
    if (wrong !== null) return renderSecondFactor(visit, wrong, 422);
    await visit.act('account/second-factor/begin', 'of store', async (em) => {
      await beginSecondFactor(em, user.id, deps.secretsKeys, now);
      return user.id;
    });
    return renderEnrolment(visit, await ownUser(visit));
  },
});

function isOn(visit: Visit): Reply {
  return refused(visit.link(SECOND_FACTOR), visit.say('dashboard.account.itIsOnAlready'));
}

const confirm = dashboardRoute({
  method: 'POST',
  path: `${SECOND_FACTOR}/confirm`,
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { say, user } = visit;
    if (user.hasSecondFactor) return isOn(visit);
    const wrong = await passwordProblem(visit);
    if (wrong !== null) return renderEnrolment(visit, null, wrong, 422);
    const done = await recoveryCodes(visit);
    if (done !== null) {
      const { codes, ...renewed } = done;
      return { ...renderRecoveryCodes(visit.withToken(renewed.sessionToken), codes), ...renewed };
    }
    const code = say('dashboard.account.theCodeIsWrong');
    return renderEnrolment(visit, await ownUser(visit), { code }, 422);
  },
});

/** Switches the second factor on. @returns null if the code is wrong. @throws Refusal 429 after too many wrong codes. */
async function recoveryCodes(visit: Visit): Promise<{
  readonly codes: readonly string[];
  readonly sessionToken: string;
  readonly device: string | null;
} | null> {
  const { deps, now } = visit;
  const user = await ownUser(visit);
  return limitStepUps(visit, user, 'code', () =>
    deps.database.em.fork().transactional(async (em) => {
      await lockSessions(em, user.id);
      await lockMembershipsOf(em, user.id);
      const codes = await confirmSecondFactor(em, user, visit.field('code'), deps.secretsKeys, now);
      if (codes === null) return null;
      await waitWithNewFactor(em, user.id, now);
      // The person's other sessions started without a code: on old browsers, or by someone who stole the password. So did copies of
      // this session's cookie.
      await endOtherSessions(em, user.id, visit.user.sessionId);
      await revokeAllInvitationsBy(em, user.id);
      await visit.recordOfPerson(em, 'account/second-factor');
      const device = newDevice(deps.secretsKeys, { ...user, secondFactorChangedAt: now }, now);
      return { codes, sessionToken: await renewOwn(em, visit), device };
    }),
  );
}

const end = dashboardRoute({
  method: 'POST',
  path: `${SECOND_FACTOR}/end`,
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { say } = visit;
    const problems = await stepUpProblem(visit, { needsCode: visit.user.hasSecondFactor });
    if (problems !== null) return renderSecondFactor(visit, problems, 422);
    await visit.transaction(async (em) => {
      if (visit.user.hasSecondFactor) await waitWithoutFactor(em, visit.user.id, visit.now);
      await endSecondFactor(em, visit.user.id, visit.now);
      await visit.recordOfPerson(em, 'account/second-factor/end');
    });
    const done = seeOther(visit.link('/account'), say('dashboard.account.theSecondFactorIsOff'));
    return { ...done, device: newDevice(visit.deps.secretsKeys, await ownUser(visit), visit.now) };
  },
});

/** Switching the person's own second factor on and off. */
export const secondFactorPages: readonly DashboardRoute[] = [show, begin, confirm, end];
