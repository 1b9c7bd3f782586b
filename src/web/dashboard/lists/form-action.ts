import { ApiError } from '../../../api/frame/errors.ts';
import type { Action } from '../../../domain/role.ts';
import { refusalText } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply, refused } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * A form that calls an operation of the API. Errors are shown on the page that contains the form.
 * @param back that page, relative to store and environment.
 */
export function formAction(given: {
  readonly path: `/${string}`;
  readonly action: Action;
  readonly devModeOnly?: true;
  readonly back: (visit: Visit) => `/${string}`;
  readonly work: (visit: Visit) => Promise<Reply>;
}): DashboardRoute {
  const { back, work, ...route } = given;
  return dashboardRoute({
    ...route,
    method: 'POST',
    async handler(visit) {
      try {
        return await work(visit);
      } catch (error) {
        if (error instanceof ApiError && error.status !== 404)
          return refused(visit.link(back(visit)), refusalText(error, visit.say));
        throw error;
      }
    },
  });
}
