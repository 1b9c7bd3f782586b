import type { Em } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';
import { listedPayoutsOf, pagesOfTransfers } from '../providers/pages-of-transfers.ts';
import type { TimeWindow } from '../providers/ports/pages.ts';
import type { SentTransfer } from '../providers/ports/payouts.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { payoutsElsewhere, payoutsOfTime, type WrittenPayout } from './payouts-of-day.ts';

/** Transfers of one day, and their returns. */
export interface SentTotals {
  readonly transfers: number;
  readonly cents: number;
  readonly returnedCents: number;
}

/** A sent Pix on which bank and ledger differ. */
export interface SentDifference {
  readonly problem: 'SENT_MISSING_HERE' | 'SENT_MISSING_AT_BANK' | 'SENT_OTHER_AMOUNT' | 'OTHER_RETURNS';
  readonly endToEndIdentifier: string;
  /** Null if it is missing here. */
  readonly payoutId: PayoutId | null;
  /** The returned amount for OTHER_RETURNS, else the sent amount; null if it is missing at the bank. */
  readonly bankCents: number | null;
  readonly hereCents: number | null;
}

export interface ComparedSent {
  readonly bank: SentTotals;
  readonly here: SentTotals;
  readonly differences: readonly SentDifference[];
}

/** The minute in an end-to-end id comes from another clock of the bank than its list. */
const MARGIN_MS = 3_600_000;

/**
 * Compares a bank's sent transfers of a time range with the rows here, one by one. Only completed ones count: a
 * pending one may end at any moment. Transfers of another account here with the same bank account count as stored.
 * @returns null if the bank does not list sent transfers.
 * @throws what the provider throws.
 */
export async function compareSent(
  em: Em,
  provider: PaymentProvider,
  { from, until }: TimeWindow,
  now: Date,
): Promise<ComparedSent | null> {
  const payouts = listedPayoutsOf(provider);
  if (payouts === null) return null;
  const listed = new Map<string, SentTransfer>();
  const wider = {
    from: new Date(from.getTime() - MARGIN_MS),
    until: new Date(until.getTime() + MARGIN_MS),
  };
  for await (const { items } of pagesOfTransfers(payouts, wider))
    for (const transfer of items)
      if (transfer.status === 'COMPLETE') listed.set(transfer.endToEndIdentifier, transfer);
  const atBank = [...listed.values()];
  const inTime = atBank.filter(({ orderedAt }) => orderedAt >= from && orderedAt < until);
  const ofDay = await withoutOthers(em, provider, inTime);
  const written = await payoutsOfTime(em, {
    provider: provider.name,
    ids: ofDay.flatMap(({ reference }) => reference ?? []),
    fromMinute: minuteOf(from),
    untilMinute: minuteOf(until),
  });
  const matches = ofDay.map((transfer) => ({ transfer, here: matchOf(written, transfer) }));
  const matched = matches.flatMap(({ here }) => here ?? []);
  const missing = written.filter(
    (payout) =>
      hasArrived(payout) &&
      // A later completion was not visible when the bank was read.
      (payout.completedAt === null || payout.completedAt <= now) &&
      !matched.includes(payout) &&
      !listed.has(payout.endToEndIdentifier ?? ''),
  );
  return {
    bank: totalsOf(ofDay.map((each) => ({ ...each, returnedCents: backCents(each) }))),
    here: totalsOf([...matched, ...missing]),
    differences: [...matches.flatMap(differencesOf), ...missing.map(missingAtBank)],
  };
}

/** Excludes transfers that another account here ordered with this id and amount. */
async function withoutOthers(
  em: Em,
  { name }: PaymentProvider,
  transfers: readonly SentTransfer[],
): Promise<readonly SentTransfer[]> {
  const ids = transfers.flatMap(({ reference }) => reference ?? []);
  if (ids.length === 0) return transfers;
  const elsewhere = await payoutsElsewhere(em, { provider: name, ids });
  const amounts = new Map<string, number>(elsewhere.map(({ id, amountCents }) => [id, amountCents]));
  return transfers.filter(({ reference, amountCents }) => amounts.get(reference ?? '') !== amountCents);
}

/** `yyyyMMddHHmm` in UTC. */
function minuteOf(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 12);
}

function hasArrived({ status }: WrittenPayout): boolean {
  return status === 'COMPLETE' || status === 'REFUNDED';
}

/** A payout that FAILED here counts as missing. The money of a PENDING one is reserved, and it ends soon. */
function matchOf(written: readonly WrittenPayout[], { reference }: SentTransfer): WrittenPayout | null {
  const payout = written.find(({ id }) => id === reference) ?? null;
  return payout?.status === 'FAILED' ? null : payout;
}

interface Match {
  readonly transfer: SentTransfer;
  readonly here: WrittenPayout | null;
}

function differencesOf({ transfer, here }: Match): SentDifference[] {
  const { endToEndIdentifier, amountCents: bankCents } = transfer;
  if (here === null)
    return [{ problem: 'SENT_MISSING_HERE', endToEndIdentifier, payoutId: null, bankCents, hereCents: null }];
  const found: SentDifference[] = [];
  const { id: payoutId, amountCents: hereCents, returnedCents } = here;
  if (bankCents !== hereCents)
    found.push({ problem: 'SENT_OTHER_AMOUNT', endToEndIdentifier, payoutId, bankCents, hereCents });
  const back = backCents(transfer);
  if (back !== returnedCents) {
    const cents = { bankCents: back, hereCents: returnedCents };
    found.push({ problem: 'OTHER_RETURNS', endToEndIdentifier, payoutId, ...cents });
  }
  return found;
}

function missingAtBank({ id, amountCents, endToEndIdentifier }: WrittenPayout): SentDifference {
  return {
    problem: 'SENT_MISSING_AT_BANK',
    endToEndIdentifier: endToEndIdentifier ?? '',
    payoutId: id,
    bankCents: null,
    hereCents: amountCents,
  };
}

function backCents({ returns }: SentTransfer): number {
  return returns.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function totalsOf(sent: readonly Pick<WrittenPayout, 'amountCents' | 'returnedCents'>[]): SentTotals {
  const sum = (cents: 'amountCents' | 'returnedCents') =>
    sent.reduce((total, each) => total + each[cents], 0);
  return { transfers: sent.length, cents: sum('amountCents'), returnedCents: sum('returnedCents') };
}
