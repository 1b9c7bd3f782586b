import type { SessionId } from '../../domain/ids.ts';
import { hashPassword, isGoodPassword } from '../../identity/password.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor } from '../../identity/second-factor.ts';
import { endOtherSessions, endSession } from '../../identity/sessions.ts';
import { setPassword } from '../../identity/users.ts';
import { limitStepUps } from '../frame/guesses.ts';
import { passwordProblem } from '../frame/password-again.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, seeOther } from '../frame/route.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import { passwordHint } from '../sign-in/password-hint.ts';
import { ownUser, renderAccount, renderRecoveryCodes } from './account-page.ts';

const show = dashboardRoute({
  method: 'GET',
  path: '/account',
  action: 'read',
  isOfPerson: true,
  handler: (visit) => renderAccount(visit),
});

/** Whoever has taken the old password is signed out by a new one. */
const changePassword = dashboardRoute({
  method: 'POST',
  path: '/account/password',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { say, now } = visit;
    const user = await ownUser(visit);
    const newPassword = visit.form.get('newPassword') ?? '';
    const problems = {
      ...(user.passwordHash !== null && (await passwordProblem(visit))),
      ...(!isGoodPassword(newPassword, user.email) && { newPassword: passwordHint(say) }),
    };
    if (Object.keys(problems).length > 0) return renderAccount(visit, { changePassword: problems }, 422);
    const passwordHash = await hashPassword(newPassword);
    await visit.act('account/password', 'of store', async (em) => {
      await setPassword(em, user.id, passwordHash, now);
      await endOtherSessions(em, user.id, visit.user.sessionId);
      return user.id;
    });
    const done = say(
      'A senha foi trocada, e as outras sessões acabaram.',
      'The password is changed, and other sessions have ended.',
    );
    return seeOther(visit.link('/account'), done);
  },
});

const begin = dashboardRoute({
  method: 'POST',
  path: '/account/second-factor/begin',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    await visit.act('account/second-factor/begin', 'of store', async (em) => {
      await beginSecondFactor(em, visit.user.id, visit.deps.secretsKeys, visit.now);
      return visit.user.id;
    });
    return seeOther(visit.link('/account'));
  },
});

const confirm = dashboardRoute({
  method: 'POST',
  path: '/account/second-factor/confirm',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { say, now, deps } = visit;
    const user = await ownUser(visit);
    let codes: readonly string[] | null = null;
    await limitStepUps({ gate: deps.gate, user: visit.user }, async () => {
      await visit.deps.database.em.fork().transactional(async (em) => {
        codes = await confirmSecondFactor(em, user, visit.field('code'), deps.secretsKeys, now);
        if (codes === null) return;
        // Other sessions were begun without a code: of browsers left behind, or of who has taken the password.
        await endOtherSessions(em, user.id, visit.user.sessionId);
        await visit.record(em, 'account/second-factor', user.id, null);
      });
      return codes;
    });
    if (codes !== null) return renderRecoveryCodes(visit, codes);
    const wrong = say(
      'O código não está certo. Espere o próximo.',
      'The code is wrong. Wait for the next one.',
    );
    return renderAccount(visit, { secondFactor: { code: wrong } }, 422);
  },
});

const end = dashboardRoute({
  method: 'POST',
  path: '/account/second-factor/end',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const problems = await stepUpProblem(visit, { needsCode: visit.user.hasSecondFactor });
    if (problems !== null) return renderAccount(visit, { secondFactor: problems }, 422);
    await visit.act('account/second-factor/end', 'of store', async (em) => {
      await endSecondFactor(em, visit.user.id, visit.now);
      return visit.user.id;
    });
    return seeOther(
      visit.link('/account'),
      visit.say('O segundo fator está desligado.', 'The second factor is off.'),
    );
  },
});

/** The session is gone at once, wherever its cookie may be kept. */
const signOut = dashboardRoute({
  method: 'POST',
  path: '/sign-out',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const { id, sessionId } = visit.user;
    await visit.act('sign-out', 'of store', async (em) => {
      await endSession(em, id, sessionId);
      return sessionId;
    });
    return seeOther('/dashboard/sign-in', visit.say('Você saiu.', 'You have signed out.'));
  },
});

const endOne = dashboardRoute({
  method: 'POST',
  path: '/account/sessions/:id/end',
  action: 'read',
  isOfPerson: true,
  async handler(visit) {
    const id = visit.params.id as SessionId;
    await visit.act('account/session/end', 'of store', async (em) => {
      if (!(await endSession(em, visit.user.id, id))) throw nothingHere();
      return id;
    });
    return seeOther(visit.link('/account'), visit.say('A sessão acabou.', 'The session has ended.'));
  },
});

export const accountPages: readonly DashboardRoute[] = [
  show,
  changePassword,
  begin,
  confirm,
  end,
  endOne,
  signOut,
];
