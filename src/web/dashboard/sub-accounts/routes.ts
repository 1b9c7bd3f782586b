import type { DashboardRoute } from '../frame/route.ts';
import { holderForm, subAccountDetail, withdrawForm } from './detail.ts';
import { createSubAccountForm, subAccountList } from './list.ts';

/** Money of third parties, apart from the store's balance. */
export const subAccountPages: readonly DashboardRoute[] = [
  subAccountList,
  createSubAccountForm,
  subAccountDetail,
  holderForm,
  withdrawForm,
];
