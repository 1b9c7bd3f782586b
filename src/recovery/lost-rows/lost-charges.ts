import { beneficiaryOf } from '../../charges/new-charge.ts';
import type { Em } from '../../database/orm.ts';
import type { StoreId } from '../../domain/ids.ts';
import { DERIVED_LENGTH, isOwnPart, ownPartOf } from '../../ids.ts';
import type { ListingPort, RecalledCharge } from '../../providers/ports/listing.ts';
import type { ProviderPage, TimeWindow } from '../../providers/ports/pages.ts';
import type { ProviderWith } from '../../providers/provider.ts';
import { referencePartsOfCycles } from './cycle-codes.ts';
import { deadlinesOf } from './recalled-charge.ts';
import { unstoredReferences } from './recovered-charges.ts';

/** Some banks limit the period of a list. */
const WINDOW_MS = 5 * 86_400_000;

/** The account whose charges and payouts are recovered. */
export interface Account {
  readonly storeId: StoreId;
  readonly provider: ProviderWith<'listing'>;
  /** The PIX key of the store's own account, which receives payouts; null if the account has none. */
  readonly payoutKey: string | null;
}

/**
 * Charges that the account's bank issued since then, that have no row, and that were paid or can still be paid. A removed or
 * expired code needs no row: nobody can pay it.
 * @throws what the provider throws; nothing is changed.
 */
export async function lostCharges(
  em: Em,
  { storeId, provider }: Account,
  time: TimeWindow,
): Promise<RecalledCharge[]> {
  const beneficiary = await beneficiaryOf(em, storeId);
  const ofCycles = await referencePartsOfCycles(em, storeId);
  const lost: RecalledCharge[] = [];
  for await (const listed of pagesOfReferences(provider.listing, time)) {
    const ours = listed.filter((reference) => isOwnPart(ownPartOf(reference)));
    if (ours.length === 0) continue;
    for (const { reference } of await unstoredReferences(em, { provider: provider.name, references: ours })) {
      if (ofCycles.has(reference.slice(-DERIVED_LENGTH))) continue;
      const recalled = await provider.listing.recall(reference, beneficiary);
      if (recalled !== null && isNeeded(recalled, time.until)) lost.push(recalled);
    }
  }
  return lost;
}

function isNeeded(recalled: RecalledCharge, now: Date) {
  const { status, providerPaymentIds } = recalled;
  if (providerPaymentIds.length > 0 || status === 'PAID') return true;
  return status === 'OPEN' && deadlinesOf(recalled).closesAt > now;
}

async function* pagesOfReferences(
  listing: Pick<ListingPort, 'references'>,
  { from, until }: TimeWindow,
): AsyncGenerator<readonly string[]> {
  for (let start = from.getTime(); start < until.getTime(); start += WINDOW_MS) {
    const window = {
      from: new Date(start),
      until: new Date(Math.min(start + WINDOW_MS, until.getTime())),
    };
    let cursor: string | null = null;
    do {
      const page: ProviderPage<string> = await listing.references(window, cursor);
      yield page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
}
