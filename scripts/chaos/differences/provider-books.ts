import type { ChargeRow, MoneyRows, PaymentRow } from '../real-money/money-rows.ts';
import {
  type BookedPayment,
  keptCents,
  owedCents,
  type ProviderBooks,
  refundedCents,
} from '../real-money/provider-books.ts';
import type { RealShop } from '../real-money/real-shop.ts';
import { comparePromised, partsBack, unknownToClients } from './promised.ts';

const HOLDS_MONEY = ['PAID', 'UNDER_DISPUTE', 'REFUNDED'];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Work that a person must resolve, because it is unknown whether the provider has carried it out. */
export type InDoubt = ReadonlySet<string>;

/** Compares a provider's books with the store's rows, ledger and answers to clients. One line for each difference. */
export function compareBooks(
  books: ProviderBooks,
  rows: MoneyRows,
  shop: RealShop,
  inDoubt: InDoubt,
): string[] {
  return [
    ...compareCharges(books, rows),
    ...comparePayments(books, rows),
    ...compareRefunds(books, rows, inDoubt),
    ...compareDisputes(books, rows),
    ...comparePayouts(books, rows, shop, inDoubt),
    ...compareMoney(books, rows, inDoubt),
    ...compareClients(rows, shop),
  ];
}

/** A charge must have money exactly if it has an accepted payment. A charge that has ended must not be payable. */
function compareCharges({ payable }: ProviderBooks, rows: MoneyRows): string[] {
  const accepted = Map.groupBy(
    rows.payments.filter(({ outcome }) => outcome === 'ACCEPTED'),
    ({ chargeId }) => chargeId,
  );
  return rows.charges.flatMap(({ id, status, reference }) => {
    const times = accepted.get(id)?.length ?? 0;
    const expected = HOLDS_MONEY.includes(status) ? 1 : 0;
    return [
      ...(times === expected ? [] : [`${id} is ${status}, and has ${times} accepted payments`]),
      ...(payable.has(reference) ? [`${id} is ${status}, and can be paid at the provider`] : []),
    ];
  });
}

/** Each payment must be recorded once: accepted for its charge, or returned, or held if the provider refuses the return. */
function comparePayments({ payments }: ProviderBooks, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const written = Map.groupBy(rows.payments, ({ providerPaymentId }) => providerPaymentId);
  const chargeOf = new Map(rows.charges.map((charge) => [charge.id, charge]));
  for (const payment of payments) {
    const { id, reference, cents } = payment;
    const [row, ...others] = written.get(id) ?? [];
    written.delete(id);
    if (row === undefined || others.length > 0) {
      differences.push(`payment ${id} of ${reference} is written ${others.length + (row ? 1 : 0)} times`);
      continue;
    }
    if (row.cents !== cents || chargeOf.get(row.chargeId)?.reference !== reference)
      differences.push(
        `payment ${id} of ${reference} and ${cents} cents is ${row.chargeId}'s of ${row.cents}`,
      );
    const expected = outcomeAtProvider(payment);
    if (row.outcome !== 'ACCEPTED' && row.outcome !== expected)
      differences.push(`payment ${id} is ${row.outcome}, and at the provider ${expected}`);
  }
  for (const id of written.keys()) differences.push(`the provider knows no payment ${id}`);
  return differences;
}

/** The outcome of a payment that was not accepted. */
function outcomeAtProvider(payment: BookedPayment): PaymentRow['outcome'] {
  if (refundedCents(payment) === payment.cents) return 'RETURNED';
  return payment.isReturnable ? 'RETURNING' : 'HELD';
}

/** Every refund must have one refund of the same amount at the provider, and vice versa. */
function compareRefunds({ payments }: ProviderBooks, rows: MoneyRows, inDoubt: InDoubt): string[] {
  const differences: string[] = [];
  const atProvider = new Map<string, number>();
  for (const { id, refunds } of payments)
    for (const { reference, cents } of refunds) {
      if (reference === null) differences.push(`payment ${id} has a refund of ${cents} that nobody ordered`);
      else if (atProvider.has(reference)) differences.push(`refund ${reference} was made twice`);
      else atProvider.set(reference, cents);
    }
  for (const { id, status, cents } of rows.refunds) {
    const there = atProvider.get(id);
    atProvider.delete(id);
    const isRight =
      status === 'COMPLETED'
        ? there === cents
        : (there === undefined && status === 'FAILED') ||
          ((there ?? 0) < cents && status === 'PENDING' && inDoubt.has(id));
    if (!isRight) differences.push(`refund ${id} of ${cents} is ${status}, and at the provider ${there}`);
  }
  const returned = new Set(
    rows.payments
      .filter(({ outcome }) => outcome === 'RETURNED')
      .map(({ providerPaymentId }) => providerPaymentId),
  );
  for (const { id, refunds } of payments)
    if (returned.has(id)) for (const { reference } of refunds) atProvider.delete(reference ?? '');
  for (const [reference, cents] of atProvider)
    differences.push(`the provider has refund ${reference} of ${cents}, of which no row knows`);
  return differences;
}

/** Every chargeback of an accepted payment must have a dispute with the same outcome. */
function compareDisputes({ payments }: ProviderBooks, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const disputes = new Map(rows.disputes.map((row) => [row.providerDisputeId, row]));
  for (const { dispute } of payments) {
    if (dispute === null) continue;
    const row = disputes.get(dispute.id);
    disputes.delete(dispute.id);
    if (row?.status !== dispute.status || row.cents !== dispute.cents)
      differences.push(
        `dispute ${dispute.id} of ${dispute.cents} is ${dispute.status}, and here ${row?.status} of ${row?.cents}`,
      );
  }
  for (const id of disputes.keys()) differences.push(`the provider knows no dispute ${id}`);
  return differences;
}

function comparePayouts(
  { transfers }: ProviderBooks,
  rows: MoneyRows,
  shop: RealShop,
  inDoubt: InDoubt,
): string[] {
  const differences: string[] = [];
  const atProvider = Map.groupBy(transfers, ({ reference }) => reference);
  const promised = new Set(shop.payouts.map(({ id }) => id));
  for (const { id, status, cents, externalId } of rows.payouts) {
    const [transfer, ...others] = atProvider.get(id) ?? [];
    atProvider.delete(id);
    if (others.length > 0) differences.push(`payout ${id} was sent ${others.length + 1} times`);
    const ended = transfer?.hasArrived === true && transfer.cents === cents ? 'COMPLETE' : 'FAILED';
    const expected = inDoubt.has(id) ? 'PENDING' : ended;
    if (status !== expected) differences.push(`payout ${id} of ${cents} is ${status} instead of ${expected}`);
    if (!promised.delete(id) && !shop.refusedInDoubt.has(externalId))
      differences.push(`payout ${id} was made, and no client knows of it`);
  }
  for (const id of promised) differences.push(`payout ${id} is lost`);
  for (const id of atProvider.keys())
    differences.push(`the provider has sent ${id}, of which no payout knows`);
  return differences;
}

/** The provider's debt must equal the ledger's balance of its account, to the cent. No other account may have money. */
function compareMoney(books: ProviderBooks, rows: MoneyRows, inDoubt: InDoubt): string[] {
  const bookedOf = new Map(books.payments.map((payment) => [payment.id, payment]));
  const accepted = rows.payments.filter(({ outcome }) => outcome === 'ACCEPTED');
  const chargeOf = new Map(rows.charges.map((charge) => [charge.id, charge]));
  const net = accepted.map(({ chargeId, providerPaymentId }) => {
    const [charge, booked] = [chargeOf.get(chargeId), bookedOf.get(providerPaymentId)];
    return charge === undefined || booked === undefined ? 0 : keptCents(booked) - feeLeft(rows, charge);
  });
  const reserved = rows.refunds.filter(({ id, status }) => status === 'PENDING' && inDoubt.has(id));
  // One installment of such a refund may already be returned.
  const begun = sum(reserved.map(({ id }) => refundedUnder(books, id)));
  const gone = rows.payouts.filter(({ id, status }) => status === 'COMPLETE' || inDoubt.has(id));
  const held =
    sum(net) +
    begun -
    sum(reserved.map(({ cents, feeCents }) => cents - feeCents)) -
    sum(gone.map(({ cents }) => cents));
  const suspended = rows.payments.filter(({ outcome }) => outcome === 'HELD');
  const suspense = sum(suspended.map(({ cents }) => cents));
  const owed = owedCents(books) + begun;
  const lying = new Map([
    [rows.account, 0],
    ...rows.accounts.map((each) => [each.provider, each.cents] as const),
  ]);
  return [
    ...[...lying].map(
      ([provider, cents]) => [provider, cents, provider === rows.account ? owed : 0] as const,
    ),
    ['held', rows.ledger.held, held] as const,
    ['suspense', rows.ledger.suspense, suspense] as const,
  ]
    .filter(([, kept, cents]) => kept !== cents)
    .map(([name, kept, cents]) => `the ledger has ${kept} cents in ${name}, and the books make ${cents}`);
}

function refundedUnder({ payments }: ProviderBooks, reference: string): number {
  const parts = payments.flatMap(({ refunds }) => refunds.filter((refund) => refund.reference === reference));
  return sum(parts.map(({ cents }) => cents));
}

/** The platform fee of a payment, less the fee of the refunded parts. */
function feeLeft(rows: MoneyRows, { id, feeCents }: ChargeRow): number {
  const back = partsBack(rows, id);
  return feeCents - sum(back.map((part) => part.feeCents));
}

/** Every object that a client received must exist, and each checkout must be paid once. */
function compareClients(rows: MoneyRows, shop: RealShop): string[] {
  const { charges, checkouts } = rows;
  const promised = comparePromised(rows, shop, HOLDS_MONEY);
  const unknown = promised.unknown.filter(({ checkoutId }) => checkoutId === null);
  const differences = [...promised.differences, ...unknown.map(unknownToClients)];
  const paid = Map.groupBy(
    charges.filter(({ status }) => HOLDS_MONEY.includes(status)),
    ({ checkoutId }) => checkoutId,
  );
  const checkoutOf = new Map(checkouts.map((row) => [row.id, row]));
  for (const { id, isPaid, renewals } of shop.checkouts) {
    const status = checkoutOf.get(id)?.status;
    const [first = [], later = []] = [true, false].map((isFirst) =>
      paid.get(id)?.filter(({ cycleId }) => (cycleId === null) === isFirst),
    );
    if (later.length !== (renewals ?? 0))
      differences.push(`checkout ${id} was renewed ${later.length} times instead of ${renewals}`);
    const times = first.length;
    const expected = status === 'PAID' || status === 'REFUNDED' ? 1 : 0;
    if (times !== expected || (isPaid && expected === 0))
      differences.push(`checkout ${id} is ${status ?? 'lost'} and was paid ${times} times`);
  }
  return differences;
}

function completedAs(charge: ChargeRow | undefined): string {
  if (charge?.cycleId != null) return 'subscription.renewed';
  if (charge?.isOfSubscription === true) return 'subscription.completed';
  return charge?.checkoutId == null ? 'transparent.completed' : 'checkout.completed';
}

/** The notifications that an endpoint of the store must have received, once each. */
export function expectedOfBooks(rows: MoneyRows, inDoubt: InDoubt): string[] {
  const { charges, payments, refunds, disputes, payouts } = rows;
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  const kindOf = (chargeId: string) =>
    chargeOf.get(chargeId)?.checkoutId === null ? 'transparent' : 'checkout';
  const known = payments.filter(({ chargeId }) => chargeOf.has(chargeId));
  return [
    ...known
      .filter(({ outcome }) => outcome === 'ACCEPTED')
      .map(({ chargeId }) => `${completedAs(chargeOf.get(chargeId))} of ${chargeId}`),
    ...known
      .filter(({ outcome }) => outcome === 'RETURNED')
      .map(({ chargeId }) => `payment.returned of ${chargeId}`),
    ...refunds
      .filter(({ id }) => !inDoubt.has(id))
      .map(({ status, chargeId }) =>
        status === 'COMPLETED'
          ? `${kindOf(chargeId)}.refunded of ${chargeId}`
          : `refund.failed of ${chargeId}`,
      ),
    ...disputes.flatMap(({ chargeId, status }) => [
      `${kindOf(chargeId)}.disputed of ${chargeId}`,
      ...(status === 'OPEN' ? [] : [`${kindOf(chargeId)}.${status.toLowerCase()} of ${chargeId}`]),
    ]),
    ...payouts
      .filter(({ id }) => !inDoubt.has(id))
      .map(
        ({ id, kind, status }) =>
          `${kind.toLowerCase()}.${status === 'COMPLETE' ? 'completed' : 'failed'} of ${id}`,
      ),
  ];
}
