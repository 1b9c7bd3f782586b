import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DatabaseSchema, SchemaComparator, type SchemaDifference } from '@mikro-orm/postgresql';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

/** Tables that statements and triggers alone write: nothing reads their rows as entities. */
const WITHOUT_ENTITY = [
  'anonymous_traffic',
  'audit_chains',
  'audit_checkpoints',
  'card_erasures',
  'charge_orders',
  'checkout_external_ids',
  'clearing_balances',
  'clearing_checkpoints',
  'consent_mails',
  'daily_payments',
  'data_keys',
  'dispute_evidence',
  'dispute_fees',
  'dispute_files',
  'dispute_withdrawals',
  'endpoint_breakers',
  'event_readers',
  'excess_takings',
  'expected_audit_lines',
  'invitation_mails',
  'invoice_counters',
  'invoice_mails',
  'ledger_balances',
  'ledger_checkpoints',
  'ledger_movements',
  'metadata_entries',
  'money_orders',
  'mrr_changes',
  'nfse_counters',
  'notice_mails',
  'order_claims',
  'provider_account_listings',
  'provider_account_uses',
  'provider_statement_days',
  'receipt_mails',
  'sandbox_cards',
  'sandbox_verifications',
  'shared_rates',
  'statement_entries',
  'store_clocks',
  'subscription_totals',
  'usage_totals',
  'workflow_generations',
];

let migrated: TestDatabase;
let drift: SchemaDifference;
beforeAll(async () => {
  migrated = await createTestDatabase();
  const { config, driver } = migrated.database;
  const platform = driver.getPlatform();
  // Virtual entities, which a query reads, have no table.
  const tables = [...migrated.database.getMetadata().getAll().values()].filter(({ virtual }) => !virtual);
  drift = new SchemaComparator(platform).compare(
    await DatabaseSchema.create(driver.getConnection(), platform, config),
    DatabaseSchema.fromMetadata(tables, platform, config),
  );
});
afterAll(() => migrated.drop());

it('matches every entity to a table, and every other table to a listed exception', () => {
  expect(Object.keys(drift.newTables)).toEqual([]);
  const removed = Object.values(drift.removedTables).map(({ name }) => name);
  expect(removed.filter((name) => name !== 'migrations').sort()).toEqual(WITHOUT_ENTITY);
});

/**
 * Entities describe only the columns of a table, as that is all the EntityManager needs: indexes, checks,
 * keys to other tables and triggers stand in the migrations alone, and tests of what they guarantee.
 */
it('describes every column as the migrations create it', () => {
  const differences = Object.values(drift.changedTables).flatMap(
    ({ name, addedColumns, changedColumns, removedColumns, renamedColumns }) => [
      ...Object.keys(addedColumns).map((column) => `${name}.${column} is not there`),
      ...Object.keys(removedColumns).map((column) => `${name}.${column} is not described`),
      ...Object.keys(renamedColumns).map((column) => `${name}.${column} has another name`),
      ...Object.entries(changedColumns).map(
        ([column, { changedProperties }]) =>
          `${name}.${column} differs in ${[...changedProperties].join(', ')}`,
      ),
    ],
  );
  expect(differences).toEqual([]);
});
