import type { CardToken } from '../../domain/card.ts';
import { cardOfToken, keyOf, SUBMISSION } from './ids.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { expiryMonthIn, readMethod, readStoredCustomer } from './wire.ts';

/** Stripe renews a payment method in place when a network replaces its card. */
export async function findStoredCard(client: StripeClient, token: string): Promise<CardToken | null> {
  const { paymentMethod, customer } = cardOfToken(token);
  if (customer === null) return null;
  const body = await client.find('getting a payment method', (sdk) =>
    sdk.paymentMethods.retrieve(paymentMethod),
  );
  const { card, customer: owner } = body === null ? {} : readMethod(body);
  if (card == null || owner !== customer) return null;
  return { token, brand: card.brand, lastFour: card.last4, expiryMonth: expiryMonthIn(card) };
}

/**
 * Detaches the payment method, which can then never be charged again, and deletes the customer that Recebe made for
 * it. A card without a customer was never stored.
 */
export async function forgetCard(client: StripeClient, token: string): Promise<void> {
  const { paymentMethod, customer } = cardOfToken(token);
  if (customer === null) return;
  await detach(client, paymentMethod);
  const body = await client.find('getting a customer', (sdk) => sdk.customers.retrieve(customer));
  if (body === null) return;
  const { deleted, metadata } = readStoredCustomer(body);
  // A customer of another program stays, whatever the token says.
  if (deleted || metadata?.[SUBMISSION] === undefined) return;
  await client.find('deleting a customer', (sdk) => sdk.customers.del(customer));
}

async function detach(client: StripeClient, paymentMethod: string): Promise<void> {
  try {
    await client.find('detaching a payment method', (sdk) =>
      sdk.paymentMethods.detach(paymentMethod, {}, { idempotencyKey: keyOf.forget(paymentMethod) }),
    );
  } catch (error) {
    // Stripe refuses to detach what is not attached. After a lost answer, or a failure that it repeats for this key,
    // the method itself says whether it still is.
    if (!(error instanceof StripeCallError)) throw error;
    const body = await client.find('getting a payment method', (sdk) =>
      sdk.paymentMethods.retrieve(paymentMethod),
    );
    if (body !== null && readMethod(body).customer != null) throw error;
  }
}
