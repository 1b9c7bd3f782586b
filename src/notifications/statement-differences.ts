import type { Em } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import type { StatementEntry } from '../domain/statement-day.ts';
import {
  type BookedPayment,
  bookedDisputeFees,
  bookedInstallments,
  paymentsById,
} from './statement-payments.ts';
import type { StatementDifference } from './statement-rows.ts';

/** What is written here about the payments of some entries. */
interface Written {
  readonly payments: ReadonlyMap<string, BookedPayment>;
  /** Cents by payment and number. */
  readonly installments: ReadonlyMap<string, number>;
  /** Cents by the provider's id of the fee. */
  readonly fees: ReadonlyMap<string, number>;
}

type AboutPayment = StatementEntry & { readonly providerPaymentId: string };

/** Compares entries with the rows here. @returns the differences, and how many payments other programs requested. */
export async function compareEntries(
  em: Em,
  provider: ProviderAccountId,
  entries: readonly StatementEntry[],
): Promise<{ readonly differences: readonly StatementDifference[]; readonly foreignPayments: number }> {
  const about = entries.filter((entry): entry is AboutPayment => entry.providerPaymentId !== null);
  const written = await writtenAbout(em, provider, about);
  const differences = about.flatMap((entry) => differenceOf(entry, written) ?? []);
  const foreign = entries.filter(
    ({ kind, isOurs, providerPaymentId: id }) =>
      kind === 'PAYMENT' && !isOurs && (id === null || !written.payments.has(id)),
  );
  return {
    differences: [...differences, ...refundDifferences(about, written)],
    foreignPayments: foreign.length,
  };
}

async function writtenAbout(
  em: Em,
  provider: ProviderAccountId,
  entries: readonly AboutPayment[],
): Promise<Written> {
  const providerPaymentIds = [...new Set(entries.map((entry) => entry.providerPaymentId))];
  const payments = await paymentsById(em, { provider, providerPaymentIds });
  const inParts = entries.filter(({ installmentNumber }) => installmentNumber !== null);
  const installments = await bookedInstallments(em, {
    provider,
    providerPaymentIds: [...new Set(inParts.map((entry) => entry.providerPaymentId))],
  });
  const providerFeeIds = entries.filter(isDisputeFee).map(({ id }) => id);
  const fees = await bookedDisputeFees(em, { provider, providerPaymentIds, providerFeeIds });
  return {
    payments: new Map(payments.map((payment) => [payment.providerPaymentId, payment])),
    installments: new Map(
      installments.map(({ providerPaymentId, number, grossCents }) => [
        `${providerPaymentId}/${number}`,
        grossCents,
      ]),
    ),
    fees: new Map(fees.map(({ providerFeeId, chargedCents }) => [providerFeeId, chargedCents])),
  };
}

function differenceOf(entry: AboutPayment, written: Written): StatementDifference | null {
  if (entry.kind === 'PAYMENT') return paymentDifference(entry, written);
  return isDisputeFee(entry) ? feeDifference(entry, written) : null;
}

function paymentDifference(
  entry: AboutPayment,
  { payments, installments }: Written,
): StatementDifference | null {
  const { amountCents, providerPaymentId, installmentNumber, isOurs } = entry;
  const here = payments.get(providerPaymentId);
  if (here === undefined) return isOurs ? difference(entry, 'MISSING_HERE', amountCents, null) : null;
  const bookedCents =
    installmentNumber === null
      ? here.amountCents
      : installments.get(`${providerPaymentId}/${installmentNumber}`);
  // A payment that was not accepted has no row per installment.
  if (bookedCents === undefined || bookedCents === amountCents) return null;
  return difference(entry, 'OTHER_AMOUNT', amountCents, bookedCents);
}

function feeDifference(entry: AboutPayment, { payments, fees }: Written): StatementDifference | null {
  if (!payments.has(entry.providerPaymentId)) return null;
  const bookedCents = fees.get(entry.id) ?? null;
  return entry.feeCents === bookedCents ? null : difference(entry, 'OTHER_FEE', entry.feeCents, bookedCents);
}

/** Refunds of a day may be of earlier payments, so their sum may be smaller than what is written here, but not larger. */
function refundDifferences(entries: readonly AboutPayment[], { payments }: Written): StatementDifference[] {
  const returned = new Map<string, number>();
  return entries
    .filter(({ kind }) => kind === 'REFUND')
    .flatMap((entry) => {
      const here = payments.get(entry.providerPaymentId);
      if (here === undefined) return [];
      const backCents = (returned.get(entry.providerPaymentId) ?? 0) - entry.amountCents;
      returned.set(entry.providerPaymentId, backCents);
      return backCents > here.reversedCents
        ? [difference(entry, 'OTHER_REFUNDS', backCents, here.reversedCents)]
        : [];
    });
}

function isDisputeFee({ kind, feeCents }: StatementEntry): boolean {
  return kind === 'DISPUTE' && feeCents !== 0;
}

function difference(
  { id: entryId, providerPaymentId }: AboutPayment,
  problem: StatementDifference['problem'],
  providerCents: number,
  hereCents: number | null,
): StatementDifference {
  return { problem, entryId, providerPaymentId, providerCents, hereCents };
}
