import { endSession } from '../../identity/sessions.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';

/** The session is gone at once, wherever its cookie may be kept. */
const signOut = dashboardRoute({
  method: 'POST',
  path: '/sign-out',
  action: 'read',
  async handler(visit) {
    await visit.act('sign-out', 'of store', async (em) => {
      await endSession(em, visit.user.id, visit.user.sessionId);
      return visit.user.sessionId;
    });
    return seeOther('/dashboard/sign-in', visit.say('Você saiu.', 'You have signed out.'));
  },
});

export const accountRoutes: readonly DashboardRoute[] = [signOut];
