import { z } from 'zod';
import { ONE_CLICK_MINUTES, sealOneClick } from '../../cards/one-click-link.ts';
import { findSavedCard } from '../../cards/saved-cards.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { SavedCard } from '../../database/entities/saved-card.ts';
import { cardView, presentCard } from '../../wire/card.ts';
import { exampleCheckoutId } from '../../wire/checkout.ts';
import { idText, timestamp } from '../../wire/fields.ts';
import { brokenRule, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { type Route, route } from '../frame/route.ts';
import { requireCheckout } from './queries.ts';

const exampleCardToken = 'scrd_01KAK0Y3PX7V4T6R2W9ZB5XHMD';

const oneClickBody = z.strictObject({
  id: idText(exampleCheckoutId),
  cardToken: idText(exampleCardToken).meta({ description: "A saved card of the checkout's customer." }),
});
type OneClickBody = z.output<typeof oneClickBody>;

/** A link to pay a checkout with a saved card (our addition). */
const oneClickView = z
  .object({
    checkoutId: z.string(),
    cardToken: z.string(),
    card: cardView,
    url: z
      .string()
      .meta({ description: 'Redirect the customer there at once. Anyone who has the link can pay.' }),
    expiresAt: timestamp.meta({ description: 'In 15 minutes, by real time.' }),
    devMode: z.boolean(),
  })
  .meta({ id: 'OneClick' });

/** The saved card of the checkout's own customer. @throws ApiError 404, the same for any other card. */
async function ownCard(request: ApiRequest<unknown, OneClickBody>, checkout: Checkout): Promise<SavedCard> {
  const { em, key, body } = request;
  const card = await findSavedCard(em, key, body.cardToken);
  if (card === null || card.customerId !== checkout.customerId) throw notFound('Saved card');
  return card;
}

/** @throws ApiError 422 if nobody can pay the checkout with a card. */
function refuseUnpayable({ frequency, status, methods, expiresAt }: Checkout, now: Date): void {
  if (frequency !== 'ONE_TIME')
    throw brokenRule('NOT_OPEN', 'id', 'must be a checkout that is paid once, not a link or a subscription');
  if (status !== 'PENDING' || (expiresAt !== null && expiresAt <= now))
    throw brokenRule('NOT_OPEN', 'id', 'must be a checkout that can still be paid');
  if (!methods.includes('CARD')) throw brokenRule('CARD_NOT_OFFERED', 'id', 'must offer CARD');
}

async function linkFor(request: ApiRequest<unknown, OneClickBody>) {
  const { em, key, body, now, realNow, deps } = request;
  const checkout = await requireCheckout(em, key, body.id, null);
  const card = await ownCard(request, checkout);
  refuseUnpayable(checkout, now);
  const provider = await requireProvider(request, 'CARD', null);
  if (provider.name !== card.provider)
    throw brokenRule(
      'CARD_OF_OTHER_ACCOUNT',
      'cardToken',
      'is of a provider account that no longer takes the cards of this store; ask the payer again',
    );
  const expiresAt = new Date(realNow.getTime() + ONE_CLICK_MINUTES * 60_000);
  const sealed = sealOneClick({ checkoutId: checkout.id, savedCardId: card.id, expiresAt }, deps.secretsKeys);
  // An operator's mistake, which only a service without production accounts can make.
  if (sealed === null) throw new Error('SECRETS_KEY is not set: the service cannot seal links');
  const { brand, lastFour, expiryMonth } = card;
  return {
    checkoutId: checkout.id,
    cardToken: card.id,
    card: presentCard({ cardBrand: brand, cardLastFour: lastFour, cardExpiryMonth: expiryMonth }),
    url: `${deps.publicUrl}/pay/${checkout.id}/one-click/${sealed}`,
    expiresAt: expiresAt.toISOString(),
    devMode: key.devMode,
  };
}

export const oneClickRoute: Route = route({
  method: 'POST',
  path: '/checkouts/one-click',
  summary: 'Make a link to pay a checkout with a saved card',
  description:
    'For a customer who is signed in at your shop. The page shows the order and the card, and one click pays. The link works for 15 ' +
    'minutes and makes one payment at most. The `url` of the checkout itself never shows the card.',
  permission: 'TRANSPARENT:CREATE',
  body: oneClickBody,
  response: oneClickView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'CARD_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
  example: {
    body: { id: exampleCheckoutId, cardToken: exampleCardToken },
    response: {
      checkoutId: exampleCheckoutId,
      cardToken: exampleCardToken,
      card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2040 },
      url: `https://pay.example.com/pay/${exampleCheckoutId}/one-click/8f3a2c1d.Zm9yLW9uZS1wYXllci1vbmx5`,
      expiresAt: '2026-12-04T14:37:08.120Z',
      devMode: true,
    },
  },
  handler: linkFor,
});
