import type { Readable } from 'node:stream';
import type { Action } from '../../domain/role.ts';
import type { Flash } from './cookies.ts';
import type { Visit } from './visit.ts';

/** What a page or form answers with. */
export type Reply =
  | { readonly kind: 'page'; readonly status: number; readonly document: string }
  | { readonly kind: 'redirect'; readonly to: string; readonly flash: Flash | null }
  | { readonly kind: 'stream'; readonly body: Readable }
  | { readonly kind: 'file'; readonly name: string; readonly contentType: string; readonly body: string };

/** A page of the dashboard, or a form. Made by {@link dashboardRoute}. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Behind `/dashboard/<store>/<environment>`: `/webhooks/:id`. */
  readonly path: `/${string}`;
  /** What the reader's role must allow. */
  readonly action: Action;
  /** Of what dev mode alone has: in production it is not there. */
  readonly devModeOnly?: true;
  /** About the person: open to members without a second factor of a store that asks for one, so that they can set it up. */
  readonly isOfPerson?: true;
  readonly handler: (visit: Visit) => Promise<Reply>;
}

/**
 * A page, or a form that was posted. Its handler runs once the reader is signed in, is something to the store and may do
 * `action`; of a form, once it is known to come from a page of this very session.
 */
export function dashboardRoute(route: DashboardRoute): DashboardRoute {
  return route;
}

/** Sent on to a page that can be loaded again without sending the form again. @param done what it tells. */
export function seeOther(to: string, done?: string): Reply {
  return { kind: 'redirect', to, flash: done === undefined ? null : { kind: 'done', text: done } };
}

/** The same, telling what was wrong. */
export function refused(to: string, why: string): Reply {
  return { kind: 'redirect', to, flash: { kind: 'refused', text: why } };
}

/** A file of rows. */
export function csvFile(name: string, body: string): Reply {
  return { kind: 'file', name, contentType: 'text/csv; charset=utf-8; header=present', body };
}

/** A request that ends with a page that says why. The texts are Portuguese and English. */
export class Refusal extends Error {
  readonly status: number;
  readonly texts: readonly [portuguese: string, english: string];

  constructor(status: number, portuguese: string, english: string) {
    super(english);
    this.name = 'Refusal';
    this.status = status;
    this.texts = [portuguese, english];
  }
}

/** The same whether there is no such thing or it is another store's. */
export function nothingHere(): Refusal {
  return new Refusal(404, 'Não há nada neste endereço.', 'There is nothing at this address.');
}
