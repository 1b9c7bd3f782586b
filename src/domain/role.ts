/** What a person is to a store. A person may be something else to another store. */
export const ROLES = ['owner', 'developer', 'finance', 'support'] as const;

export type Role = (typeof ROLES)[number];

/** How much a role may do, roughly: neither of developer and finance is above the other. */
const RANKS = { owner: 3, developer: 2, finance: 2, support: 1 } as const satisfies Record<Role, number>;

/** Whether a role is above another one. */
export function isHigher(role: Role, than: Role): boolean {
  return RANKS[role] > RANKS[than];
}

/**
 * What people do in the dashboard, and which roles may. Each page and form asks for one of them, and the server
 * checks it (docs/guides/dashboard.md shows the table).
 */
const ROLES_OF = {
  /** Everything but what other actions guard. */
  read: ['owner', 'developer', 'finance', 'support'],
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

/** Whether somebody of this role may do it. */
export function can(role: Role, action: Action): boolean {
  return (ROLES_OF[action] as readonly Role[]).includes(role);
}
