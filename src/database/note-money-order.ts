import type { PaymentId, PayoutId, RefundId } from '../domain/ids.ts';
import type { Em } from './orm.ts';
import { statement } from './statement.ts';

interface MoneyOrder {
  /** Of what is ordered: a refund, a payout, or a payment that goes back. */
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

/** When a provider was first asked to move money; null if none was. */
export async function moneyOrderedAt(em: Em, subjectId: MoneyOrder['subjectId']): Promise<Date | null> {
  const [order] = await ORDERED_AT(em, { subjectId });
  return order?.orderedAt ?? null;
}

const WITHDRAW = statement<Pick<MoneyOrder, 'subjectId'>, { subjectId: string }>(
  'withdraw an order of money',
  () => 'delete from money_orders where subject_id = :subjectId returning subject_id as "subjectId"',
);

/** Forgets an order that the provider has refused for good: asked again, it is asked for the first time. */
export async function withdrawMoneyOrder(em: Em, subjectId: MoneyOrder['subjectId']): Promise<void> {
  await WITHDRAW(em, { subjectId });
}

/**
 * Notes that a provider is about to be asked to move money, in a transaction of its own: it is committed before the
 * first request can reach the provider.
 * @returns whether an earlier request may have reached the provider, so that a refusal now says nothing of that one.
 */
export async function noteMoneyOrder(em: Em, order: MoneyOrder): Promise<boolean> {
  return (await NOTE(em, order)).length === 0;
}
