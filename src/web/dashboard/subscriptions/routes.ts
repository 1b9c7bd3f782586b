import type { DashboardRoute } from '../frame/route.ts';
import { subscriptionDetail } from './detail.ts';
import { subscriptionForms } from './forms.ts';
import { subscriptionList } from './list.ts';
import { mandateForms } from './mandate-forms.ts';

export const subscriptionPages: readonly DashboardRoute[] = [
  subscriptionList,
  subscriptionDetail,
  ...subscriptionForms(subscriptionDetail.handler),
  ...mandateForms(subscriptionDetail.handler),
];
