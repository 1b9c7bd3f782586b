import type { Em } from '../database/orm.ts';
import { codeSubscriptions } from '../database/recovered-charges.ts';
import type { StoreId } from '../domain/ids.ts';
import { cycleChargeSeed } from '../domain/subscription.ts';
import { derivedPart } from '../ids.ts';

/** Cycles that may have been opened between a backup and its restore: weekly ones, for more than a month. */
const CYCLES_AHEAD = 5;
/** Codes of one attempt that may have replaced one another in that time. */
const GENERATIONS = 4;
const PAGE_SIZE = 1_000;

/**
 * Whether a reference belongs to a cycle that its subscription's workflow will charge again. The workflow derives the
 * same id and finds the code at the bank by itself; a row made here would stand in its way.
 * @returns the last part of each such reference, as {@link derivedPart} makes it.
 */
export async function referencePartsOfCycles(em: Em, storeId: StoreId): Promise<ReadonlySet<string>> {
  const parts = new Set<string>();
  let after = '';
  for (let size = PAGE_SIZE; size === PAGE_SIZE; ) {
    const page = await codeSubscriptions(em, { storeId, after, limit: PAGE_SIZE });
    for (const { id, cycleNumber, maxRetry } of page)
      for (let number = cycleNumber; number <= cycleNumber + CYCLES_AHEAD; number += 1)
        for (let attempt = 1; attempt <= maxRetry + 1; attempt += 1)
          for (let generation = 0; generation < GENERATIONS; generation += 1)
            parts.add(derivedPart(cycleChargeSeed(id, number, attempt, generation)));
    size = page.length;
    after = page.at(-1)?.id ?? after;
  }
  return parts;
}
