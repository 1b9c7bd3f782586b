import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { endPayerSession } from '../../portal/sessions.ts';
import { type PageContext, type PageState, seeOther } from '../frame/page-context.ts';
import { pageSecurityHeaders } from '../frame/security-headers.ts';
import { servePayPage } from '../frame/serve-pay-page.ts';
import { showAuthorize, takeAuthorize } from './authorize-debits.ts';
import { showCardForm, showChange, takeCard } from './change-card.ts';
import { showDetails, takeDetails } from './change-details.ts';
import { showEmailCode, showEmailForm, takeEmailCode, takeNewEmail } from './change-email.ts';
import { showPlans, takePlan } from './change-plan.ts';
import { showCodePage, showDoor, takeCode, takeEmail } from './door.ts';
import { showHome } from './home.ts';
import { downloadInvoice } from './invoice-file.ts';
import { downloadData } from './own-data.ts';
import { showRefundRequest, takeRefundRequest } from './refund-request.ts';
import { takeReminderChoice } from './reminders.ts';
import { showAction, takeAction } from './subscription-actions.ts';
import {
  type Arrival,
  arrivalOf,
  ownForm,
  type PayerVisit,
  type PortalDeps,
  SessionEnded,
  visitOf,
} from './visit.ts';

const PORTAL = '/portal/:id';
const CARD = `${PORTAL}/subscriptions/:subscriptionId/card`;
const CHANGE = `${CARD}/:changeId`;
const PLAN = `${PORTAL}/subscriptions/:subscriptionId/plan`;
const AUTHORIZE = `${PORTAL}/subscriptions/:subscriptionId/authorize`;
const DETAILS = `${PORTAL}/details`;
const EMAIL = `${DETAILS}/email`;
const EMAIL_CODE = `${EMAIL}/code`;
const INVOICE = `${PORTAL}/payments/:chargeId/invoice`;
const REFUND = `${PORTAL}/payments/:chargeId/refund`;
const ACTION = `${PORTAL}/subscriptions/:subscriptionId/:action`;

/** The customer portal (docs/decisions/0012-personal-data.md). */
export function portalRouter(deps: PortalDeps): Router<PageState, DefaultContext> {
  const router = new Router<PageState, DefaultContext>();
  const headers = pageSecurityHeaders({ https: deps.publicUrl.startsWith('https:') });
  const anyone = (path: string, work: (arrival: Arrival) => void | Promise<void>) => (ctx: PageContext) => {
    ctx.set(headers);
    return servePayPage(ctx, path, deps, async () => work(await arrivalOf(ctx, deps)));
  };
  /** A form of somebody who is not signed in any more leads to the door. */
  const form = (path: string, work: (visit: PayerVisit, form: URLSearchParams) => Promise<void>) =>
    anyone(path, async (arrival) => {
      const visit = await visitOf(arrival);
      if (visit === null) return seeOther(arrival.ctx, arrival.path);
      try {
        await work(visit, await ownForm(visit));
      } catch (error) {
        if (!(error instanceof SessionEnded)) throw error;
        seeOther(arrival.ctx, arrival.path);
      }
    });
  const page = (path: string, work: (visit: PayerVisit) => void | Promise<void>) =>
    anyone(path, async (arrival) => {
      const visit = await visitOf(arrival);
      return visit === null ? seeOther(arrival.ctx, arrival.path) : work(visit);
    });
  router.get(PORTAL, anyone(PORTAL, showPortal));
  router.post(PORTAL, anyone(PORTAL, takeEmail));
  router.get(`${PORTAL}/code`, anyone(`${PORTAL}/code`, showCodePage));
  router.post(`${PORTAL}/code`, anyone(`${PORTAL}/code`, takeCode));
  router.get(`${PORTAL}/data`, page(`${PORTAL}/data`, downloadData));
  router.get(DETAILS, page(DETAILS, showDetails));
  router.post(DETAILS, form(DETAILS, takeDetails));
  router.get(EMAIL, page(EMAIL, showEmailForm));
  router.post(EMAIL, form(EMAIL, takeNewEmail));
  router.get(EMAIL_CODE, page(EMAIL_CODE, showEmailCode));
  router.post(EMAIL_CODE, form(EMAIL_CODE, takeEmailCode));
  router.get(INVOICE, page(INVOICE, downloadInvoice));
  router.get(REFUND, page(REFUND, showRefundRequest));
  router.post(REFUND, form(REFUND, takeRefundRequest));
  router.get(CARD, page(CARD, showCardForm));
  router.post(CARD, form(CARD, takeCard));
  router.get(CHANGE, page(CHANGE, showChange));
  router.get(PLAN, page(PLAN, showPlans));
  router.post(PLAN, form(PLAN, takePlan));
  router.get(AUTHORIZE, page(AUTHORIZE, showAuthorize));
  router.post(AUTHORIZE, form(AUTHORIZE, takeAuthorize));
  router.get(ACTION, page(ACTION, showAction));
  router.post(ACTION, form(ACTION, takeAction));
  router.post(`${PORTAL}/reminders`, form(`${PORTAL}/reminders`, takeReminderChoice));
  router.post(`${PORTAL}/leave`, form(`${PORTAL}/leave`, leave));
  return router;
}

async function showPortal(arrival: Arrival): Promise<void> {
  const visit = await visitOf(arrival);
  return visit === null ? showDoor(arrival) : showHome(visit);
}

async function leave({ ctx, cookies, em, path, now }: PayerVisit): Promise<void> {
  await endPayerSession(em, cookies.session(ctx), now);
  seeOther(ctx, path);
}
