import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../../test/support/chance.ts';
import { feeOf, KnownCharge, paidThroughCheckout } from '../book.ts';
import { PLAN_CENTS, type Scenario, type Shop } from './shop.ts';

const LOOK_EVERY_MS = 1_000;
const MOST_SUBSCRIPTIONS = 3;
/** The test CPFs of payers whose account has the money, at once or on the next day. */
const TAX_IDS = { atOnce: '529.982.247-25', onRetry: '800.000.004-00' } as const;

interface Clock {
  readonly status: 'ready' | 'advancing';
}

/**
 * Weekly plans that are debited by PIX (Pix Automático), for some weeks of the clock of a separate store: every cycle must be
 * debited once. The clock ends two days after the last due date, when no other debit is ordered yet.
 * @param open creates a store without endpoints. Its rows are compared with the others in the end.
 */
export const debits =
  (open: () => Promise<Shop>): Scenario =>
  async (_, chance) => {
    const shop = await open();
    const { integrator } = shop;
    const renewals = chance.between(1, 4);
    const count = chance.between(1, MOST_SUBSCRIPTIONS);
    for (let made = 0; made < count; made += 1) await subscribe(shop, chance, renewals);
    await integrator.post('dev/clock/advance', { by: `P${7 * renewals + 2}D` });
    for (;;) {
      const { data } = await integrator.get<Clock>('dev/clock');
      if (data?.status === 'ready') return;
      await sleep(LOOK_EVERY_MS);
    }
  };

/** A payer accepts debits with the first payment. */
async function subscribe(
  { integrator, book, planId }: Shop,
  chance: Chance,
  renewals: number,
): Promise<void> {
  const taxId = TAX_IDS[chance.weighted({ atOnce: 3, onRetry: 1 })];
  const order = { items: [{ id: planId, quantity: 1 }], methods: ['PIX'], pixAutomatic: 'fixed' };
  const created = await integrator.post<{ id: string }>('subscriptions/create', order);
  const checkoutId = created.data?.id ?? '';
  const payment = { id: checkoutId, payer: { name: 'Ana Souza', taxId } };
  const paid = await integrator.post<{ paymentId: string; subscriptionId: string }>(
    'checkouts/simulate-payment',
    payment,
  );
  if (paid.data === null) {
    book.contradictions.push(`${checkoutId}: the first payment of a debited subscription → ${paid.code}`);
    return;
  }
  const { paymentId, subscriptionId: id } = paid.data;
  const charge = new KnownCharge(paymentId, 'subscription.completed', paidThroughCheckout('PIX', PLAN_CENTS));
  book.charges.push(charge);
  book.checkouts.push({ id: checkoutId, isLink: false, end: charge });
  const known = { id, checkoutId, amountCents: PLAN_CENTS, feeCents: feeOf('PIX', PLAN_CENTS) };
  book.subscriptions.push({ ...known, renewals, status: 'ACTIVE', failedAttempts: 0 });
}
