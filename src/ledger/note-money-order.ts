import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PaymentId, PayoutId, RefundId } from '../domain/ids.ts';

interface MoneyOrder {
  /** The id of a refund, a payout, or a payment that is returned. */
  readonly subjectId: RefundId | PayoutId | PaymentId;
  readonly now: Date;
}

const NOTE = statement<MoneyOrder, { subjectId: string }>(
  'note an order of money',
  () => `
  insert into money_orders (subject_id, ordered_at) values (:subjectId, :now)
  on conflict do nothing returning subject_id as "subjectId"`,
);

const ORDERED_AT = statement<Pick<MoneyOrder, 'subjectId'>, { orderedAt: Date }>(
  'when money was ordered',
  () => 'select ordered_at as "orderedAt" from money_orders where subject_id = :subjectId',
);

/** When a provider was first asked to move the money; null if never. */
export async function moneyOrderedAt(em: Em, subjectId: MoneyOrder['subjectId']): Promise<Date | null> {
  const [order] = await ORDERED_AT(em, { subjectId });
  return order?.orderedAt ?? null;
}

const WITHDRAW = statement<Pick<MoneyOrder, 'subjectId'>, { subjectId: string }>(
  'withdraw an order of money',
  () => 'delete from money_orders where subject_id = :subjectId returning subject_id as "subjectId"',
);

/** Deletes an order that the provider has refused for good: a later one counts as the first. */
export async function withdrawMoneyOrder(em: Em, subjectId: MoneyOrder['subjectId']): Promise<void> {
  await WITHDRAW(em, { subjectId });
}

/**
 * Notes that a provider is about to be asked to move money, in a separate transaction, which commits before the
 * first request.
 * @returns whether an earlier request may have reached the provider, so that a refusal now says nothing about that
 *   one.
 */
export async function noteMoneyOrder(em: Em, order: MoneyOrder): Promise<boolean> {
  return (await NOTE(em, order)).length === 0;
}
