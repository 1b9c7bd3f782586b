import { TransactionContext } from '@mikro-orm/core';
import type { Logger } from 'pino';
import { countProviderCall } from '../metrics/counters.ts';
import { aroundCalls, type PortCall } from '../providers/around-calls.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';

/** Above this, the caller was slowed down, like the limit for activities (activities/failures.ts). */
const SLOW_MS = 5_000;

/** The names of calls in metrics and logs. A new call needs one. */
const NAMES: Readonly<Record<PortCall, string>> = {
  'pix.issue': 'issuePix',
  'pix.issueDue': 'issueDuePix',
  'boletos.issue': 'issueBoleto',
  'boletos.brCodeFor': 'brCodeFor',
  'cards.tokenize': 'tokenizeCard',
  'cards.accept': 'acceptCard',
  'cards.charge': 'chargeCard',
  'cards.verify': 'verifyCard',
  'cards.find': 'findCard',
  'cards.forget': 'forgetCard',
  'charges.findPayment': 'findPayment',
  'charges.findByReference': 'findByReference',
  'charges.close': 'close',
  'charges.closeUnstored': 'closeUnstored',
  'charges.findUnstored': 'findUnstored',
  'charges.refund': 'refund',
  'listing.payments': 'listPayments',
  'listing.references': 'listReferences',
  'listing.recall': 'recall',
  'statement.entries': 'listStatement',
  'statement.payouts': 'listProviderPayouts',
  'disputes.find': 'findDispute',
  'mandates.create': 'createMandate',
  'mandates.find': 'findMandate',
  'mandates.cancel': 'cancelMandate',
  'mandates.instruct': 'instructDebit',
  'mandates.findInstruction': 'findInstruction',
  'mandates.cancelInstruction': 'cancelInstruction',
  'mandates.retry': 'retryDebit',
  'mandates.listMandates': 'listMandates',
  'mandates.listInstructions': 'listInstructions',
  'evidence.submit': 'submitEvidence',
  'evidence.accept': 'acceptDispute',
  'payouts.send': 'sendPix',
  'payouts.find': 'findTransfer',
  'payouts.list': 'listTransfers',
};

/**
 * Prevents provider calls inside a transaction, which would hold a connection and its locks until the provider
 * answers. @throws if the caller has one open.
 */
function refuseInTransaction(call: string): void {
  if (TransactionContext.currentTransactionContext() !== undefined)
    throw new Error(`${call} is asked of a provider inside a database transaction`);
}

/** Wraps a provider to count and time its calls; logs a warning for slow ones. @param kind the label of its metrics. */
export function watched(provider: PaymentProvider, kind: string, log: Logger): PaymentProvider {
  const timed = async (call: string, ask: () => unknown) => {
    refuseInTransaction(call);
    const startedAt = performance.now();
    let outcome = 'answered';
    try {
      return await ask();
    } catch (error) {
      outcome = error instanceof ProviderError ? error.kind.toLowerCase() : 'failed';
      throw error;
    } finally {
      const durationMs = performance.now() - startedAt;
      countProviderCall(kind, call, outcome, durationMs);
      if (durationMs > SLOW_MS)
        log.warn(
          { accountId: provider.name, call, outcome, durationMs: Math.round(durationMs) },
          'provider was slow',
        );
    }
  };
  return aroundCalls(provider, (call, ask) => timed(NAMES[call], ask));
}
