import type { CardVerification, VerifyCard } from '../ports/cards.ts';
import { ProviderError } from '../provider-error.ts';
import { declineReasonOf } from './decline-reasons.ts';
import { cardOfToken, keyOf, REFERENCE } from './ids.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { readSetupIntent, type StripeSetupIntent } from './wire.ts';

/**
 * Verifies a card for later charges with one setup intent per reference, and attaches it to its customer. The idempotency
 * key is derived from the reference; callers give up long before Stripe forgets it.
 * @throws ProviderError INVALID for a card without a customer, which cannot be charged later.
 */
export async function verifyCard(
  client: StripeClient,
  { reference, token, returnUrl }: VerifyCard,
): Promise<CardVerification> {
  const { paymentMethod, customer } = cardOfToken(token);
  if (customer === null) throw new ProviderError('INVALID', 'a card without a customer cannot be stored');
  try {
    const { body } = await client.call('verifying a card', (sdk) =>
      sdk.setupIntents.create(
        {
          confirm: true,
          usage: 'off_session',
          payment_method: paymentMethod,
          allowed_payment_method_types: ['card' as const],
          customer,
          metadata: { [REFERENCE]: reference },
          return_url: returnUrl,
        },
        { idempotencyKey: keyOf.verify(reference) },
      ),
    );
    return await currentAnswer(client, readSetupIntent(body));
  } catch (error) {
    if (!(error instanceof StripeCallError)) throw error;
    if (error.status === 409) return { outcome: 'PENDING' };
    const { status, code, declineCode } = error;
    if (status === 402) return { outcome: 'DECLINED', reason: declineReasonOf([declineCode, code]) };
    throw error;
  }
}

/** Stripe repeats its first answer to a repeated request, so an intent that had not ended then is read again. */
async function currentAnswer(client: StripeClient, first: StripeSetupIntent): Promise<CardVerification> {
  const hasEnded = first.status === 'succeeded' || first.status === 'requires_payment_method';
  if (hasEnded) return answerOf(first);
  const body = await client.find('getting a setup intent', (sdk) => sdk.setupIntents.retrieve(first.id));
  if (body === null) throw new ProviderError('RETRY', 'Stripe does not find its setup intent yet');
  return answerOf(readSetupIntent(body));
}

function answerOf({
  status,
  next_action: action,
  last_setup_error: error,
}: StripeSetupIntent): CardVerification {
  switch (status) {
    case 'succeeded':
      return { outcome: 'VERIFIED' };
    case 'requires_action': {
      const url = action?.redirect_to_url?.url;
      if (url === undefined)
        throw new ProviderError('RETRY', 'Stripe wants an action of the payer and names no address');
      return { outcome: 'REQUIRES_ACTION', url };
    }
    case 'requires_payment_method':
      return { outcome: 'DECLINED', reason: declineReasonOf([error?.decline_code, error?.code]) };
    case 'canceled':
      return { outcome: 'DECLINED', reason: 'processing_error' };
    default:
      return { outcome: 'PENDING' };
  }
}
