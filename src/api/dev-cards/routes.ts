import { z } from 'zod';
import { expiryMonthOf } from '../../domain/card.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { cardView, presentCard } from '../../wire/card.ts';
import { idText } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { invalid, requireDevMode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { enterTestCard } from '../subscriptions/change-card.ts';
import { notActive, requireActiveSubscription, requireSubscription } from '../subscriptions/queries.ts';

const LAST_FOUR_RULE = 'must be four digits';
const EXPIRY_RULE = 'must be a month as on a card, MM/AA, that is not past';
/** Issuers print about this many years on a new card. */
const NEW_CARD_YEARS = 4;

const replaceBody = z.strictObject({
  id: idText(exampleSubscriptionId),
  lastFour: z
    .string({ error: LAST_FOUR_RULE })
    .regex(/^\d{4}$/, { error: LAST_FOUR_RULE })
    .default('1881')
    .meta({ description: 'The last four digits of the new card.' }),
  expiry: z.string({ error: EXPIRY_RULE }).max(10, { error: EXPIRY_RULE }).optional().meta({
    description: 'The expiry of the new card, `MM/AA`. Default: December in four years.',
    example: '12/30',
  }),
});

const replacedCard = z
  .object({
    id: z.string().meta({ description: 'The subscription.' }),
    devMode: z.boolean(),
    card: cardView.meta({ description: 'The card as it is now.' }),
  })
  .meta({ id: 'ReplacedCard' });

const changeBody = z.strictObject({
  id: idText(exampleSubscriptionId),
  number: z.string().max(30).default('4242424242424242').meta({ description: 'A test card.' }),
  expiry: z.string().max(10).default('12/40').meta({ description: 'The expiry of the new card, `MM/AA`.' }),
});

/** Simulates a payer who enters another card in the portal (contract section 8, our addition): dev mode only. */
const change = route({
  method: 'POST',
  path: '/dev/cards/change',
  summary: "Enter another card for a subscription's payer in dev mode",
  description:
    'Does what a payer does in the customer portal. The card of the subscription is replaced, or it is paid by card instead of PIX, ' +
    '`subscription.payment_method_changed` is sent, and an unpaid cycle is charged at once. A card that is declined, or that its ' +
    'payer would have to confirm, changes nothing. A subscription that is not active gets a 404.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  body: changeBody,
  response: replacedCard,
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'CARD_DECLINED', 'CARD_NOT_ACCEPTED', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { id: exampleSubscriptionId, number: '4242424242424242', expiry: '12/40' },
    response: {
      id: exampleSubscriptionId,
      devMode: true,
      card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2040 },
    },
  },
  async handler(request) {
    const { em, key, body, about } = request;
    requireDevMode(key, 'cards are entered in');
    const active = await requireActiveSubscription(em, key, body.id);
    const { number, expiry } = body;
    const subscription = await enterTestCard(request, active, { number, expiry });
    about.subscriptionId = subscription.id;
    return { id: subscription.id, devMode: true, card: presentCard(subscription) };
  },
});

/** Simulates what card networks and issuers do in production (contract section 8, our addition): dev mode only. */
const replace = route({
  method: 'POST',
  path: '/dev/cards/replace',
  summary: "Replace a subscription's card in dev mode",
  description:
    "Does what a card's issuer does: the card gets other digits and another expiry, and the network notifies it. Recebe sends " +
    '`subscription.card_updated`, and the next cycle is charged to the new card. The new card behaves like the old one. A ' +
    'subscription that is not active, or is paid by PIX, gets a 404.',
  permission: 'SUBSCRIPTION:CREATE',
  body: replaceBody,
  response: replacedCard,
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT'],
  example: {
    body: { id: exampleSubscriptionId, lastFour: '1881', expiry: '12/30' },
    response: {
      id: exampleSubscriptionId,
      devMode: true,
      card: { brand: 'visa', lastFour: '1881', expiryMonth: 12, expiryYear: 2030 },
    },
  },
  async handler({ em, key, body, deps, now, about }) {
    requireDevMode(key, 'cards are replaced in');
    const expiryMonth = expiryOf(body.expiry, now);
    const subscription = await requireActiveSubscription(em, key, body.id);
    if (subscription.cardToken === null) throw notActive();
    about.subscriptionId = subscription.id;
    const { publicUrl } = deps;
    const card = { lastFour: body.lastFour, expiryMonth };
    await deps.sandboxCards.replace(subscription, card, { publicUrl, now });
    const renewed = await requireSubscription(em, key, body.id);
    return { id: renewed.id, devMode: renewed.devMode, card: presentCard(renewed) };
  },
});

/** @throws ApiError 400 if the text is no expiry, or one that is past. */
function expiryOf(expiry: string | undefined, now: Date): string {
  const today = saoPauloDateOf(now);
  if (expiry === undefined) return `${Number(today.slice(0, 4)) + NEW_CARD_YEARS}-12`;
  const month = expiryMonthOf(expiry);
  if (month === null || month < today.slice(0, 7)) throw invalid('expiry', EXPIRY_RULE);
  return month;
}

export const devCardRoutes: readonly Route[] = [replace, change];
