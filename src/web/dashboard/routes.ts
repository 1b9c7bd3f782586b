import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { ApiState } from '../../api/frame/state.ts';
import { accountPages } from './account/routes.ts';
import { accountsPages } from './accounts/routes.ts';
import { approvalPages } from './approvals/routes.ts';
import { auditPages } from './audit/routes.ts';
import { balancePages } from './balance/routes.ts';
import { couponPages } from './catalog/coupons.ts';
import { productPages } from './catalog/products.ts';
import { checkoutPages } from './checkouts/routes.ts';
import { controlPages } from './controls/routes.ts';
import { customerPages } from './customers/routes.ts';
import { eventPages } from './events/routes.ts';
import { exportPages } from './exports/routes.ts';
import type { DashboardDeps } from './frame/deps.ts';
import { live } from './frame/live.ts';
import { type DashboardRoute, nothingHere } from './frame/route.ts';
import { dashboardHeaders } from './frame/security-headers.ts';
import { addStoreRoutes, serveAnybody } from './frame/serve.ts';
import { homeRoutes } from './home/routes.ts';
import { invoicePages } from './invoices/routes.ts';
import { keyPages } from './keys/routes.ts';
import { paymentPages } from './payments/routes.ts';
import { sandboxPages } from './sandbox/routes.ts';
import { searchPages } from './search/routes.ts';
import { settingsPages } from './settings/routes.ts';
import { entryPage, takeEntry } from './sign-in/one-time-link.ts';
import { codePage, signInPage, takeSignIn, takeSignInCode } from './sign-in/sign-in.ts';
import { firstPage, storesPage } from './sign-in/stores-page.ts';
import { subAccountPages } from './sub-accounts/routes.ts';
import { subscriptionPages } from './subscriptions/routes.ts';
import { teamPages } from './team/routes.ts';
import { webhookPages } from './webhooks/routes.ts';

/** All pages and forms of a store, one line per group. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...homeRoutes,
  live,
  ...paymentPages,
  ...subscriptionPages,
  ...checkoutPages,
  ...invoicePages,
  ...customerPages,
  ...productPages,
  ...couponPages,
  ...balancePages,
  ...subAccountPages,
  ...approvalPages,
  ...exportPages,
  ...keyPages,
  ...webhookPages,
  ...eventPages,
  ...sandboxPages,
  ...searchPages,
  ...settingsPages,
  ...accountsPages,
  ...controlPages,
  ...teamPages,
  ...auditPages,
  ...accountPages,
];

/** The router of the dashboard. */
export function dashboardRouter(deps: DashboardDeps): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  const headers = dashboardHeaders(deps.publicUrl);
  router.use('/dashboard', (ctx, next) => {
    ctx.set(headers);
    return next();
  });
  const anybody = { '/dashboard': firstPage, '/dashboard/stores': storesPage };
  for (const [path, answer] of Object.entries(anybody)) router.get(path, serveAnybody(deps, path, answer));
  const gates = [
    ['/dashboard/sign-in', signInPage, takeSignIn],
    ['/dashboard/sign-in/code', codePage, takeSignInCode],
    ['/dashboard/enter/:token', entryPage, takeEntry],
  ] as const;
  for (const [path, show, take] of gates) {
    router.get(path, serveAnybody(deps, path, show));
    router.post(path, serveAnybody(deps, path, take));
  }
  addStoreRoutes(router, deps, DASHBOARD_ROUTES);
  const elsewhere = '/dashboard{/*rest}';
  router.all(
    elsewhere,
    serveAnybody(deps, elsewhere, () => Promise.reject(nothingHere())),
  );
  return router;
}
