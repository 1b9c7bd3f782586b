import type { Role } from '../domain/role.ts';

/** The name of each role, in Portuguese and English. */
export const ROLE_NAMES: Readonly<Record<Role, readonly [portuguese: string, english: string]>> = {
  owner: ['dono', 'owner'],
  developer: ['desenvolvimento', 'developer'],
  finance: ['financeiro', 'finance'],
  support: ['atendimento', 'support'],
  viewer: ['só leitura', 'viewer'],
};
