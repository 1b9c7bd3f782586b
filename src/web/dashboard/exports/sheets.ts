import { invoicesSheet } from './invoices-sheet.ts';
import { deliveriesSheet, payoutsSheet, statementSheet, transfersSheet } from './money-sheets.ts';
import { paidSheet, paymentsSheet } from './payments-sheet.ts';
import { customersSheet, subscriptionsSheet } from './people-sheets.ts';
import { checkoutsSheet, linksSheet, productsSheet } from './sales-sheets.ts';
import type { Sheet } from './sheet.ts';

/** Every sheet that a store can download, as people choose from them. */
export const SHEETS: readonly Sheet[] = [
  paidSheet,
  paymentsSheet,
  invoicesSheet,
  statementSheet,
  payoutsSheet,
  transfersSheet,
  customersSheet,
  subscriptionsSheet,
  checkoutsSheet,
  linksSheet,
  productsSheet,
  deliveriesSheet,
];
