import type { Database } from '../../../src/database/orm.ts';
import type { Money } from '../../../test/model/money.model.ts';
import type { Book, KnownCharge, KnownSubscription } from '../book.ts';

interface ChargeRow {
  readonly id: string;
  readonly status: string;
  readonly method: string;
  readonly amountCents: string;
  readonly paidAmountCents: string | null;
  readonly feeCents: string;
  readonly checkoutId: string | null;
  readonly cycleId: string | null;
}

interface Row {
  readonly id: string;
  readonly status: string;
}

interface CycleRow extends Row {
  readonly subscriptionId: string;
  readonly number: number;
  readonly paidByChargeId: string | null;
}

/** The rows of a store that its clients do not know. */
export interface Found {
  /** The outcome of each payment that clients know, among its possible outcomes. */
  readonly ends: ReadonlyMap<KnownCharge, Money>;
  /** Charges of later cycles, of which only the store is notified. */
  readonly renewals: readonly { readonly chargeId: string; readonly subscription: KnownSubscription }[];
  readonly failedAttempts: readonly string[];
  readonly differences: readonly string[];
}

const HOLDS_MONEY = ['PAID', 'UNDER_DISPUTE', 'REFUNDED'];

/** Compares a store's rows with what its clients know. */
export async function compareRows(database: Database, storeId: string, book: Book): Promise<Found> {
  const of = <Each>(sql: string) => database.em.fork().execute<Each[]>(sql, [storeId]);
  const charges = await of<ChargeRow>(`select id, status, method, amount_cents::text as "amountCents",
    paid_amount_cents::text as "paidAmountCents", platform_fee_cents::text as "feeCents",
    checkout_id as "checkoutId", installment_id as "cycleId" from charges where store_id = ?`);
  const checkouts = await of<Row>('select id, status from checkouts where store_id = ?');
  const subscriptions = await of<Row>('select id, status from subscriptions where store_id = ?');
  const cycles =
    await of<CycleRow>(`select cycle.id, cycle.status, subscription_id as "subscriptionId", number,
    paid_by_charge_id as "paidByChargeId" from installments cycle
    join subscriptions on subscriptions.id = subscription_id where store_id = ?`);
  const coupons = await of<{ code: string; redeems: number; reserved: number }>(
    'select code, redeems_count as redeems, reserved_count as reserved from coupons where store_id = ?',
  );
  const payouts = await of<Row & { cents: string; externalId: string }>(
    'select id, status, amount_cents::text as cents, external_id as "externalId" from payouts where store_id = ?',
  );

  const differences: string[] = [];
  const differs = (what: string) => void differences.push(what);
  const chargeOf = new Map(charges.map((row) => [row.id, row]));
  const ends = new Map<KnownCharge, Money>();
  for (const known of book.charges) {
    const row = chargeOf.get(known.id);
    const end = known.possible.find(({ charges: [charge] }) => charge?.status === row?.status);
    if (row === undefined || end === undefined) {
      const expected = known.possible.map((money) => money.charges[0]?.status).join(' or ');
      differs(`charge ${known.id} is ${row?.status ?? 'lost'}, and its client received ${expected}`);
      continue;
    }
    ends.set(known, end);
    const [charge] = end.charges;
    const paid = HOLDS_MONEY.includes(row.status) ? charge?.amountCents : null;
    if (Number(row.amountCents) !== charge?.amountCents || Number(row.feeCents) !== charge.feeCents)
      differs(`charge ${known.id} is of ${row.amountCents} and ${row.feeCents} cents`);
    if ((row.paidAmountCents === null ? null : Number(row.paidAmountCents)) !== paid)
      differs(`charge ${known.id} was paid with ${row.paidAmountCents} instead of ${paid} cents`);
  }
  const knownIds = new Set(book.charges.map(({ id }) => id));
  for (const { id, status, checkoutId, cycleId } of charges) {
    if (knownIds.has(id) || cycleId !== null) continue;
    // The second payment of an order is returned, and a declined one has no known id.
    if (checkoutId === null) differs(`charge ${id} (${status}) was made, and no client knows of it`);
    else if (HOLDS_MONEY.includes(status))
      differs(`charge ${id} of ${checkoutId} is ${status}, and no client knows of it`);
  }

  const endOfCheckout = new Map(book.checkouts.map(({ id, end }) => [id, end]));
  for (const { id, status } of checkouts) {
    const end = endOfCheckout.get(id);
    const expected = end === undefined || end === 'CANCELLED' ? end : checkoutStatusOf(ends.get(end));
    if (status !== expected) differs(`checkout ${id} is ${status}, and its client knows it as ${expected}`);
  }
  if (checkouts.length < endOfCheckout.size)
    differs(`${endOfCheckout.size - checkouts.length} checkouts are lost`);

  const couponOf = new Map(coupons.map((row) => [row.code, row]));
  for (const { code, redeems, maxRedeems } of book.coupons) {
    const row = couponOf.get(code);
    if (row?.redeems !== redeems || row.reserved !== 0 || redeems > maxRedeems)
      differs(
        `coupon ${code} of ${maxRedeems} uses: ${redeems} known, ${row?.redeems} counted, ${row?.reserved} reserved`,
      );
  }

  const payoutOf = new Map(payouts.map((row) => [row.id, row]));
  for (const { id, fails, amountCents } of book.payouts) {
    const row = payoutOf.get(id);
    const expected = fails ? 'FAILED' : 'COMPLETE';
    if (row?.status !== expected || Number(row.cents) !== amountCents)
      differs(
        `payout ${id} of ${amountCents} is ${row?.status ?? 'lost'} (${row?.cents}) instead of ${expected}`,
      );
    payoutOf.delete(id);
  }
  for (const { id, externalId } of payoutOf.values())
    if (!book.refusedInDoubt.has(externalId)) differs(`payout ${id} was made, and no client knows of it`);

  const renewals: { chargeId: string; subscription: KnownSubscription }[] = [];
  const failedAttempts: string[] = [];
  const statusOf = new Map(subscriptions.map(({ id, status }) => [id, status]));
  const known = new Set(book.subscriptions.map(({ id }) => id));
  for (const { id } of subscriptions)
    if (!known.has(id)) differs(`subscription ${id}: no client knows of it`);
  for (const subscription of book.subscriptions) {
    const { id, status, checkoutId } = subscription;
    if (statusOf.get(id) !== status)
      differs(`subscription ${id} is ${statusOf.get(id) ?? 'lost'} instead of ${status}`);
    const later = cycles.filter(({ subscriptionId, number }) => subscriptionId === id && number > 1);
    const paid = later.filter((cycle) => cycle.status === 'PAID');
    if (subscription.renewals !== null && paid.length !== subscription.renewals)
      differs(`subscription ${id} was renewed ${paid.length} times instead of ${subscription.renewals}`);
    const attempts = charges.filter((charge) => charge.checkoutId === checkoutId && charge.cycleId !== null);
    for (const cycle of paid) {
      const payments = attempts.filter(
        ({ cycleId, status: each }) => cycleId === cycle.id && each === 'PAID',
      );
      if (payments.length !== 1 || payments[0]?.id !== cycle.paidByChargeId)
        differs(`cycle ${cycle.number} of ${id} has ${payments.length} payments`);
      if (cycle.paidByChargeId !== null) renewals.push({ chargeId: cycle.paidByChargeId, subscription });
    }
    const failed = attempts.filter((charge) => charge.status === 'FAILED');
    failedAttempts.push(...failed.map((charge) => charge.id));
    if (failed.length !== subscription.failedAttempts)
      differs(
        `subscription ${id} has ${failed.length} failed attempts instead of ${subscription.failedAttempts}`,
      );
    const paidAttempts = attempts.filter((charge) => HOLDS_MONEY.includes(charge.status));
    if (paidAttempts.length !== paid.length)
      differs(`subscription ${id} has ${paidAttempts.length} payments for ${paid.length} paid cycles`);
  }
  return { ends, renewals, failedAttempts, differences };
}

function checkoutStatusOf(money: Money | undefined): string {
  return money?.charges[0]?.status === 'REFUNDED' ? 'REFUNDED' : 'PAID';
}
