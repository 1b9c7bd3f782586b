import type { Action } from '../../../domain/role.ts';
import type { Icon } from '../../frame/icons.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';

/** An entry of the menu. */
export interface NavigationEntry {
  readonly id: string;
  /** Relative to store and environment. */
  readonly path: `/${string}`;
  readonly action: Action;
  readonly icon: Icon;
  readonly name: MessageKey;
  readonly devModeOnly?: true;
}

/** The menu by groups. It omits entries that the role may not use. */
export const NAVIGATION = [
  [
    { id: 'home', icon: 'house', path: '/', action: 'read', name: 'dashboard.frame.home' },
    {
      id: 'payments',
      icon: 'credit-card',
      path: '/payments',
      action: 'read',
      name: 'dashboard.payments',
    },
    {
      id: 'subscriptions',
      icon: 'repeat',
      path: '/subscriptions',
      action: 'read',
      name: 'dashboard.subscriptions',
    },
    {
      id: 'checkouts',
      icon: 'shopping-cart',
      path: '/checkouts',
      action: 'read',
      name: 'dashboard.checkoutsAndLinks',
    },
    {
      id: 'invoices',
      icon: 'receipt-text',
      path: '/invoices',
      action: 'read',
      name: 'dashboard.invoices',
    },
    { id: 'customers', icon: 'users', path: '/customers', action: 'read', name: 'dashboard.customers' },
    { id: 'products', icon: 'package', path: '/products', action: 'read', name: 'dashboard.products' },
    { id: 'coupons', icon: 'ticket-percent', path: '/coupons', action: 'read', name: 'dashboard.coupons' },
    { id: 'balance', icon: 'scroll-text', path: '/balance', action: 'read', name: 'dashboard.statement' },
    { id: 'payouts', icon: 'banknote', path: '/payouts', action: 'read', name: 'dashboard.payouts' },
    {
      id: 'sub-accounts',
      icon: 'split',
      path: '/sub-accounts',
      action: 'read',
      name: 'dashboard.subAccounts.title',
    },
    {
      id: 'approvals',
      icon: 'badge-check',
      path: '/approvals',
      action: 'payout:approve',
      name: 'dashboard.approvals',
    },
    { id: 'exports', icon: 'download', path: '/exports', action: 'read', name: 'dashboard.export' },
  ],
  [
    {
      id: 'keys',
      icon: 'key-round',
      path: '/keys',
      action: 'dev-key:manage',
      name: 'dashboard.apiKeys',
    },
    { id: 'webhooks', icon: 'webhook', path: '/webhooks', action: 'read', name: 'dashboard.webhooks' },
    { id: 'events', icon: 'activity', path: '/events', action: 'read', name: 'dashboard.events' },
    {
      id: 'sandbox',
      icon: 'flask-conical',
      path: '/sandbox',
      action: 'sandbox',
      name: 'dashboard.sandboxBank',
      devModeOnly: true,
    },
  ],
  [
    { id: 'settings', icon: 'store', path: '/settings', action: 'settings', name: 'dashboard.store' },
    {
      id: 'accounts',
      icon: 'landmark',
      path: '/accounts',
      action: 'provider-account:manage',
      name: 'dashboard.accounts.title',
    },
    {
      id: 'controls',
      icon: 'shield-check',
      path: '/controls',
      action: 'payout-controls',
      name: 'dashboard.controls',
    },
    { id: 'team', icon: 'users-round', path: '/team', action: 'team', name: 'dashboard.team' },
    { id: 'audit', icon: 'history', path: '/audit', action: 'audit:read', name: 'dashboard.auditLog' },
  ],
] as const satisfies readonly (readonly NavigationEntry[])[];

/** The headings of these groups. */
export const GROUP_NAMES = [
  'dashboard.frame.paymentsAndMoney',
  'dashboard.frame.integration',
  'dashboard.store',
] as const satisfies readonly MessageKey[];

/** The menu entry that a page belongs to; null if it belongs to none. */
export type NavigationId = (typeof NAVIGATION)[number][number]['id'] | null;
