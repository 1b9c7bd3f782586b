import { lastPlace } from '../../api/events/events-in-order.ts';
import { beginningAt } from '../../api/events/routes.ts';
import { subjectIdsOf } from '../../events/subjects.ts';
import { livingSessions, sessionAtStore } from '../../identity/sessions.ts';
import { type Html, html } from '../../pages/frame/html.ts';
import { type DashboardRoute, dashboardRoute, nothingHere } from './route.ts';
import type { Visit } from './visit.ts';

/**
 * What happens in this environment, as server-sent events that say no more than what each is about: the page that listens
 * fetches itself again. It ends with the session.
 */
export const live: DashboardRoute = dashboardRoute({
  method: 'GET',
  path: '/live',
  action: 'read',
  async handler({ deps, caller, query, user, request }) {
    // A browser that begins again says itself after which event.
    const after = request.headers['last-event-id'] ?? query.get('after');
    if (typeof after !== 'string') throw nothingHere();
    const body = deps.eventStreams.open({
      caller,
      listener: {
        id: sessionAtStore(user.sessionId, caller.storeId),
        stillServing: livingSessions,
        personId: user.id,
      },
      place: await beginningAt(deps.database, caller, after),
      names: null,
      subscribed: [],
      format: (event) => `data: ${JSON.stringify(subjectIdsOf(event))}`,
    });
    return { kind: 'stream', body };
  },
});

/**
 * What says to the script of a page that its {@link livePart}s change with what happens. It is made before what the page
 * shows is read, so that nothing happens unheard in between.
 * @returns makes it of the ids that what happens is about, one of them at least; of none for whatever happens.
 */
export async function listening(visit: Visit): Promise<(...about: readonly (string | null)[]) => Html> {
  const { id } = await lastPlace(visit.deps.database, visit.caller);
  return (...about) =>
    html`<div hidden data-live="${visit.link('/live')}" data-live-after="${id}" data-live-about="${about.filter((each) => each !== null).join(' ')}"></div>`;
}

/** A part of a page that is replaced while it is looked at. @param id of it on the page. */
export function livePart(id: string, part: Html | null): Html {
  return html`<div id="${id}" data-live-part>${part}</div>`;
}
