import { ApiError } from '../../../api/frame/errors.ts';
import type { Action } from '../../../domain/role.ts';
import { refusalOf, refusalText } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply, refused } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * A form that calls an operation of the API. Errors are shown on the page that contains the form.
 * @param back that page, relative to store and environment.
 * @param form its name in `formDialog` or `fieldsOf`, and the handler of the GET route `back`. A refused form is shown there again:
 * open, with the values kept and all problems. Without it the reason is shown above an empty form.
 */
export function formAction(given: {
  readonly path: `/${string}`;
  readonly action: Action;
  readonly devModeOnly?: true;
  readonly maxFileBytes?: number;
  readonly back: (visit: Visit) => `/${string}`;
  readonly form?: { readonly name: string; readonly page: DashboardRoute['handler'] };
  readonly work: (visit: Visit) => Promise<Reply>;
}): DashboardRoute {
  const { back, work, form, ...route } = given;
  return dashboardRoute({
    ...route,
    method: 'POST',
    async handler(visit) {
      try {
        return await work(visit);
      } catch (error) {
        if (form !== undefined) return shownAgain(visit, back(visit), form, error);
        if (error instanceof ApiError && error.status !== 404)
          return refused(visit.link(back(visit)), refusalText(error, visit.say));
        throw error;
      }
    },
  });
}

async function shownAgain(
  visit: Visit,
  path: string,
  form: { readonly name: string; readonly page: DashboardRoute['handler'] },
  error: unknown,
): Promise<Reply> {
  const refusal = refusalOf(error, visit.say);
  if (refusal === null) throw error;
  const reply = await form.page(visit.reopened(path, { form: form.name, ...refusal }));
  return reply.kind === 'page' ? { ...reply, status: 422 } : reply;
}
