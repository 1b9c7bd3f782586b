import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { acceptPayment } from '../../src/charges/acceptance/accept-payment.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { mintId } from '../../src/ids.ts';
import { type IssueDeps, issueInvoices, issueOf } from '../../src/invoices/issue-invoices.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertCharge, insertCheckout, NOON, type Shop } from '../support/rows/checkout-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const PAYMENTS = 200;
const MOST_PAYMENTS = 10 * PAYMENTS;
const NEW_YEAR = new Date('2027-01-01T03:00:00.000Z');

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
});

const depsOf = (database: Database, changes: Partial<IssueDeps> = {}): IssueDeps => ({
  database,
  startDelivery: async () => {},
  sendsMail: false,
  log: SILENT_LOG,
  ...changes,
});

async function openLink() {
  return insertCheckout(shop, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
}

/** Pays a link once, as an activity does. */
async function pay(database: Database, link: Awaited<ReturnType<typeof openLink>>, at = NOON) {
  const charge = await insertCharge(shop, link, 'PIX');
  const payment = {
    providerPaymentId: mintId<string>('payment', at),
    reference: charge.providerReference,
    amountCents: charge.amountCents,
    paidAt: NOON,
    payer: { name: 'Ana Souza', taxId: '52998224725' },
    endToEndIdentifier: null,
  };
  const accepted = await acceptPayment(
    database.em.fork(),
    charge,
    'sandbox',
    payment as never,
    at,
    'https://r.test',
  );
  expect(accepted).not.toBeNull();
}

const invoicesOf = () =>
  fixture.database.em
    .fork()
    .find(InvoiceEntity, { storeId: shop.storeId }, { orderBy: { numberYear: 'asc', numberInYear: 'asc' } });

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);

describe('the numbers of invoices', () => {
  it('leaves neither gaps nor doubles after 200 payments and killed issuers', async () => {
    const link = await openLink();
    await insertWebhook(fixture.database, {
      storeId: shop.storeId,
      events: ['invoice.created', 'invoice.paid'],
    });
    const over = new AbortController();
    const issue = async (database: Database) => {
      while (!over.signal.aborted) {
        await issueInvoices(depsOf(database), new Date()).catch(() => {});
        await delay(1);
      }
    };
    let kills = 0;
    const kill = async () => {
      const issuing = `select pg_terminate_backend(pid) as killed from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'
          and query like '%' || 'insert into events' || '%' limit 1`;
      while (!over.signal.aborted) {
        kills += (
          await second.em
            .fork()
            .execute<unknown[]>(issuing)
            .catch(() => [])
        ).length;
        await delay(15);
      }
    };
    // Payments have the first pool, which nobody kills: a payment that is interrupted is another test's.
    const issuers = await openDatabase(fixture.url, 4);
    const others = [issue(issuers), issue(issuers), issue(second), kill()];
    const payAll = () => Promise.all(upTo(PAYMENTS).map(() => pay(fixture.database, link)));
    await payAll();
    let payments = PAYMENTS;
    // On a busy machine no issuer may have been caught yet.
    for (; kills === 0 && payments < MOST_PAYMENTS; payments += PAYMENTS) await payAll();
    over.abort();
    await Promise.all(others);
    while (await issueInvoices(depsOf(second), new Date()));
    await issueInvoices(depsOf(second), new Date());
    await issuers.close(true);
    const invoices = await invoicesOf();
    expect(invoices.map(({ numberInYear }) => numberInYear)).toEqual(upTo(payments));
    expect(kills).toBeGreaterThan(0);
    const events = await fixture.database.em.fork().find(EventEntity, { storeId: shop.storeId });
    for (const name of ['invoice.created', 'invoice.paid'])
      expect(events.filter((event) => event.name === name)).toHaveLength(payments);
  }, 120_000);

  it('gives numbers again after an issuer failed before its commit', async () => {
    const link = await openLink();
    await pay(fixture.database, link);
    const environment = { storeId: shop.storeId, devMode: true };
    const em = fixture.database.em.fork();
    await em.begin();
    const inTransaction = {
      em: { fork: () => ({ transactional: (work: (tx: typeof em) => unknown) => work(em) }) },
    };
    await issueOf(depsOf(inTransaction as never), environment, new Date());
    await em.rollback();
    expect((await invoicesOf()).map(({ numberInYear }) => numberInYear)).toEqual([null]);
    await pay(fixture.database, link);
    await issueOf(depsOf(fixture.database), environment, new Date());
    expect((await invoicesOf()).map(({ numberInYear }) => numberInYear)).toEqual([1, 2]);
  });

  it('begins again with each year of São Paulo', async () => {
    const link = await openLink();
    await pay(fixture.database, link, new Date(NEW_YEAR.getTime() - 1));
    await pay(fixture.database, link, NEW_YEAR);
    await pay(fixture.database, link, new Date(NEW_YEAR.getTime() - 2));
    await issueInvoices(depsOf(fixture.database), new Date());
    const numbers = (await invoicesOf()).map(({ numberYear, numberInYear }) => [numberYear, numberInYear]);
    expect(numbers).toEqual([
      [2026, 1],
      [2026, 2],
      [2027, 1],
    ]);
  });

  it('lets no payment wait while the counter is locked', async () => {
    const link = await openLink();
    await pay(fixture.database, link);
    await issueInvoices(depsOf(fixture.database), new Date());
    const holder = second.em.fork();
    await holder.begin();
    await holder.execute('select * from invoice_counters for update');
    // It would wait until the holder is done, which is for ever here.
    await pay(fixture.database, link);
    await holder.rollback();
  });
});
