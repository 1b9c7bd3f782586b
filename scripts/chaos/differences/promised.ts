import type { ChargeRow, MoneyRows } from '../real-money/money-rows.ts';
import type { RealShop } from '../real-money/real-shop.ts';

type Parts = Pick<MoneyRows, 'refunds' | 'disputes'>;

/** The returned amount of a charge: completed refunds and lost disputes. */
export function partsBack({ refunds, disputes }: Parts, id: ChargeRow['id']) {
  return [
    ...refunds.filter(({ chargeId, status }) => chargeId === id && status === 'COMPLETED'),
    ...disputes.filter(({ chargeId, status }) => chargeId === id && status === 'LOST'),
  ];
}

/**
 * Compares the charges and refunds that clients received with the rows.
 * @param holdsMoney the states of a paid charge.
 * @returns the differences, and the charges that no client knows.
 */
export function comparePromised(
  { charges, refunds }: Pick<MoneyRows, 'charges' | 'refunds'>,
  shop: Pick<RealShop, 'charges' | 'refundIds'>,
  holdsMoney: readonly string[],
): { readonly differences: readonly string[]; readonly unknown: readonly ChargeRow[] } {
  const differences: string[] = [];
  const rowOf = new Map(charges.map((row) => [row.id, row]));
  for (const { id, amountCents, isPaid } of shop.charges) {
    const row = rowOf.get(id);
    rowOf.delete(id);
    if (row?.cents !== amountCents)
      differences.push(`charge ${id} of ${amountCents} is ${row?.cents ?? 'lost'}`);
    if (isPaid && !holdsMoney.includes(row?.status ?? ''))
      differences.push(`charge ${id} is ${row?.status}, and its payer has paid`);
  }
  const made = new Set(refunds.map(({ id }) => id));
  for (const id of shop.refundIds) if (!made.has(id)) differences.push(`refund ${id} is lost`);
  return { differences, unknown: [...rowOf.values()] };
}

/** A charge that no client requested. */
export function unknownToClients({ id }: Pick<ChargeRow, 'id'>): string {
  return `charge ${id} was made, and no client knows of it`;
}
