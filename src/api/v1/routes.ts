import type { Route } from '../frame/route.ts';
import { publicMrrRoutes } from '../public-mrr/routes.ts';
import { storeRoutes } from '../store/routes.ts';
import { v1BillingRoutes } from './billing/routes.ts';
import { v1CouponRoutes } from './coupon.ts';
import { v1CustomerRoutes } from './customer.ts';
import { v1PixQrCodeRoutes } from './pix-qr-code/routes.ts';
import { v1WebhookRoutes } from './webhook.ts';
import { v1WithdrawRoutes } from './withdraw.ts';

/** Operations of v2 that v1 has too. Only the envelope differs (contract section 3). */
const sharedRoutes = [...storeRoutes, ...publicMrrRoutes].map(
  (shared): Route => ({ ...shared, path: `/v1${shared.path}` }),
);

/** v2 objects in the v1 format (contract section 3, "v1"). */
export const v1Routes: readonly Route[] = [
  ...v1CustomerRoutes,
  ...v1CouponRoutes,
  ...v1BillingRoutes,
  ...v1PixQrCodeRoutes,
  ...v1WithdrawRoutes,
  ...v1WebhookRoutes,
  ...sharedRoutes,
];
