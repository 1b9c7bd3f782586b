/** A person's role in a store. It may differ in another store. */
export const ROLES = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** The rank of a role: developer and finance have the same. */
const RANKS = { owner: 3, developer: 2, finance: 2, support: 1, viewer: 0 } as const satisfies Record<
  Role,
  number
>;

/** Whether a role is above another one. */
export function isHigher(role: Role, than: Role): boolean {
  return RANKS[role] > RANKS[than];
}

/**
 * The dashboard's actions, and the roles that may do them. Each page and form requires one, and the server checks
 * it (docs/guides/dashboard.md shows the table).
 */
const ROLES_OF = {
  /** Everything that no other action protects. */
  read: ['owner', 'developer', 'finance', 'support', 'viewer'],
  /** The PIX keys and accounts that payouts and transfers went to. */
  'payout-targets:read': ['owner', 'finance'],
  /** Make and change checkouts, links, products, coupons, customers and subscriptions. */
  sell: ['owner'],
  refund: ['owner', 'finance'],
  /** Payouts and transfers: the password is asked for again. */
  payout: ['owner', 'finance'],
  /** Payouts and transfers of others that wait for an approval: the password is asked for again. */
  'payout:approve': ['owner', 'finance'],
  /** Limits of payouts, and who needs a second factor: the password and a code are asked for again. */
  'payout-controls': ['owner'],
  /** Accounts at banks and other providers, where real money goes: the password and a code are asked for again. */
  'provider-account:manage': ['owner'],
  'receipt:resend': ['owner', 'support'],
  'dev-key:manage': ['owner', 'developer'],
  /** Keys that move real money: the password is asked for again. */
  'prod-key:manage': ['owner'],
  'webhook:manage': ['owner', 'developer'],
  'webhook:resend': ['owner', 'developer', 'support'],
  /** Have the sandbox bank pay, decline or dispute. In dev mode only. */
  sandbox: ['owner', 'developer'],
  settings: ['owner'],
  team: ['owner'],
  'audit:read': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ROLES_OF;

export const ACTIONS = Object.keys(ROLES_OF) as readonly Action[];

/** Whether this role may do the action. */
export function can(role: Role, action: Action): boolean {
  return (ROLES_OF[action] as readonly Role[]).includes(role);
}

/** Whether the role sees whole tax ids of customers. The others see them masked, because their work needs no more. */
export function seesTaxIds(role: Role): boolean {
  return role !== 'developer' && role !== 'viewer';
}
