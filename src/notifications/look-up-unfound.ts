import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { openUnfound } from '../charges/unfound-payments.ts';
import { resolveAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './each-account.ts';
import type { Intake } from './intake.ts';
import { NOTIFYING_TIMEOUT_MS } from './notify-all.ts';
import { noteUnknownPayments } from './unknown-payments.ts';

/** Rounds are five minutes apart: one round per hour begins within this time of it. */
const ROUND_MS = 5 * MINUTE_MS;
/** One payment's look-up may fail for ever; a bank with this many failures in a row is unavailable. */
const FAILURES_IN_A_ROW = 3;

export interface LookUpDeps {
  readonly client: Pick<Client, 'withDeadline'>;
  readonly database: Database;
  readonly intake: Pick<Intake, 'receivePayment'>;
  readonly log: Logger;
}

type AskedProvider = Pick<PaymentProvider, 'name' | 'charges'>;

/**
 * Looks up payments that the bank names but does not find, and about which a person was asked: those of the last
 * day in each round, older ones once an hour. It asks the bank itself and wakes no workflow before the bank knows
 * the payment, so an unknown payment costs no history. Once a payment is recorded, its note is closed.
 * @param isOver called before each look-up; throws to end early.
 */
export async function lookUpUnfound(
  deps: LookUpDeps,
  provider: AskedProvider,
  now: Date,
  isOver: () => void,
): Promise<void> {
  const isFirstOfHour = now.getTime() % HOUR_MS < ROUND_MS;
  const notedSince = new Date(isFirstOfHour ? 0 : now.getTime() - DAY_MS);
  let failedInARow = 0;
  for (const unfound of await openUnfound(deps.database, { provider: provider.name, notedSince })) {
    isOver();
    const { subjectId, providerPaymentId } = unfound;
    const found = unfound.isWritten ? 'DONE' : await lookUpOne(deps, provider, providerPaymentId, now);
    if (found === 'DONE')
      await resolveAttention(deps.database, { kind: 'PAYMENT_NOT_FOUND', subjectId, now });
    failedInARow = found === 'FAILED' ? failedInARow + 1 : 0;
    if (failedInARow === FAILURES_IN_A_ROW) return;
  }
}

/**
 * Looks up one payment that its bank named, and records it if the bank knows it. Never throws.
 * @returns DONE if it is recorded, or noted as a payment of no charge here.
 */
export async function lookUpOne(
  { client, database, intake, log }: LookUpDeps,
  provider: AskedProvider,
  providerPaymentId: string,
  now: Date,
): Promise<'DONE' | 'UNKNOWN' | 'FAILED'> {
  const { name } = provider;
  try {
    const payment = await provider.charges.findPayment(providerPaymentId);
    if (payment === null) return 'UNKNOWN';
    const { reference } = payment;
    const status = await client.withDeadline(Date.now() + NOTIFYING_TIMEOUT_MS, () =>
      intake.receivePayment({ provider: name, reference, providerPaymentId }, null),
    );
    if (status === null)
      await noteUnknownPayments({ database, log }, name as ProviderAccountId, [payment], now);
    return 'DONE';
  } catch (error) {
    log.warn({ accountId: name, providerPaymentId, err: error }, 'unfound payment not looked up');
    return 'FAILED';
  }
}
