import type { Action } from '../../../domain/role.ts';
import type { Icon } from '../../frame/icons.ts';

/** An entry of the menu. */
export interface NavigationEntry {
  readonly id: string;
  /** Relative to store and environment. */
  readonly path: `/${string}`;
  readonly action: Action;
  readonly icon: Icon;
  readonly name: readonly [portuguese: string, english: string];
  readonly devModeOnly?: true;
}

/** The menu by groups. It omits entries that the role may not use. */
export const NAVIGATION = [
  [
    { id: 'home', icon: 'house', path: '/', action: 'read', name: ['Início', 'Home'] },
    {
      id: 'payments',
      icon: 'credit-card',
      path: '/payments',
      action: 'read',
      name: ['Pagamentos', 'Payments'],
    },
    {
      id: 'subscriptions',
      icon: 'repeat',
      path: '/subscriptions',
      action: 'read',
      name: ['Assinaturas', 'Subscriptions'],
    },
    {
      id: 'checkouts',
      icon: 'shopping-cart',
      path: '/checkouts',
      action: 'read',
      name: ['Checkouts e links', 'Checkouts and links'],
    },
    { id: 'customers', icon: 'users', path: '/customers', action: 'read', name: ['Clientes', 'Customers'] },
    { id: 'products', icon: 'package', path: '/products', action: 'read', name: ['Produtos', 'Products'] },
    { id: 'coupons', icon: 'ticket-percent', path: '/coupons', action: 'read', name: ['Cupons', 'Coupons'] },
    { id: 'balance', icon: 'scroll-text', path: '/balance', action: 'read', name: ['Extrato', 'Statement'] },
    { id: 'payouts', icon: 'banknote', path: '/payouts', action: 'read', name: ['Repasses', 'Payouts'] },
    {
      id: 'approvals',
      icon: 'badge-check',
      path: '/approvals',
      action: 'payout:approve',
      name: ['Aprovações', 'Approvals'],
    },
    { id: 'exports', icon: 'download', path: '/exports', action: 'read', name: ['Exportar', 'Export'] },
  ],
  [
    {
      id: 'keys',
      icon: 'key-round',
      path: '/keys',
      action: 'dev-key:manage',
      name: ['Chaves de API', 'API keys'],
    },
    { id: 'webhooks', icon: 'webhook', path: '/webhooks', action: 'read', name: ['Webhooks', 'Webhooks'] },
    { id: 'events', icon: 'activity', path: '/events', action: 'read', name: ['Eventos', 'Events'] },
    {
      id: 'sandbox',
      icon: 'flask-conical',
      path: '/sandbox',
      action: 'sandbox',
      name: ['Banco de teste', 'Sandbox bank'],
      devModeOnly: true,
    },
  ],
  [
    { id: 'settings', icon: 'store', path: '/settings', action: 'settings', name: ['Loja', 'Store'] },
    {
      id: 'controls',
      icon: 'shield-check',
      path: '/controls',
      action: 'payout-controls',
      name: ['Controles', 'Controls'],
    },
    { id: 'team', icon: 'users-round', path: '/team', action: 'team', name: ['Equipe', 'Team'] },
    { id: 'audit', icon: 'history', path: '/audit', action: 'audit:read', name: ['Auditoria', 'Audit log'] },
  ],
] as const satisfies readonly (readonly NavigationEntry[])[];

/** The headings of these groups. */
export const GROUP_NAMES = [
  ['Pagamentos e dinheiro', 'Payments and money'],
  ['Integração', 'Integration'],
  ['Loja', 'Store'],
] as const satisfies readonly (readonly [portuguese: string, english: string])[];

/** The menu entry that a page belongs to; null if it belongs to none. */
export type NavigationId = (typeof NAVIGATION)[number][number]['id'] | null;
