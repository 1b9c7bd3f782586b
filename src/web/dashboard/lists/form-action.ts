import { ApiError } from '../../../api/frame/errors.ts';
import type { Action } from '../../../domain/role.ts';
import type { Html } from '../../frame/html.ts';
import { reasonsOf, refusalOf, refusalText } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply, refused } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** A form by its name on the page that has it, and the handler of that page. */
interface PageForm {
  readonly name: string;
  readonly page: DashboardRoute['handler'];
}

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
  readonly form?: PageForm;
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

/**
 * The second button of a form in a dialog: shows the page again with what the form would do, and changes nothing.
 * @param work what it would do; it throws what the form's action would throw for these fields.
 */
export function formPreview(given: {
  readonly path: `/${string}`;
  readonly action: Action;
  readonly back: (visit: Visit) => `/${string}`;
  readonly form: PageForm;
  readonly work: (visit: Visit) => Promise<Html>;
}): DashboardRoute {
  const { path, action, back, form, work } = given;
  return dashboardRoute({
    ...{ path, action, method: 'POST', changesNothing: true },
    async handler(visit) {
      try {
        const preview = await work(visit);
        const { name } = form;
        return await form.page(
          visit.reopened(back(visit), { form: name, problems: {}, text: null, preview }),
        );
      } catch (error) {
        return shownAgain(visit, back(visit), form, error);
      }
    },
  });
}

async function shownAgain(visit: Visit, path: string, form: PageForm, error: unknown): Promise<Reply> {
  const refusal = refusalOf(error, visit.say);
  if (refusal === null) throw error;
  const reply = await form.page(visit.reopened(path, { form: form.name, preview: null, ...refusal }));
  if (reply.kind !== 'page') return reply;
  // The page has lost the form, such as after the object has ended. Its reasons are shown above the page then.
  if (!reply.document.includes(` id="${form.name}`))
    return refused(visit.link(path), reasonsOf(refusal).join(' '));
  return { ...reply, status: 422 };
}
