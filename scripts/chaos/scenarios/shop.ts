import {
  apply,
  type ChargeAction,
  emptyMoney,
  type Operation,
  partCentsOf,
  type Seller,
} from '../../../test/model/money.model.ts';
import type { Chance } from '../../../test/support/chance.ts';
import { type Book, KnownCharge } from '../book.ts';
import type { Integrator } from '../integrator.ts';

/** One store, as its program uses it. */
export interface Shop {
  readonly storeId: string;
  readonly integrator: Integrator;
  readonly book: Book;
  /** Sold once, for {@link PRODUCT_CENTS}. */
  readonly productId: string;
  /** Sold every week. */
  readonly planId: string;
}

export const PRODUCT_CENTS = 1_900;
export const PLAN_CENTS = 4_900;

/** What happens to one customer, from the first request to the last. */
export type Scenario = (shop: Shop, chance: Chance) => Promise<void>;

/** The seller whose splits are refunded and disputed. It withdraws nothing, so that each share is predictable. */
export const REFUNDED: Seller = 0;
/** The seller who withdraws. No payment of this seller is reversed. */
export const WITHDRAWING: Seller = 1;

const TAX_IDS: Readonly<Record<Seller, string>> = { 0: '529.982.247-25', 1: '111.444.777-35' };

/** The id of a seller's sub-account, which the first request creates. */
export async function sellerId({ integrator, book }: Shop, seller: Seller): Promise<string> {
  const body = { name: `seller ${seller}`, taxId: TAX_IDS[seller] };
  const { data, code } = await integrator.post<{ id: string }>('sub-accounts/create', body);
  if (data === null) book.contradictions.push(`a sub-account was refused: ${code}`);
  return data?.id ?? '';
}

/** Notes a charge that the service has created, for the comparison in the end. */
export function noted({ book }: Shop, id: string, order: Operation): KnownCharge {
  const { money } = apply(emptyMoney(Date.now()), order);
  const charge = new KnownCharge(id, 'transparent.completed', money);
  book.charges.push(charge);
  return charge;
}

/** Runs one action on a charge, or two at once, and notes the answers. */
export async function act(shop: Shop, charge: KnownCharge, ...actions: ChargeAction[]): Promise<void> {
  const answers = await Promise.all(actions.map((action) => ask(shop, charge, action)));
  if (charge.learn(actions, answers)) return;
  const asked = actions.map((action, index) => `${action} → ${answers[index]?.code}`).join(' and ');
  shop.book.contradictions.push(`${charge.id}: ${asked}, which the model has in no order`);
}

function ask({ integrator }: Shop, { id, completedAs, possible }: KnownCharge, action: ChargeAction) {
  const of = completedAs === 'transparent.completed' ? 'transparents' : 'checkouts';
  switch (action) {
    case 'pay':
      return integrator.post(`transparents/simulate-payment?id=${id}`, {});
    case 'cancel':
      return integrator.post('transparents/cancel', { id });
    case 'refund':
      return integrator.post(`${of}/refund`, { id });
    case 'refundPart': {
      const amount = partCentsOf(possible[0]?.charges[0] ?? { amountCents: 0 });
      return integrator.post(`${of}/refund`, { id, amount });
    }
    case 'openDispute':
      return integrator.post('dev/disputes/open', { id, reason: 'Não reconheço a compra' });
    case 'disputeAll': {
      const { amountCents: amount = 0 } = possible[0]?.charges[0] ?? {};
      return integrator.post('dev/disputes/open', { id, amount });
    }
    case 'winDispute':
      return integrator.post('dev/disputes/win', { id });
    case 'loseDispute':
      return integrator.post('dev/disputes/lose', { id });
    default:
      throw new Error(`${action satisfies never} is no action`);
  }
}

/** Reverses two of five payments. */
export async function perhapsReversed(shop: Shop, chance: Chance, charge: KnownCharge): Promise<void> {
  const reversal = chance.weighted({ none: 6, refund: 1, dispute: 1, both: 1, twice: 1, parts: 2 });
  if (reversal === 'refund') await act(shop, charge, 'refund');
  if (reversal === 'both') await act(shop, charge, 'refund', 'openDispute');
  if (reversal === 'twice') await act(shop, charge, 'refund', 'refund');
  if (reversal === 'parts') await act(shop, charge, 'refundPart', 'refundPart');
  if (reversal !== 'dispute') return;
  await act(shop, charge, 'openDispute');
  const decision = chance.weighted({ won: 2, lost: 2, both: 1 });
  if (decision === 'won') await act(shop, charge, 'winDispute');
  if (decision === 'lost') await act(shop, charge, 'loseDispute');
  if (decision === 'both') await act(shop, charge, 'winDispute', 'loseDispute');
}
