import type { Chance } from '../../../test/support/chance.ts';
import { becomesPaid, cancelled, created, refundBodies, refunded } from '../real-money/client-requests.ts';
import type { BegunPayment, Payer } from '../real-money/payer.ts';
import type { KnownRealCheckout, RealShop } from '../real-money/real-shop.ts';
import type { StripeDoor } from './stripe-door.ts';

/** A store with an account at Stripe, and its payers. */
export interface StripeShop extends RealShop {
  readonly door: StripeDoor;
  readonly payer: Payer;
  /** Sold for {@link PRODUCT_CENTS}. */
  readonly productId: string;
  /** Sold every week. */
  readonly planId: string;
}

type StripeScenario = (shop: StripeShop, chance: Chance) => Promise<void>;

export const PRODUCT_CENTS = 3_500;
export const PLAN_CENTS = 4_900;
/** Of a weekly plan. */
const CYCLE_S = 7 * 86_400;
/** Stripe's test cards. The bank asks to confirm the second one once, and the third one each time. */
const CARDS = {
  good: '4242424242424242',
  confirmedOnce: '4000002500003155',
  confirmed: '4000002760003184',
  declined: '4000000000000341',
};
const CUSTOMER = {
  name: 'Maria Souza',
  taxId: '529.982.247-25',
  email: 'maria@example.com',
  address: { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310-100' },
};

const isBank = (url: string) => /\/3ds\/\w+$/.test(url);

/** A checkout that is paid by a card, at once, after a card that is declined, or after the payer's bank has asked. */
const card: StripeScenario = async (shop, chance) => {
  const quantity = chance.between(1, 4);
  const checkout = await createCheckout(shop, 'checkouts/create', {
    items: [{ id: shop.productId, quantity }],
    methods: ['CARD'],
  });
  if (checkout === null) return;
  const weights = {
    paid: 5,
    declinedFirst: 2,
    confirmed: 5,
    refused: 1,
    abandoned: 2,
    both: 2,
    cancelled: 1,
  };
  const end = chance.weighted(weights);
  if (end === 'declinedFirst') await pay(shop, chance, checkout, 'declined');
  let paidBy: string | null = null;
  if (end === 'confirmed') paidBy = await pay(shop, chance, checkout, 'confirmed');
  if (end === 'refused') await pay(shop, chance, checkout, 'confirmed', false);
  if (end === 'abandoned' || end === 'cancelled') await leaveAtBank(shop, checkout);
  if (end === 'cancelled') return cancelled(shop, 'checkouts', checkout.id);
  if (end === 'both')
    await Promise.all([pay(shop, chance, checkout, 'confirmed'), pay(shop, chance, checkout, 'good')]);
  else if (end !== 'confirmed') paidBy = await pay(shop, chance, checkout, 'good');
  // Whatever the payers have done, the checkout ends.
  if (paidBy === null) return cancelled(shop, 'checkouts', checkout.id);
  checkout.isPaid = true;
  await perhapsReversed(shop, chance, checkout, paidBy, quantity * PRODUCT_CENTS);
};

/** A weekly plan that began as many weeks ago as its stored card is charged without the payer. */
const subscription: StripeScenario = async (shop, chance) => {
  const renewals = chance.between(0, 3);
  const checkout = await createCheckout(shop, 'subscriptions/create', {
    items: [{ id: shop.planId, quantity: 1 }],
    methods: ['CARD'],
    metadata: { secondsAgo: renewals * CYCLE_S },
  });
  if (checkout === null) return;
  const paidBy = await pay(shop, chance, checkout, chance.oneOf(['good', 'confirmedOnce'] as const));
  if (paidBy === null) return cancelled(shop, 'checkouts', checkout.id);
  checkout.isPaid = true;
  checkout.renewals = renewals;
};

/** A boleto: paid, paid twice at once, cancelled, or paid although it was cancelled. */
const boleto: StripeScenario = async (shop, chance) => {
  const data = { amount: chance.between(500, 50_000), customer: CUSTOMER };
  const issued = await created<{ id: string }>(shop, chance, { method: 'BOLETO', data });
  if (issued === null) return;
  const { charge } = issued;
  const end = chance.weighted({ paid: 5, paidTwice: 1, paidOrCancelled: 1, cancelled: 2, paidLate: 2 });
  const intent = await shop.door.intentOf(charge.id);
  if (intent === null) return void shop.contradictions.push(`Stripe has no boleto for ${charge.id}`);
  const payBoleto = () => shop.door.payBoleto(intent.id);
  const cancel = () => cancelled(shop, 'transparents', charge.id);
  if (end === 'paid') charge.isPaid = await payBoleto();
  if (end === 'paidTwice') charge.isPaid = (await Promise.all([payBoleto(), payBoleto()])).includes(true);
  if (end === 'paidOrCancelled') await Promise.all([payBoleto(), cancel()]);
  if (end === 'cancelled' || end === 'paidLate') await cancel();
  if (end === 'paidLate') await payBoleto();
};

async function createCheckout(
  shop: StripeShop,
  path: string,
  body: object,
): Promise<KnownRealCheckout | null> {
  const { data, code } = await shop.integrator.post<{ id: string }>(path, body);
  if (data === null) {
    shop.contradictions.push(`${path} → ${code}`);
    return null;
  }
  const checkout = { id: data.id, isPaid: false, renewals: null };
  shop.checkouts.push(checkout);
  return checkout;
}

async function begin(
  { door, payer }: StripeShop,
  { id }: KnownRealCheckout,
  number: string,
): Promise<BegunPayment | null> {
  return payer.begin(id, { method: 'CARD', cardToken: await door.typeCard(number) });
}

/** Pays by a card, and answers the bank if it asks. @returns the charge if it has paid; null if it has ended otherwise. */
async function pay(
  shop: StripeShop,
  chance: Chance,
  checkout: KnownRealCheckout,
  kind: keyof typeof CARDS,
  isConfirmed: boolean = true,
): Promise<string | null> {
  const begun = await begin(shop, checkout, CARDS[kind]);
  if (begun === null) return null;
  const page = await shop.payer.outside(begun, isBank);
  if (page !== null) {
    await shop.door.answerBank(page, isConfirmed);
    // Without coming back, the payer's shop learns of it from Stripe.
    if (chance.isIn(60)) await shop.payer.comeBack(begun);
  }
  return (await shop.payer.ended(begun)) === 'PAID' ? begun.chargeId : null;
}

async function leaveAtBank(shop: StripeShop, checkout: KnownRealCheckout): Promise<void> {
  const begun = await begin(shop, checkout, CARDS.confirmed);
  if (begun !== null) await shop.payer.outside(begun, isBank);
}

/** Half of the payments do not stay as they are. */
async function perhapsReversed(
  shop: StripeShop,
  chance: Chance,
  { id }: KnownRealCheckout,
  chargeId: string,
  amountCents: number,
): Promise<void> {
  const how = chance.weighted({ none: 6, all: 2, parts: 2, partAndRest: 1, part: 1, won: 1, lost: 1 });
  if (how === 'none' || !(await becomesPaid(shop, 'checkouts', id))) return;
  if (how !== 'won' && how !== 'lost')
    return refunded(shop, 'checkouts', id, refundBodies(id, amountCents, how));
  const intent = await shop.door.intentOf(chargeId);
  if (intent === null) return void shop.contradictions.push(`Stripe has no payment for ${chargeId}`);
  await shop.door.dispute(intent.id, how);
}

/** What customers of the store at Stripe do, by how much of it there is. */
export const STRIPE_SCENARIOS = {
  'card at Stripe': { weight: 40, scenario: card },
  'subscription at Stripe': { weight: 12, scenario: subscription },
  'boleto at Stripe': { weight: 18, scenario: boleto },
} as const satisfies Record<string, { readonly weight: number; readonly scenario: StripeScenario }>;
