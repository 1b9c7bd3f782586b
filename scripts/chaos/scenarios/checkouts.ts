import { randomUUID } from 'node:crypto';
import { KnownCharge, paidThroughCheckout } from '../book.ts';
import type { Answer } from '../integrator.ts';
import { payCheckout } from './pay-checkout.ts';
import { PRODUCT_CENTS, perhapsReversed, type Scenario, type Shop } from './shop.ts';

const DECLINED = '4000000000000002';

/** Two products, ten percent off. */
const DISCOUNTED_CENTS = (2 * PRODUCT_CENTS * 90) / 100;

interface Paid {
  readonly paymentId: string;
}

/** An order that its customer pays, pays on two devices at once, pays after a declined card, or cancels. */
export const checkout: Scenario = async (shop, chance) => {
  const quantity = chance.between(1, 20);
  const id = await create(shop, 'checkouts/create', quantity);
  if (id === null) return;
  const end = chance.weighted({ paid: 5, declinedFirst: 2, paidTwice: 2, cancelled: 1, paidOrCancelled: 1 });
  if (end === 'cancelled') return cancel(shop, id);
  if (end === 'declinedFirst') await payCheckout(shop, { id, method: 'CARD', number: DECLINED });
  const attempt = () => payCheckout<Paid>(shop, { id, method: chance.oneOf(['CARD', 'PIX']) });
  const tries = [attempt()];
  if (end === 'paidTwice') tries.push(attempt());
  const [answers, cancelled] = await Promise.all([
    Promise.all(tries),
    end === 'paidOrCancelled' ? shop.integrator.post('checkouts/cancel', { id }) : null,
  ]);
  const paid = answers.filter((answer) => answer.data !== null);
  const payments = new Set(paid.map(({ data }) => data?.paymentId));
  if (payments.size > 1 || (payments.size === 0 && cancelled?.code !== 'ok')) {
    const codes = answers.map(({ data, code }) => data?.paymentId ?? code).join(' and ');
    shop.book.contradictions.push(`${id} was to be paid once, and answered: ${codes}`);
    return;
  }
  if (cancelled?.code === 'ok' && payments.size > 0)
    shop.book.contradictions.push(`${id} was paid, and cancelled all the same`);
  const [first] = paid;
  if (first === undefined) return void shop.book.checkouts.push({ id, isLink: false, end: 'CANCELLED' });
  const charge = taken(shop, first, quantity * PRODUCT_CENTS);
  shop.book.checkouts.push({ id, isLink: false, end: charge });
  await perhapsReversed(shop, chance, charge);
};

/** A link that several people pay at once, and that is deactivated in the end. */
export const paymentLink: Scenario = async (shop, chance) => {
  const amountCents = chance.between(1, 10) * PRODUCT_CENTS;
  const id = await create(shop, 'payment-links/create', amountCents / PRODUCT_CENTS);
  if (id === null) return;
  const payers = Array.from({ length: chance.between(2, 5) }, () =>
    chance.weighted({ PIX: 2, CARD: 2, declined: 1 }),
  );
  const charges = await Promise.all(
    payers.map(async (method) => {
      const answer = await payCheckout<Paid>(
        shop,
        method === 'declined' ? { id, method: 'CARD', number: DECLINED } : { id, method },
      );
      const expected = method === 'declined' ? 'CARD_DECLINED' : 'ok';
      if (answer.code !== expected)
        shop.book.contradictions.push(`${id}: a payment by ${method} → ${answer.code}`);
      return answer.data === null ? null : taken(shop, answer, amountCents);
    }),
  );
  const [first] = charges.filter((charge) => charge !== null);
  if (first !== undefined) await perhapsReversed(shop, chance, first);
  await cancel(shop, id, true);
};

/** One more customer than the coupon has uses, all at once. The last customer is refused and leaves. */
export const coupon: Scenario = async (shop, chance) => {
  const code = `C${randomUUID()}`;
  const maxRedeems = chance.between(1, 3);
  await shop.integrator.post('coupons/create', {
    code,
    discountKind: 'PERCENTAGE',
    discount: 10,
    maxRedeems,
  });
  const ids = await Promise.all(
    Array.from({ length: maxRedeems + 1 }, () => create(shop, 'checkouts/create', 2, [code])),
  );
  let redeems = 0;
  await Promise.all(
    ids.map(async (id) => {
      if (id === null) return;
      const answer = await payCheckout<Paid>(shop, {
        id,
        method: chance.oneOf(['CARD', 'PIX']),
        coupon: code,
      });
      if (answer.data === null) return cancel(shop, id);
      redeems += 1;
      shop.book.checkouts.push({ id, isLink: false, end: taken(shop, answer, DISCOUNTED_CENTS) });
    }),
  );
  shop.book.coupons.push({ code, maxRedeems, redeems });
};

async function create(
  { integrator, productId, book }: Shop,
  path: string,
  quantity: number,
  coupons: string[] = [],
): Promise<string | null> {
  const body = { items: [{ id: productId, quantity }], coupons };
  const { data, code } = await integrator.post<{ id: string }>(path, body);
  // The coupon may be exhausted before the last customer arrives.
  if (data === null && code !== 'COUPON_NOT_ACCEPTED') book.contradictions.push(`${path} → ${code}`);
  return data?.id ?? null;
}

async function cancel({ integrator, book }: Shop, id: string, isLink = false): Promise<void> {
  const { code } = await integrator.post('checkouts/cancel', { id });
  if (code === 'ok') book.checkouts.push({ id, isLink, end: 'CANCELLED' });
  else book.contradictions.push(`${id} could not be cancelled: ${code}`);
}

/** Notes a payment that was answered with success. */
function taken({ book }: Shop, { data }: Answer<Paid>, amountCents: number): KnownCharge {
  const { paymentId = '' } = data ?? {};
  const method = paymentId.startsWith('card_') ? 'CARD' : 'PIX';
  const charge = new KnownCharge(paymentId, 'checkout.completed', paidThroughCheckout(method, amountCents));
  book.charges.push(charge);
  return charge;
}
