import type { Em } from '../../database/orm.ts';
import type { StoreId } from '../../domain/ids.ts';
import { cycleChargeSeed } from '../../domain/subscription.ts';
import { derivedPart } from '../../ids.ts';
import { codeSubscriptions } from './recovered-charges.ts';

/** Cycles that may have started between a backup and its restore: more than a month of weekly cycles. */
const CYCLES_AHEAD = 5;
/** How often the code of one attempt may have been replaced in that time. */
const GENERATIONS = 4;
const PAGE_SIZE = 1_000;

/**
 * Recognizes references of cycles that a subscription's workflow will charge again. The workflow derives the same id and finds
 * the code at the bank by itself; a row created here would block it.
 * @returns the last part of each such reference, as {@link derivedPart} creates it.
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
