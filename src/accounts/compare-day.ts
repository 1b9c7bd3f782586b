import { noteAttention, resolveAttention } from '../database/attention.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import type { ChargeId, ProviderAccountId } from '../domain/ids.ts';
import {
  type ComparedMandates,
  compareMandates,
  providerWithMandates,
} from '../mandates/compare-mandates.ts';
import { pagesOfPayments } from '../providers/pages-of-payments.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { ProviderWith } from '../providers/provider.ts';
import { type ComparedSent, compareSent } from './compare-sent.ts';
import { paymentsOfOthers, paymentsOfTime, type WrittenPayment } from './payments-of-day.ts';

/** Payments of one day, and their returns. */
export interface DayTotals {
  readonly payments: number;
  readonly cents: number;
  readonly refundedCents: number;
}

/** A payment on which bank and ledger differ. */
export interface BankDifference {
  readonly problem: 'MISSING_HERE' | 'MISSING_AT_BANK' | 'OTHER_AMOUNT' | 'OTHER_REFUNDS';
  readonly providerPaymentId: string;
  /** Null if it is missing here. */
  readonly chargeId: ChargeId | null;
  /** The returned amount for OTHER_REFUNDS, else the paid amount; null if it is missing at the bank. */
  readonly bankCents: number | null;
  readonly hereCents: number | null;
}

/** A day of an account, at its bank and in the ledger. */
export interface ComparedDay {
  readonly accountId: ProviderAccountId;
  readonly day: CivilDate;
  readonly bank: DayTotals;
  readonly here: DayTotals;
  readonly differences: readonly BankDifference[];
  /** The comparison of sent transfers; null if the bank does not list them. */
  readonly sent: ComparedSent | null;
  /** The same for authorizations of debits and the debits that were ordered; null if the bank offers none. */
  readonly mandates: ComparedMandates | null;
}

/**
 * Compares the payments, sent transfers and ordered debits of a day in São Paulo at a bank with the rows here, one by one. Notes
 * differences for a person, and closes the note if there are none. The bank is read first, so rows that appear
 * meanwhile are included here. Payments of another account here with the same bank account count as stored.
 * @throws what the provider throws; nothing is noted then.
 */
export async function compareDay(
  em: Em,
  { id, storeId }: Pick<ProviderAccount, 'id' | 'storeId'>,
  provider: ProviderWith<'listing'>,
  day: CivilDate,
  now: Date,
): Promise<ComparedDay> {
  const window = { from: saoPauloMidnight(day), until: saoPauloMidnight(addDays(day, 1)) };
  const listed = new Map<string, ProviderPayment>();
  for await (const { items: page } of pagesOfPayments(provider.listing, window))
    for (const payment of page) listed.set(payment.providerPaymentId, payment);
  const written = [
    ...(await paymentsOfTime(em, { provider: id, ...window })),
    ...(await paymentsOfOthers(em, { provider: id, providerPaymentIds: [...listed.keys()] })),
  ];
  const sent = await compareSent(em, provider, window, now);
  const debiting = await providerWithMandates(em, provider);
  const mandates = debiting && (await compareMandates(em, debiting, window, now));
  const compared = { accountId: id, day, ...compare([...listed.values()], written), sent, mandates };
  const subject = { kind: 'BANK_DIFFERENCE', subjectId: `${id}/${day}`, now } as const;
  const all = [compared, sent, mandates].map((each) => each?.differences ?? []);
  if (all.every(({ length }) => length === 0)) await resolveAttention(em, subject);
  else await noteAttention(em, { ...subject, storeId, devMode: false, since: now });
  return compared;
}

function compare(listed: readonly ProviderPayment[], written: readonly WrittenPayment[]) {
  const unlisted = new Map(written.map((payment) => [payment.providerPaymentId, payment]));
  const differences: BankDifference[] = [];
  for (const payment of listed) {
    const here = unlisted.get(payment.providerPaymentId) ?? null;
    unlisted.delete(payment.providerPaymentId);
    differences.push(...differencesOf(payment, here));
  }
  for (const { providerPaymentId, chargeId, amountCents: hereCents } of unlisted.values())
    differences.push({ problem: 'MISSING_AT_BANK', providerPaymentId, chargeId, bankCents: null, hereCents });
  const atBank = listed.map((payment) => ({ ...payment, refundedCents: returnedCents(payment) ?? 0 }));
  return { bank: totalsOf(atBank), here: totalsOf(written), differences };
}

function differencesOf(payment: ProviderPayment, here: WrittenPayment | null): BankDifference[] {
  const { providerPaymentId, amountCents: bankCents } = payment;
  if (here === null)
    return [{ problem: 'MISSING_HERE', providerPaymentId, chargeId: null, bankCents, hereCents: null }];
  const { chargeId, amountCents: hereCents, refundedCents, reversedCents } = here;
  const found: BankDifference[] = [];
  if (bankCents !== hereCents)
    found.push({ problem: 'OTHER_AMOUNT', providerPaymentId, chargeId, bankCents, hereCents });
  const backCents = returnedCents(payment);
  // A pending return may have completed at the bank a moment ago.
  if (backCents !== null && (backCents < refundedCents || backCents > reversedCents)) {
    const cents = { bankCents: backCents, hereCents: refundedCents };
    found.push({ problem: 'OTHER_REFUNDS', providerPaymentId, chargeId, ...cents });
  }
  return found;
}

/** What the payer has back, by refunds and by lost disputes. Null if the bank does not report it. */
function returnedCents({ amountCents: paidCents, refunds, disputes = [] }: ProviderPayment): number | null {
  if (refunds === undefined) return null;
  const returned = refunds.filter(({ status }) => status === 'RETURNED');
  const refundedCents = returned.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // A bank reports what a dispute of a PIX took (MED) as a refund; the issuer of a card refunds nothing.
  if (refunds.some(({ kind }) => kind !== 'ORDINARY')) return refundedCents;
  const lost = disputes.filter(({ status }) => status === 'LOST');
  const lostCents = lost.reduce((sum, { amountCents }) => sum + (amountCents ?? paidCents), 0);
  // A dispute may take the whole payment although a part was refunded: the excess is in neither sum.
  return Math.min(paidCents, refundedCents + lostCents);
}

function totalsOf(payments: readonly Pick<WrittenPayment, 'amountCents' | 'refundedCents'>[]): DayTotals {
  const sum = (cents: 'amountCents' | 'refundedCents') =>
    payments.reduce((total, payment) => total + payment[cents], 0);
  return { payments: payments.length, cents: sum('amountCents'), refundedCents: sum('refundedCents') };
}
