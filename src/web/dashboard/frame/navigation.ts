import type { Action } from '../../../domain/role.ts';

/** An entry of the menu. */
export interface NavigationEntry {
  readonly id: string;
  /** Relative to store and environment. */
  readonly path: `/${string}`;
  readonly action: Action;
  readonly name: readonly [portuguese: string, english: string];
  readonly devModeOnly?: true;
}

/** The menu by groups. It omits entries that the role may not use. */
export const NAVIGATION = [
  [
    { id: 'home', path: '/', action: 'read', name: ['Início', 'Home'] },
    { id: 'payments', path: '/payments', action: 'read', name: ['Pagamentos', 'Payments'] },
    { id: 'subscriptions', path: '/subscriptions', action: 'read', name: ['Assinaturas', 'Subscriptions'] },
    {
      id: 'checkouts',
      path: '/checkouts',
      action: 'read',
      name: ['Checkouts e links', 'Checkouts and links'],
    },
    { id: 'customers', path: '/customers', action: 'read', name: ['Clientes', 'Customers'] },
    { id: 'products', path: '/products', action: 'read', name: ['Produtos', 'Products'] },
    { id: 'coupons', path: '/coupons', action: 'read', name: ['Cupons', 'Coupons'] },
    { id: 'balance', path: '/balance', action: 'read', name: ['Extrato', 'Statement'] },
    { id: 'payouts', path: '/payouts', action: 'read', name: ['Repasses', 'Payouts'] },
    {
      id: 'approvals',
      path: '/approvals',
      action: 'payout:approve',
      name: ['Aprovações', 'Approvals'],
    },
  ],
  [
    { id: 'keys', path: '/keys', action: 'dev-key:manage', name: ['Chaves de API', 'API keys'] },
    { id: 'webhooks', path: '/webhooks', action: 'read', name: ['Webhooks', 'Webhooks'] },
    { id: 'events', path: '/events', action: 'read', name: ['Eventos', 'Events'] },
    {
      id: 'sandbox',
      path: '/sandbox',
      action: 'sandbox',
      name: ['Banco de teste', 'Sandbox bank'],
      devModeOnly: true,
    },
  ],
  [
    { id: 'settings', path: '/settings', action: 'settings', name: ['Loja', 'Store'] },
    { id: 'controls', path: '/controls', action: 'payout-controls', name: ['Controles', 'Controls'] },
    { id: 'team', path: '/team', action: 'team', name: ['Equipe', 'Team'] },
    { id: 'audit', path: '/audit', action: 'audit:read', name: ['Auditoria', 'Audit log'] },
  ],
] as const satisfies readonly (readonly NavigationEntry[])[];

/** The menu entry that a page belongs to; null if it belongs to none. */
export type NavigationId = (typeof NAVIGATION)[number][number]['id'] | null;
