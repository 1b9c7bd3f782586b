import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { exampleNfseSettings, nfseSettingsIn } from '../../src/api/invoices/nfse/settings-schema.ts';
import { acceptPayment } from '../../src/charges/acceptance/accept-payment.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import { NfseEntity } from '../../src/database/entities/nfse.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { mintId } from '../../src/ids.ts';
import { issueInvoices } from '../../src/invoices/issue-invoices.ts';
import { issueByHand } from '../../src/invoices/nfse/issue-by-hand.ts';
import { saveNfseSettings } from '../../src/invoices/nfse/nfse-settings.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertCharge, insertCheckout, NOON, type Shop } from '../support/rows/checkout-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const PAYMENTS = 120;
const MOST_PAYMENTS = 10 * PAYMENTS;

let fixture: BareFixture;
/** Another process. */
let second: Database;
let shop: Shop;
beforeAll(async () => {
  fixture = await createBareFixture();
  second = await openDatabase(fixture.url, 8);
});
afterAll(async () => {
  await second.close(true);
  await fixture.close();
});
beforeEach(async () => {
  shop = await fixture.withNewStore();
  const owner = { storeId: shop.storeId, devMode: true };
  await saveNfseSettings(fixture.database.em.fork(), owner, nfseSettingsIn(exampleNfseSettings), NOON);
});

const depsOf = (database: Database) => ({
  ...{ database, startDelivery: async () => {}, sendsMail: false, log: SILENT_LOG },
});

/** Pays a link once, as an activity does. */
async function pay(link: Awaited<ReturnType<typeof insertCheckout>>) {
  const charge = await insertCharge(shop, link, 'PIX');
  const payment = {
    providerPaymentId: mintId<string>('payment', NOON),
    reference: charge.providerReference,
    amountCents: charge.amountCents,
    paidAt: NOON,
    payer: { name: 'Ana Souza', taxId: '52998224725' },
    endToEndIdentifier: null,
  };
  const em = fixture.database.em.fork();
  expect(await acceptPayment(em, charge, 'sandbox', payment as never, NOON, 'https://r.test')).not.toBeNull();
}

it('numbers every DPS once and without gaps, also after killed issuers and requests', async () => {
  const link = await insertCheckout(shop, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
  const over = new AbortController();
  const issue = async (database: Database) => {
    while (!over.signal.aborted) {
      await issueInvoices(depsOf(database), new Date()).catch(() => {});
      await delay(1);
    }
  };
  /** Somebody asks for the DPS of invoices that the issuers may be publishing. */
  const request = async () => {
    while (!over.signal.aborted) {
      const invoices = await second.em.fork().find(InvoiceEntity, { storeId: shop.storeId }, { limit: 5 });
      for (const { id } of invoices)
        await second.em
          .fork()
          .transactional((tx) => issueByHand(tx, id, { omitsPayer: false }, { now: NOON, realNow: NOON }))
          .catch(() => {});
      await delay(1);
    }
  };
  let kills = 0;
  const kill = async () => {
    const issuing = `select pg_terminate_backend(pid) as killed from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'
        and (query like '%' || 'insert into events' || '%' or query like '%' || 'nfse_counters' || '%') limit 1`;
    while (!over.signal.aborted) {
      const killed = await second.em
        .fork()
        .execute<unknown[]>(issuing)
        .catch(() => []);
      kills += killed.length;
      await delay(15);
    }
  };
  // Payments have the first pool, which nobody kills.
  const issuers = await openDatabase(fixture.url, 4);
  const others = [issue(issuers), issue(issuers), issue(second), request(), kill()];
  const payAll = () => Promise.all(Array.from({ length: PAYMENTS }, () => pay(link)));
  await payAll();
  let payments = PAYMENTS;
  // On a busy machine no issuer may have been caught yet.
  for (; kills === 0 && payments < MOST_PAYMENTS; payments += PAYMENTS) await payAll();
  over.abort();
  await Promise.all(others);
  while (await issueInvoices(depsOf(second), new Date()));
  await issueInvoices(depsOf(second), new Date());
  await issuers.close(true);
  const em = fixture.database.em.fork();
  const nfse = await em.find(NfseEntity, { storeId: shop.storeId }, { orderBy: { number: 'asc' } });
  expect(nfse.map(({ number }) => number)).toEqual(Array.from({ length: payments }, (_, nth) => nth + 1));
  expect(new Set(nfse.map(({ invoiceId }) => invoiceId)).size).toBe(payments);
  expect(kills).toBeGreaterThan(0);
  expect(await em.count(EventEntity, { storeId: shop.storeId, name: 'nfse.pending' })).toBe(payments);
}, 120_000);
