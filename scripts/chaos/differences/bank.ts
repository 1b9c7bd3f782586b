import { bankIdOf } from '../../../src/providers/bacen/ids.ts';
import type { BankState, BankTransfer } from '../../psp/state.ts';
import type { BankShop } from '../bank/bank-shop.ts';
import { isInDoubt } from '../bank/payouts-in-doubt.ts';
import { isSentByBank } from '../bank/scenarios.ts';
import type { ChargeRow, MoneyRows, PaymentRow, PayoutRow } from '../real-money/money-rows.ts';
import { compareDisputes, compareRefunds, outcomeAtBank, returned } from './bank-reversals.ts';
import { comparePromised, partsBack, unknownToClients } from './promised.ts';

const HOLDS_MONEY = ['PAID', 'REFUNDED'];
const HAS_ARRIVED = ['COMPLETE', 'REFUNDED'];
/** The part of a transfer that the payee's bank has returned. */
const cameBack = ({ returns = [] }: BankTransfer) => sum(returns.map(({ amountCents }) => amountCents));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Compares the bank's books with the store's rows, ledger and answers to clients. One line for each difference. */
export function compareBank(state: BankState, rows: MoneyRows, shop: BankShop): string[] {
  return [
    ...compareCharges(state, rows),
    ...comparePayments(state, rows),
    ...compareRefunds(state, rows),
    ...compareDisputes(state, rows),
    ...comparePayouts(state, rows, shop),
    ...compareMoney(state, rows),
    ...compareClients(rows, shop),
  ];
}

/** Each charge must have exactly one charge at the bank, and the bank no other open charges. */
function compareCharges({ charges, payments }: BankState, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const known = new Set([
    ...rows.charges.map(({ reference }) => reference),
    ...rows.keptCodes.map(({ txid }) => txid),
  ]);
  for (const { txid, status } of Object.values(charges))
    if (!known.has(txid) && status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
      differences.push(`the bank has ${txid} (${status}), which was never stored and is not taken back`);
  const accepted = new Set(
    rows.payments.filter(({ outcome }) => outcome === 'ACCEPTED').map(({ chargeId }) => chargeId),
  );
  const paid = new Set(Object.values(payments).map(({ txid }) => txid));
  for (const { id, status, reference, cents } of rows.charges) {
    const atBank = charges[reference];
    if (atBank === undefined) differences.push(`${id} (${status}) is unknown to the bank`);
    else if (atBank.asked.valor.original !== (cents / 100).toFixed(2))
      differences.push(`${id} is of ${cents} cents, and at the bank of ${atBank.asked.valor.original}`);
    if (HOLDS_MONEY.includes(status) !== accepted.has(id))
      differences.push(`${id} is ${status}, and ${accepted.has(id) ? 'has' : 'lacks'} an accepted payment`);
    if (!paid.has(reference) && atBank !== undefined && !atBank.status.startsWith('REMOVIDA_'))
      differences.push(`${id} is ${status}, unpaid, and ${atBank.status} at the bank`);
  }
  return differences;
}

/** Each payment must be recorded once: accepted for its charge, or returned, or held if the bank refuses the return. */
function comparePayments({ payments }: BankState, rows: MoneyRows): string[] {
  const differences: string[] = [];
  const written = Map.groupBy(rows.payments, ({ providerPaymentId }) => providerPaymentId);
  const chargeOf = new Map(rows.charges.map((charge) => [charge.id, charge]));
  const acceptedOf = new Map<string, number>();
  for (const payment of Object.values(payments)) {
    const { endToEndId, txid, amountCents } = payment;
    const [row, ...others] = written.get(endToEndId) ?? [];
    written.delete(endToEndId);
    if (row === undefined || others.length > 0) {
      differences.push(`payment ${endToEndId} of ${txid} is written ${others.length + (row ? 1 : 0)} times`);
      continue;
    }
    const { outcome, chargeId, cents } = row;
    if (cents !== amountCents || chargeOf.get(chargeId)?.reference !== txid)
      differences.push(
        `payment ${endToEndId} of ${txid} and ${amountCents} cents is ${chargeId}'s of ${cents}`,
      );
    if (outcome === 'ACCEPTED') acceptedOf.set(chargeId, (acceptedOf.get(chargeId) ?? 0) + 1);
    else {
      const expected = outcomeAtBank(payment, row);
      if (outcome !== expected)
        differences.push(
          `payment ${endToEndId} is ${outcome}, and at the bank ${expected ?? 'not returned'}`,
        );
    }
  }
  for (const endToEndId of written.keys()) differences.push(`the bank knows no payment ${endToEndId}`);
  for (const [chargeId, times] of acceptedOf)
    if (times > 1) differences.push(`${chargeId} has ${times} accepted payments`);
  return differences;
}

function comparePayouts(state: BankState, rows: MoneyRows, shop: BankShop): string[] {
  const { transfers } = state;
  const differences: string[] = [];
  const unknown = new Map(Object.entries(transfers));
  const promised = new Set(shop.payouts.map(({ id }) => id));
  for (const payout of rows.payouts) {
    const { id, status, cents, endToEndId, externalId } = payout;
    const transfer = unknown.get(bankIdOf(id));
    unknown.delete(bankIdOf(id));
    const isSent = transfer?.status === 'REALIZADO' && transfer.amountCents === cents;
    const isBack = transfer !== undefined && cameBack(transfer) === cents;
    const arrived = isBack ? 'REFUNDED' : 'COMPLETE';
    const refused = isInDoubt(state, payout) ? 'PENDING' : 'FAILED';
    const expected = isSentByBank(cents) ? arrived : refused;
    if (status !== expected || isSent !== HAS_ARRIVED.includes(status))
      differences.push(
        `payout ${id} of ${cents} is ${status}, and at the bank ${transfer?.status ?? 'unknown'}`,
      );
    if (isSent && endToEndId !== transfer.endToEndId)
      differences.push(`payout ${id} is known as ${endToEndId}`);
    differences.push(...compareReturns(payout, transfer));
    if (!promised.delete(id) && !shop.refusedInDoubt.has(externalId))
      differences.push(`payout ${id} was made, and no client knows of it`);
  }
  for (const id of promised) differences.push(`payout ${id} is lost`);
  for (const [id, { status }] of unknown)
    differences.push(`the bank has sent ${id} (${status}), of which no payout knows`);
  return differences;
}

/** Each return by a payee's bank must be booked once, to the cent. */
function compareReturns(
  { id, returns, returnedCents }: PayoutRow,
  transfer: BankTransfer | undefined,
): string[] {
  const textOf = (each: { readonly rtrId: string }, cents: number) => `${each.rtrId} of ${cents}`;
  const here = returns.map((each) => textOf(each, each.cents)).sort();
  const there = (transfer?.returns ?? []).map((each) => textOf(each, each.amountCents)).sort();
  const isSame = here.join() === there.join() && returnedCents === sum(returns.map(({ cents }) => cents));
  if (isSame) return [];
  return [
    `payout ${id} has ${returnedCents} back by ${here.join(', ')}, and at the bank ${there.join(', ')}`,
  ];
}

/**
 * The money at the bank, by the bank's own state, must equal the ledger's balance of the store's account there, to the cent. No
 * other account may have money. The store's share of it must match, too.
 */
function compareMoney(state: BankState, rows: MoneyRows): string[] {
  const { payments, transfers } = state;
  const taken = Object.values(payments);
  const sent = Object.values(transfers).filter(({ status }) => status === 'REALIZADO');
  const owed =
    sum(taken.map((payment) => payment.amountCents - returned(payment))) -
    sum(sent.map((transfer) => transfer.amountCents - cameBack(transfer)));
  const arrived = rows.payouts.filter(({ status }) => HAS_ARRIVED.includes(status));
  const held =
    sum(rows.charges.filter(({ status }) => HOLDS_MONEY.includes(status)).map(netOf(rows))) -
    sum(arrived.map(({ cents, returnedCents }) => cents - returnedCents)) -
    sum(rows.payouts.filter((payout) => isInDoubt(state, payout)).map(({ cents }) => cents));
  const leftOf = ({ providerPaymentId, cents }: PaymentRow) => {
    const payment = payments[providerPaymentId];
    return payment === undefined ? cents : cents - returned(payment);
  };
  const suspense = sum(rows.payments.filter(({ outcome }) => outcome === 'HELD').map(leftOf));
  const lying = new Map([
    [rows.account, 0],
    ...rows.accounts.map((each) => [each.provider, each.cents] as const),
  ]);
  const compared = [
    ...[...lying].map(
      ([provider, cents]) => [provider, cents, provider === rows.account ? owed : 0] as const,
    ),
    ['held', rows.ledger.held, held] as const,
    ['suspense', rows.ledger.suspense, suspense] as const,
  ];
  return compared
    .filter(([, kept, cents]) => kept !== cents)
    .map(
      ([name, kept, cents]) =>
        `the ledger has ${kept} cents in ${name}, where the bank's books make ${cents}`,
    );
}

/** The rest of a payment and of its fee, and the returned part of both. */
const netOf =
  (rows: MoneyRows) =>
  ({ id, cents, feeCents }: ChargeRow): number => {
    const back = partsBack(rows, id);
    return cents - feeCents - sum(back.map((part) => part.cents - part.feeCents));
  };

/** Every object that a client received must exist. */
function compareClients(rows: MoneyRows, shop: BankShop): string[] {
  const { differences, unknown } = comparePromised(rows, shop, HOLDS_MONEY);
  return [...differences, ...unknown.map(unknownToClients)];
}

const hasEnded = ({ status }: PayoutRow) => status !== 'PENDING';

/** The notifications that an endpoint of the store must have received, once each. */
export function expectedOfBank({ charges, payments, refunds, disputes, payouts }: MoneyRows): string[] {
  const known = new Set(charges.map(({ id }) => id));
  return [
    ...payments
      .filter(({ outcome, chargeId }) => outcome === 'ACCEPTED' && known.has(chargeId))
      .map(({ chargeId }) => `transparent.completed of ${chargeId}`),
    ...refunds.map(({ status, chargeId }) =>
      status === 'COMPLETED' ? `transparent.refunded of ${chargeId}` : `refund.failed of ${chargeId}`,
    ),
    ...disputes.flatMap(({ chargeId, status }) => [
      `transparent.disputed of ${chargeId}`,
      ...(status === 'LOST' ? [`transparent.lost of ${chargeId}`] : []),
    ]),
    ...payments
      .filter(({ outcome }) => outcome === 'RETURNED')
      .map(({ chargeId }) => `payment.returned of ${chargeId}`),
    ...payouts
      .filter(hasEnded)
      .flatMap(({ id, kind, status, returns }) => [
        `${kind.toLowerCase()}.${HAS_ARRIVED.includes(status) ? 'completed' : 'failed'} of ${id}`,
        ...returns.map(() => `${kind.toLowerCase()}.returned of ${id}`),
      ]),
  ];
}
