import { z } from 'zod';
import { insertCardToken, type TypedOnPage } from '../../cards/card-tokens.ts';
import { type TypedCard, wrongCardFields } from '../../domain/card.ts';
import type { TypedEntry } from '../../providers/ports/cards.ts';
import { timestamp } from '../../wire/fields.ts';
import { ApiError, brokenRule, invalid, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireKeptCards, requireProvider } from '../frame/require-provider.ts';
import { type Route, route } from '../frame/route.ts';

/** The form of the tokens of providers' fields. */
const FIELDS_TOKEN = /^[\w-]{1,200}$/;
const FIELDS_TOKEN_RULE = 'must be the token that the fields of the provider returned';

const createBody = z.strictObject({
  providerToken: z.string().regex(FIELDS_TOKEN, { error: FIELDS_TOKEN_RULE }).optional().meta({
    description: "What the provider's own fields returned: at Stripe, the id of a payment method.",
    example: 'pm_1QK2c3Lk4m5N6o7P',
  }),
  card: z
    .strictObject({
      number: z.string().min(1).max(30),
      holderName: z.string().min(1).max(100),
      expiry: z.string().min(1).max(10).meta({ description: 'As printed on the card, `MM/AA`.' }),
      cvv: z.string().min(1).max(4),
    })
    .optional()
    .meta({ description: 'A test card, in dev mode only.' }),
});
type CreateBody = z.output<typeof createBody>;

const cardToken = z
  .object({
    id: z.string().meta({ description: 'The `token` of `transparents/create`.' }),
    devMode: z.boolean(),
    expiresAt: timestamp.meta({ description: 'In 60 seconds, by real time.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'CardToken' });

const RULE_OF_FIELD = {
  number: ['CARD_NUMBER_INVALID', 'must be a card number'],
  holderName: ['CARD_HOLDER_REQUIRED', 'must be the name on the card'],
  expiry: ['CARD_EXPIRY_INVALID', 'must be a month that has not passed, such as 12/40'],
  cvv: ['CARD_CVV_INVALID', 'must have 3 or 4 digits'],
} as const;

/** What the payer has typed. No answer and no log repeats it. @throws ApiError 4xx if it cannot be charged. */
async function typedIn(request: ApiRequest<unknown, CreateBody>, entry: Entry): Promise<TypedOnPage> {
  const { card, providerToken } = request.body;
  if (entry.kind === 'PROVIDER_FIELDS') {
    // A real number has no business here: the whole request is refused (PCI SAQ A).
    if (card !== undefined)
      throw new ApiError(
        403,
        'WRONG_ENVIRONMENT',
        'card: is for test cards in dev mode only; this is a production key',
      );
    if (providerToken === undefined) throw invalid('providerToken', FIELDS_TOKEN_RULE, 'REQUIRED');
    return { fieldsToken: providerToken };
  }
  if (entry.kind === 'HOSTED_PAGE') throw new Error('no card of this provider has a token');
  if (card === undefined) throw invalid('card', 'must be a test card', 'REQUIRED');
  return { card: await exchanged(entry, card, request.realNow) };
}

type Entry = Awaited<ReturnType<typeof requireProvider<'CARD'>>>['cards']['entry'];

async function exchanged(entry: TypedEntry, card: TypedCard, now: Date) {
  const wrong = wrongCardFields(card, now).map((field) => {
    const [rule, message] = RULE_OF_FIELD[field];
    return brokenRule(rule, `card.${field}`, message);
  });
  if (wrong.length > 0) throw together(wrong);
  const token = await entry.tokenize(card);
  if (token === null) throw brokenRule('CARD_NOT_ACCEPTED', 'card.number', 'must be one of the test cards');
  return token;
}

/** What a browser may do with a public key (contract section 4.11). */
export const cardTokenRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/card-tokens/create',
    summary: 'Exchange a typed card for a token',
    description:
      'For browsers, and usually called by `recebe.js`. The token pays one charge of `transparents/create` within 60 seconds. ' +
      'In production no card number comes here: the payer types it into the fields of the provider.',
    permission: null,
    publicKey: true,
    body: createBody,
    response: cardToken,
    errors: [
      'NO_PAYMENT_PROVIDER',
      'CARD_NOT_ACCEPTED',
      'NOT_ACCEPTABLE',
      'WRONG_ENVIRONMENT',
      'PERMISSION_DENIED',
    ],
    example: {
      body: {
        card: { number: '4242424242424242', holderName: 'ANA SOUZA', expiry: '12/40', cvv: '123' },
      },
      response: {
        id: 'ctok_01KAK0Y3PX7V4T6R2W9ZB5XHMD',
        devMode: true,
        expiresAt: '2026-12-04T14:23:08.120Z',
        createdAt: '2026-12-04T14:22:08.120Z',
      },
    },
    handler: async (request) => {
      const provider = await requireProvider(request, 'CARD', null);
      requireKeptCards(provider, null);
      const typed = await typedIn(request, provider.cards.entry);
      const { database } = request.deps;
      const made = await insertCardToken(database, request.key, provider.name, typed, request.realNow);
      const { id, devMode, expiresAt, createdAt } = made;
      return { id, devMode, expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
    },
  }),
];
