import type { Case } from './case.ts';
import { CHARGES, EVENTS, KEYS, MONEY } from './cases/charges.ts';
import { CHECKOUTS, SUBSCRIPTIONS } from './cases/checkouts.ts';
import { CUSTOMERS } from './cases/customers.ts';
import { PRODUCTS } from './cases/products.ts';
import { SUB_ACCOUNTS } from './cases/sub-accounts.ts';

/**
 * The facts of AbacatePay's documentation of autumn 2026, in the order of the replay. Later requests may delete objects that
 * earlier ones have read.
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
