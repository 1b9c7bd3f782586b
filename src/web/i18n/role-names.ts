import type { Role } from '../../domain/role.ts';
import type { MessageKey } from './catalogs.ts';

/** The name of each role. */
export const ROLE_NAMES: Readonly<Record<Role, MessageKey>> = {
  owner: 'dashboard.role.owner',
  developer: 'dashboard.role.developer',
  finance: 'dashboard.role.finance',
  support: 'dashboard.role.support',
  viewer: 'dashboard.role.viewer',
};
