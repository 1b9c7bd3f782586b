import type { Action } from '../../domain/role.ts';

/** An entry of the menu. */
export interface NavigationEntry {
  readonly id: string;
  /** Behind store and environment. */
  readonly path: `/${string}`;
  readonly action: Action;
  readonly name: readonly [portuguese: string, english: string];
  readonly devModeOnly?: true;
}

/** The menu, in groups: what a role may not do is not in its menu. */
export const NAVIGATION = [
  [{ id: 'home', path: '/', action: 'read', name: ['Início', 'Home'] }],
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
    { id: 'team', path: '/team', action: 'team', name: ['Equipe', 'Team'] },
    { id: 'audit', path: '/audit', action: 'audit:read', name: ['Auditoria', 'Audit log'] },
  ],
] as const satisfies readonly (readonly NavigationEntry[])[];

/** Which entry of the menu a page belongs to; null for none. */
export type NavigationId = (typeof NAVIGATION)[number][number]['id'] | null;
