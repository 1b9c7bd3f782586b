import type { DashboardRoute } from '../frame/route.ts';
import { paymentActions } from './actions.ts';
import { paymentDetail } from './detail.ts';
import { evidenceActions } from './evidence-actions.ts';
import { evidencePage } from './evidence-page.ts';
import { paymentsList } from './list.ts';

export const paymentPages: readonly DashboardRoute[] = [
  paymentsList,
  paymentDetail,
  ...paymentActions,
  evidencePage,
  ...evidenceActions,
];
