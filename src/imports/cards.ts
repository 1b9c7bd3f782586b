import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { messageOf } from '../api/frame/validation.ts';
import type { CardToken } from '../domain/card.ts';
import { keepsCards } from '../providers/ports/cards.ts';
import type { ProviderOwner, Providers } from '../providers/providers.ts';
import type { FoundCard, ImportJob } from './job.ts';
import { SourceError } from './source.ts';

/** The provider's token of a card that another system knows by its own id, as the provider has exported it. */
export interface MappedCard {
  readonly token: string;
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiryMonth: string | null;
}

const empty = z.literal('').transform(() => null);
const line = z.object({
  card: z.string().min(1).max(255),
  token: z.string().regex(/^[\x21-\x7e]{1,500}$/, 'must be a token of the provider, without blanks'),
  brand: z.union([empty, z.string().regex(/^[\w -]{1,50}$/)]).default(null),
  last_four: z.union([empty, z.string().regex(/^\d{4}$/, 'must be four digits')]).default(null),
  expiry: z
    .union([empty, z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month, such as 2028-05')])
    .default(null),
});

/**
 * Reads a token map: a CSV file with the columns `card` and `token`, and maybe `brand`, `last_four` and `expiry`.
 * @throws SourceError that names the line, and never a token.
 */
export async function readCardMap(path: string): Promise<ReadonlyMap<string, MappedCard>> {
  const cards = new Map<string, MappedCard>();
  const options = { bom: true, columns: true, trim: true, skip_empty_lines: true, max_record_size: 10_000 };
  let number = 1;
  try {
    const parser = parse(options);
    // The error reaches the reader of the parser, which the pipeline destroys.
    pipeline(createReadStream(path), parser, () => {});
    for await (const record of parser) {
      number += 1;
      const read = line.safeParse(record, { error: messageOf });
      const [issue] = read.error?.issues ?? [];
      if (issue !== undefined)
        throw new SourceError(`${path}, line ${number}: ${issue.path.join('.')} ${issue.message}`);
      const { card, token, brand, last_four: lastFour, expiry: expiryMonth } = line.parse(record);
      if (cards.has(card)) throw new SourceError(`${path}, line ${number}: the card is there twice`);
      cards.set(card, { token, brand, lastFour, expiryMonth });
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${path}: cannot be read as a CSV file (${(error as { code?: unknown }).code})`);
  }
  return cards;
}

export interface CardsOfImport {
  readonly providers: Providers;
  readonly owner: ProviderOwner;
  readonly map: ReadonlyMap<string, MappedCard>;
  /** The other system is the store's own provider: its cards are `<customer>:<payment method>`, as in the provider's tokens. */
  readonly isOwnProvider: boolean;
}

/**
 * How an import finds cards. In production the provider is asked for each token, so that no subscription is imported with a card
 * that cannot be charged. The sandbox has no list of cards: there the map's word counts.
 */
export function cardsOf({ providers, owner, map, isOwnProvider }: CardsOfImport): ImportJob['findCard'] {
  return async (foreignCardId): Promise<FoundCard> => {
    if (foreignCardId === null) return { card: null, problem: null };
    const mapped = map.get(foreignCardId) ?? map.get(foreignCardId.split(':').at(-1) ?? '');
    const token = mapped?.token ?? (isOwnProvider ? foreignCardId : null);
    if (token === null) return { card: null, problem: null };
    const { cards } = (await providers.providersOf(owner)).get('CARD') ?? {};
    const known = (await cards?.find(token)) ?? null;
    if (known !== null) return { card: known };
    if (owner.devMode && mapped !== undefined) return { card: ofSandbox(mapped) };
    const isMapped = mapped !== undefined;
    return { card: null, problem: isMapped ? 'the provider does not know the card of the token map' : null };
  };
}

function ofSandbox({ token, brand, lastFour, expiryMonth }: MappedCard): CardToken {
  return { token, brand: brand ?? 'visa', lastFour: lastFour ?? '4242', expiryMonth };
}

/** Why a store cannot charge subscriptions by a method; null if it can. */
export function methodProblemsOf(providers: Providers, owner: ProviderOwner): ImportJob['methodProblem'] {
  return async (method) => {
    const serving = await providers.providersOf(owner);
    if (!serving.has(method))
      return `must be a method of the store: no account serves ${method}; see "accounts add"`;
    const cards = serving.get('CARD')?.cards;
    if (method === 'CARD' && cards !== undefined && !keepsCards(cards))
      return 'cannot be CARD: the account takes cards only on its own page, and stores none for later cycles';
    return null;
  };
}
