import type { DashboardRoute } from '../frame/route.ts';
import { paymentActions } from './actions.ts';
import { paymentDetail } from './detail.ts';
import { paymentsList } from './list.ts';

export const paymentPages: readonly DashboardRoute[] = [paymentsList, paymentDetail, ...paymentActions];
