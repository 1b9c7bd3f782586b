import { lastPlace } from '../../../api/events/events-in-order.ts';
import { beginningAt } from '../../../api/events/routes.ts';
import { subjectIdsOf } from '../../../events/subjects.ts';
import { activeSessions, sessionAtStore } from '../../../identity/sessions.ts';
import { type Html, html } from '../../frame/html.ts';
import { type DashboardRoute, dashboardRoute, nothingHere } from './route.ts';
import type { Visit } from './visit.ts';

/**
 * Server-sent events for what happens in this environment. Each names only the ids it is about; the page then reloads itself. The
 * stream ends with the session.
 */
export const live: DashboardRoute = dashboardRoute({
  method: 'GET',
  path: '/live',
  action: 'read',
  async handler({ deps, caller, query, user, request }) {
    // A reconnecting browser sends the id of the last event it received.
    const after = request.headers['last-event-id'] ?? query.get('after');
    if (typeof after !== 'string') throw nothingHere();
    const body = deps.eventStreams.open({
      caller,
      listener: {
        id: sessionAtStore(user.sessionId, caller.storeId),
        stillServing: activeSessions,
        personId: user.id,
      },
      ...(await beginningAt(deps.database, caller, after)),
      names: null,
      subscribed: [],
      format: (event) => `data: ${JSON.stringify(subjectIdsOf(event))}`,
    });
    return { kind: 'stream', body };
  },
});

/**
 * Makes a page's {@link livePart}s update. Call it before reading what the page shows, so that no event is missed in between.
 * @returns creates the markup for the ids that the page is about. Without ids the page updates on every event.
 */
export async function listening(visit: Visit): Promise<(...about: readonly (string | null)[]) => Html> {
  const { id } = await lastPlace(visit.deps.database, visit.caller);
  return (...about) =>
    html`<div hidden data-live="${visit.link('/live')}" data-live-after="${id}" data-live-about="${about.filter((each) => each !== null).join(' ')}"></div>`;
}

/** A part of a page that is replaced by live updates. @param id of the element on the page. */
export function livePart(id: string, part: Html | null): Html {
  return html`<div id="${id}" data-live-part>${part}</div>`;
}
