import type { ServedMethods } from '../../domain/portal-actions.ts';
import { asksForConsent } from '../../mandates/consent/asks-for-consent.ts';
import { keepsCards } from '../../providers/ports/cards.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { PayerVisit } from './visit.ts';

/**
 * The methods by which the store can charge cycles. A provider that takes cards only on its own page stores none for later
 * cycles. None if this process cannot use the store's accounts: the page is shown without what needs them.
 */
export async function servedMethods({
  deps,
  customer,
}: Pick<PayerVisit, 'deps' | 'customer'>): Promise<ServedMethods> {
  try {
    const serving = await deps.providers.providersOf(customer);
    const cards = serving.get('CARD')?.cards;
    const takesCards = cards !== undefined && keepsCards(cards);
    return new Set([
      ...(serving.has('PIX') ? ['PIX' as const] : []),
      ...(takesCards ? ['CARD' as const] : []),
      ...(asksForConsent(serving.get('PIX')) ? ['DEBIT' as const] : []),
    ]);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return new Set();
  }
}
