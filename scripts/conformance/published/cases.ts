import type { Case } from './case.ts';
import { CHARGES, EVENTS, KEYS, MONEY } from './cases/charges.ts';
import { CHECKOUTS, SUBSCRIPTIONS } from './cases/checkouts.ts';
import { CUSTOMERS } from './cases/customers.ts';
import { PRODUCTS } from './cases/products.ts';
import { SUB_ACCOUNTS } from './cases/sub-accounts.ts';

/**
 * What AbacatePay's documentation of autumn 2026 says of its API, in the order in which it is replayed: later requests may delete
 * what earlier ones have found.
 */
export const CASES: readonly Case[] = [
  ...MONEY,
  ...SUB_ACCOUNTS,
  ...EVENTS,
  ...CHARGES,
  ...CUSTOMERS,
  ...CHECKOUTS,
  ...SUBSCRIPTIONS,
  ...PRODUCTS,
  ...KEYS,
];
