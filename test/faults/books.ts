import { compareDay } from '../../src/accounts/compare-day.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { withPort } from '../../src/providers/provider.ts';
import { booksOf } from '../support/rows/books.ts';
import type { FaultFixture } from './fault-fixture.ts';

/** Every difference between our books and the bank's, in words. Must be empty. */
export async function differences(fixture: FaultFixture): Promise<readonly string[]> {
  return [
    ...(await ledgerDifferences(fixture)),
    ...(await paymentDifferences(fixture)),
    ...(await balanceDifferences(fixture)),
    ...(await refundDifferences(fixture)),
    ...(await payoutDifferences(fixture)),
    ...(await chargeDifferences(fixture)),
    ...fixture.runs.open.map((key) => `${key} still waits`),
  ];
}

async function ledgerDifferences({ database, storeId }: FaultFixture): Promise<string[]> {
  const { discrepancies } = await verifyLedger(database.em.fork(), storeId);
  return discrepancies.map(({ problem, differenceCents }) => `the ledger: ${problem} (${differenceCents})`);
}

/** Differences between the bank and the store in any payment of the scenario. */
async function paymentDifferences({
  database,
  account,
  psp,
  providers,
  now,
}: FaultFixture): Promise<string[]> {
  const paidAt = Object.values(psp.bank.state.payments).map((payment) => new Date(payment.paidAt));
  const days = new Set([now(), ...paidAt].map(saoPauloDateOf));
  const provider = withPort(await providers.issuerOf({ provider: account.id, devMode: false }), 'listing');
  const found: string[] = [];
  for (const day of new Set([...days].flatMap((each) => [each, addDays(each, -1)]))) {
    const compared = await compareDay(database.em.fork(), account, provider, day, now());
    for (const { problem, bankCents, hereCents } of compared.differences)
      found.push(`a payment is ${problem}: ${bankCents} at the bank, ${hereCents} here`);
    for (const { problem, bankCents, hereCents } of compared.sent?.differences ?? [])
      found.push(`a sent Pix is ${problem}: ${bankCents} at the bank, ${hereCents} here`);
  }
  return found;
}

/** Compares the money at the bank, by the bank's books, with our accounts. */
async function balanceDifferences({ database, storeId, psp: { bank } }: FaultFixture): Promise<string[]> {
  const { payments, transfers } = bank.state;
  const inCents = sum(Object.values(payments).map(({ amountCents }) => amountCents));
  const refunds = Object.values(payments).flatMap((payment) => payment.refunds);
  const backCents = sum(
    refunds.filter(({ status }) => status === 'DEVOLVIDO').map(({ amountCents }) => amountCents),
  );
  const sent = Object.values(transfers).filter(({ status }) => status === 'REALIZADO');
  const sentCents = sum(sent.map(({ amountCents }) => amountCents));
  const returnedCents = sum(
    sent.flatMap(({ returns = [] }) => returns.map(({ amountCents }) => amountCents)),
  );
  const atBankCents = inCents - backCents - sentCents + returnedCents;
  const [held] = await database.em.fork().execute<{ cents: string }[]>(
    `select coalesce(sum(amount_cents - coalesce((
         select max(returned_cents) from payment_returns where payment_id = payments.id), 0)), 0) as cents
       from payments where outcome = 'HELD' and charge_id in (select id from charges where store_id = ?)`,
    [storeId],
  );
  const heldCents = Number(held?.cents ?? 0);
  const { clearingCents, suspenseCents, outgoingCents } = await booksOf(
    { database },
    { storeId, devMode: false },
  );
  return [
    ...(clearingCents === atBankCents
      ? []
      : [`${atBankCents} lie at the bank, ${clearingCents} in our books`]),
    ...(suspenseCents === heldCents ? [] : [`${suspenseCents} are in suspense, and ${heldCents} are held`]),
    ...(outgoingCents === 0 ? [] : [`${outgoingCents} are on their way out`]),
  ];
}

interface OurPayment {
  readonly id: string;
  readonly outcome: string;
  readonly cents: string;
  /** Cents of the store's completed refunds. */
  readonly refunded: readonly string[];
  /** Cents of refunds that have not ended. */
  readonly open: readonly string[];
}

/** Each of our refunds and returns must be at the bank once, with the same result. */
async function refundDifferences({ database, storeId, psp: { bank } }: FaultFixture): Promise<string[]> {
  const ours = await database.em.fork().execute<OurPayment[]>(
    `select provider_payment_id as id, outcome, amount_cents as cents,
       array(select amount_cents::text from refunds where refunds.charge_id = payments.charge_id
         and status = 'COMPLETED' and initiated_by = 'STORE') as refunded,
       array(select amount_cents::text from refunds where refunds.charge_id = payments.charge_id
         and status in ('REQUESTED', 'PENDING')) as open
     from payments where charge_id in (select id from charges where store_id = ?)`,
    [storeId],
  );
  return ours.flatMap(({ id, outcome, cents, refunded, open }) => {
    const { refunds = [] } = bank.state.payments[id] ?? {};
    const back = refunds.filter(({ status }) => status === 'DEVOLVIDO');
    const there = back.filter((each) => each.isMadeAtBank !== true).map(({ amountCents }) => amountCents);
    const backCents = sum(back.map(({ amountCents }) => amountCents));
    const hasFailed = refunds.some(({ status }) => status === 'NAO_REALIZADO');
    switch (outcome) {
      case 'ACCEPTED': {
        const isSame = sameAmounts(refunded.map(Number), there);
        return [
          ...open.map((amount) => `a refund of ${amount} has not ended`),
          ...(isSame ? [] : [`refunded ${there.join(', ')} at the bank, ${refunded.join(', ')} here`]),
        ];
      }
      case 'RETURNED':
        return backCents === Number(cents) ? [] : [`${cents} returned here, ${backCents} at the bank`];
      case 'HELD':
        return hasFailed ? [] : [`${cents} are held here, and the bank has refused nothing`];
      default:
        return [`a payment of ${cents} is still ${outcome}`];
    }
  });
}

async function payoutDifferences({ database, storeId, psp: { bank } }: FaultFixture): Promise<string[]> {
  const rows = await database.em
    .fork()
    .execute<{ status: string; amount: string; returned: string; txid: string | null }[]>(
      'select status, amount_cents as amount, returned_cents as returned, payee_txid as txid from payouts where store_id = ?',
      [storeId],
    );
  const arrived = rows.filter(({ status }) => status === 'COMPLETE' || status === 'REFUNDED');
  const here = arrived.map(({ amount, returned }) => Number(amount) - Number(returned));
  const open = rows.filter(({ status }) => status === 'PENDING');
  const sentThere = Object.values(bank.state.transfers).filter(({ status }) => status === 'REALIZADO');
  const txidsOf = (sent: readonly { readonly txid?: string | null }[]) =>
    sent.map(({ txid = null }) => txid ?? 'none').sort();
  const [txidsHere, txidsThere] = [txidsOf(arrived).join(), txidsOf(sentThere).join()];
  const there = sentThere.map(
    (sent) => sent.amountCents - sum((sent.returns ?? []).map(({ amountCents }) => amountCents)),
  );
  return [
    ...open.map(({ amount }) => `a payout of ${amount} is still PENDING`),
    ...(txidsHere === txidsThere ? [] : [`payees got the txids ${txidsThere}, and not ${txidsHere}`]),
    ...(sameAmounts(here, there) ? [] : [`sent ${there.join(', ')} by the bank, ${here.join(', ')} here`]),
  ];
}

/** A charge that is payable at the bank must be pending here. */
async function chargeDifferences({ database, storeId, psp: { bank } }: FaultFixture): Promise<string[]> {
  const rows = await database.em
    .fork()
    .execute<{ txid: string; status: string }[]>(
      'select provider_reference as txid, status from charges where store_id = ?',
      [storeId],
    );
  const known = new Map(rows.map(({ txid, status }) => [txid, status]));
  const payable = Object.values(bank.state.charges).filter(({ status }) => status === 'ATIVA');
  const isAlive = ({ createdAt, asked }: (typeof payable)[number]) =>
    Date.parse(createdAt) + (asked.calendario.expiracao ?? 0) * 1_000 > bank.now().getTime();
  return payable
    .filter((charge) => isAlive(charge) && known.get(charge.txid) !== 'PENDING')
    .map(({ txid }) => `a code can be paid that is ${known.get(txid) ?? 'unknown'} here`);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const sameAmounts = (one: readonly number[], other: readonly number[]) => {
  const inOrder = (amounts: readonly number[]) => [...amounts].sort((a, b) => a - b).join();
  return inOrder(one) === inOrder(other);
};
