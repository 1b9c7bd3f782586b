import type { AppDeps } from '../../api/frame/deps.ts';
import { type Store, StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import type { TrafficLimiter } from '../../http/traffic-limiter.ts';
import { csrfTokenOf, hasCsrfToken } from '../../identity/csrf-token.ts';
import { findPortal, type Portal } from '../../portal/find-portal.ts';
import { holdPayerSession, type ProvenCustomer, provenCustomer } from '../../portal/sessions.ts';
import { readForm } from '../frame/form-body.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageContext } from '../frame/page-context.ts';
import { PortalCookies } from './cookies.ts';

export interface PortalDeps extends AppDeps {
  readonly trafficLimiter: TrafficLimiter;
}

/** A request for a portal that exists, by anyone who has its link. */
export interface Arrival {
  readonly ctx: PageContext;
  readonly deps: PortalDeps;
  readonly cookies: PortalCookies;
  readonly em: Em;
  readonly portal: Portal;
  readonly store: Store;
  /** The portal's own address: `/portal/<id>`. */
  readonly path: string;
  /** The service's time, for codes and sessions. */
  readonly now: Date;
}

/** A request of the portal's customer, who has proven their address. */
export interface PayerVisit extends Arrival {
  readonly customer: ProvenCustomer;
  readonly csrfToken: string;
  /** The store's time, which differs if the clock of its dev environment was moved. */
  readonly storeNow: Date;
}

/** @throws NoticeError 404, the same for a link that never existed and for a customer who was deleted. */
export async function arrivalOf(ctx: PageContext, deps: PortalDeps): Promise<Arrival> {
  const em = deps.database.em.fork();
  const id = ctx.params.id ?? '';
  const portal = await findPortal(em, id);
  if (portal === null) throw new NoticeError(404, NOTICES.noPortal);
  const store = await em.findOneOrFail(StoreEntity, { id: portal.customer.storeId });
  const cookies = new PortalCookies(deps.publicUrl);
  return { ctx, deps, cookies, em, portal, store, path: `/portal/${id}`, now: deps.clock() };
}

/** The visit of the portal's customer; null if nobody, or somebody else, is signed in. */
export async function visitOf(arrival: Arrival): Promise<PayerVisit | null> {
  const { ctx, cookies, em, portal, now } = arrival;
  const tokenText = cookies.session(ctx);
  const customer = await provenCustomer(em, tokenText, portal.customer, now);
  if (customer === null || tokenText === undefined) return null;
  const storeNow = await storeTimeOf(em, customer, now);
  return { ...arrival, customer, csrfToken: csrfTokenOf(tokenText), storeNow };
}

/** The fields of a form of this session. @throws NoticeError 403 if a page of another session has sent it. */
export async function ownForm({ ctx, csrfToken }: PayerVisit): Promise<URLSearchParams> {
  const form = await readForm(ctx.req);
  if (hasCsrfToken(form, csrfToken)) return form;
  throw new NoticeError(403, NOTICES.otherSite);
}

/** The session has ended since the request began. */
export class SessionEnded extends Error {
  constructor() {
    super('the session of the payer has ended');
    this.name = 'SessionEnded';
  }
}

/** Keeps the payer's session from ending until the transaction of their action does. @throws SessionEnded */
export async function requireSession(em: Em, { ctx, cookies, customer, deps }: PayerVisit): Promise<void> {
  if (!(await holdPayerSession(em, cookies.session(ctx), customer, deps.clock()))) throw new SessionEnded();
}
