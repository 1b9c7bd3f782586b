import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../../test/support/chance.ts';
import {
  becomesPaid,
  cancelled,
  created,
  type Refundable,
  refundBodies,
  refunded,
  sent,
} from '../real-money/client-requests.ts';
import type { BegunPayment, Payer } from '../real-money/payer.ts';
import type { KnownRealCheckout, RealShop } from '../real-money/real-shop.ts';
import type { AsaasDoor } from './asaas-door.ts';

/** A store with an account at Asaas, and its payers. */
export interface AsaasShop extends RealShop {
  readonly door: AsaasDoor;
  readonly payer: Payer;
  /** Sold for {@link PRODUCT_CENTS}. */
  readonly productId: string;
}

type AsaasScenario = (shop: AsaasShop, chance: Chance) => Promise<void>;

export const PRODUCT_CENTS = 3_500;
const LONG_S = 86_400;
/** How often, and with which pause, a transfer is tried until the store has money. */
const TRY_EVERY_MS = 2_000;
const MOST_TRIES = 60;
const CUSTOMERS = [
  { name: 'Maria Souza', taxId: '529.982.247-25' },
  { name: 'João Lima', taxId: '111.444.777-35' },
  { name: 'Padaria Sol', taxId: '11.222.333/0001-81' },
];
/** A transfer to this key fails, and one to any other arrives. */
const KEYS = { arriving: 'ana@example.com', failing: 'falha@example.com' };
/** The codes of the box carry the payment's number. */
const NUMBER_IN_CODE = /pay(\d{16})/;
const NUMBER_IN_PAGE = /\/i\/(\d+)$/;

interface Shown {
  readonly id: string;
  readonly brCode: string;
}

/** A PIX code that is paid, paid twice at once, cancelled, left unpaid, or paid although it was cancelled or has expired. */
const pix: AsaasScenario = async (shop, chance) => {
  const weights = { paid: 7, paidTwice: 2, paidOrCancelled: 1, cancelled: 1, paidLate: 2, expired: 1 };
  const end = chance.weighted(weights);
  const expiresIn = end === 'expired' ? chance.between(2, 12) : LONG_S;
  const data = { amount: chance.between(300, 50_000), expiresIn, customer: chance.oneOf(CUSTOMERS) };
  const mayBeTwo = expiresIn !== LONG_S;
  const issued = await created<Shown>(shop, chance, { method: 'PIX', data }, { mayBeTwo });
  if (issued !== null && end !== 'expired') await endCode(shop, chance, issued, { end, atBank: false });
};

/** A boleto, which is paid by PIX or by its bar code, by a payer or two, perhaps with more than its amount. */
const boleto: AsaasScenario = async (shop, chance) => {
  const end = chance.weighted({ paid: 6, paidTwice: 1, paidOrCancelled: 1, cancelled: 1, paidLate: 2 });
  const data = { amount: chance.between(500, 50_000), customer: chance.oneOf(CUSTOMERS) };
  const issued = await created<Shown>(shop, chance, { method: 'BOLETO', data });
  if (issued === null) return;
  const reais = chance.isIn(20) ? { reais: Math.round(data.amount * 1.02) / 100 } : {};
  await endCode(shop, chance, issued, { end, atBank: chance.isIn(50), ...reais });
};

interface EndOfCode {
  readonly end: 'paid' | 'paidTwice' | 'paidOrCancelled' | 'cancelled' | 'paidLate';
  readonly atBank: boolean;
  readonly reais?: number;
}

async function endCode(
  shop: AsaasShop,
  chance: Chance,
  { charge, shown }: NonNullable<Awaited<ReturnType<typeof created<Shown>>>>,
  { end, ...how }: EndOfCode,
): Promise<void> {
  const id = `pay_${NUMBER_IN_CODE.exec(shown.brCode)?.[1]}`;
  const pay = () => shop.door.pay(id, how);
  const cancel = () => cancelled(shop, 'transparents', charge.id);
  if (end === 'paid') charge.isPaid = await pay();
  if (end === 'paidTwice') charge.isPaid = (await Promise.all([pay(), pay()])).includes(true);
  if (end === 'paidOrCancelled') await Promise.all([pay(), cancel()]);
  if (end === 'cancelled' || end === 'paidLate') await cancel();
  // The box accepts no second payment, so this is money for a charge that has ended.
  if (end === 'paidLate') await shop.door.pay(id, { ...how, isForced: true });
  if (charge.isPaid && !how.atBank) await perhapsRefunded(shop, chance, 'transparents', charge);
}

async function perhapsRefunded(
  shop: AsaasShop,
  chance: Chance,
  of: Refundable,
  { id, amountCents }: { readonly id: string; readonly amountCents: number },
): Promise<void> {
  const how = chance.weighted({ none: 5, all: 2, parts: 2, partAndRest: 1, part: 1 });
  if (how === 'none' || !(await becomesPaid(shop, of, id))) return;
  await refunded(shop, of, id, refundBodies(id, amountCents, how));
}

/**
 * A checkout whose payer chooses a card, and pays on the page of Asaas: at once, after a card that is refused, after an analysis,
 * or not at all; or by PIX instead, or by both at once.
 */
const card: AsaasScenario = async (shop, chance) => {
  const quantity = chance.between(1, 4);
  const checkout = await createCheckout(shop, quantity);
  if (checkout === null) return;
  const weights = { paid: 6, refusedFirst: 2, analyzed: 2, reproved: 1, left: 2, both: 2, cancelled: 1 };
  const end = chance.weighted(weights);
  const begun = await begin(shop, chance, checkout, 'CARD', chance.between(1, Math.min(3, quantity)));
  const page = begun && (await shop.payer.outside(begun, (url) => NUMBER_IN_PAGE.test(url)));
  if (begun === null || page === null) return cancelled(shop, 'checkouts', checkout.id);
  const id = `pay_${NUMBER_IN_PAGE.exec(page)?.[1]}`;
  const { door } = shop;
  if (end === 'refusedFirst') await door.payByCard(id, { isRefused: true });
  if (end === 'analyzed' || end === 'reproved') await door.payByCard(id, { isAnalyzed: true });
  if (end === 'reproved') await door.reprove(id);
  if (end === 'cancelled') return cancelled(shop, 'checkouts', checkout.id);
  if (end === 'left' || end === 'reproved') return payByPix(shop, chance, checkout);
  if (end === 'both') {
    await Promise.all([door.payByCard(id), payByPix(shop, chance, checkout)]);
    return;
  }
  checkout.isPaid = await door.payByCard(id);
  // Without coming back, the payer's shop learns of the payment from Asaas.
  if (chance.isIn(60)) await shop.payer.comeBack(begun);
  if (!checkout.isPaid) return;
  if (chance.isIn(25)) return chargedBack(shop, chance, checkout, id);
  await perhapsRefunded(shop, chance, 'checkouts', {
    id: checkout.id,
    amountCents: quantity * PRODUCT_CENTS,
  });
};

async function createCheckout(shop: AsaasShop, quantity: number): Promise<KnownRealCheckout | null> {
  const body = {
    items: [{ id: shop.productId, quantity }],
    methods: ['CARD', 'PIX'],
    card: { maxInstallments: 3 },
  };
  const { data, code } = await shop.integrator.post<{ id: string }>('checkouts/create', body);
  if (data === null) {
    shop.contradictions.push(`checkouts/create → ${code}`);
    return null;
  }
  const checkout = { id: data.id, isPaid: false, renewals: null };
  shop.checkouts.push(checkout);
  return checkout;
}

async function begin(
  shop: AsaasShop,
  chance: Chance,
  { id }: KnownRealCheckout,
  method: 'CARD' | 'PIX',
  installments = 1,
): Promise<BegunPayment | null> {
  const { name: payerName, taxId: payerTaxId } = chance.oneOf(CUSTOMERS);
  const typed = { method, installments: String(installments), payerName, payerTaxId };
  return shop.payer.begin(id, typed);
}

/** Pays the same checkout in another way. The form is refused if the checkout is paid already. */
async function payByPix(shop: AsaasShop, chance: Chance, checkout: KnownRealCheckout): Promise<void> {
  const begun = await begin(shop, chance, checkout, 'PIX');
  if (begun === null) return;
  const code = await shop.payer.pixCode(begun);
  const [, number] = NUMBER_IN_CODE.exec(code ?? '') ?? [];
  if (number === undefined) return cancelled(shop, 'checkouts', checkout.id);
  await shop.door.pay(`pay_${number}`);
}

/** The card issuer charges the payment back, and decides in the end. */
async function chargedBack(
  shop: AsaasShop,
  chance: Chance,
  { id: checkoutId }: KnownRealCheckout,
  id: string,
): Promise<void> {
  await becomesPaid(shop, 'checkouts', checkoutId);
  await shop.door.chargeBack(id, 'REQUESTED');
  if (chance.isIn(50)) await shop.door.chargeBack(id, 'IN_DISPUTE');
  await shop.door.chargeBack(id, chance.isIn(50) ? 'REVERSED' : 'DISPUTE_LOST');
}

/** A transfer to the store's own account, or to another person's key, which may not exist. */
const payout: AsaasScenario = (shop, chance) => sendOnceThereIsMoney(shop, chance, 'payouts/create', {});
const transfer: AsaasScenario = (shop, chance) => {
  const key = KEYS[chance.weighted({ arriving: 4, failing: 1 })];
  return sendOnceThereIsMoney(shop, chance, 'pix/send', { pix: { type: 'EMAIL', key } });
};

/** The first customers arrive before anyone has paid. */
async function sendOnceThereIsMoney(
  shop: AsaasShop,
  chance: Chance,
  path: 'payouts/create' | 'pix/send',
  to: object,
): Promise<void> {
  const amount = chance.between(350, 2_000);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (await sent(shop, chance, path, amount, to)) return;
    await sleep(TRY_EVERY_MS);
  }
}

/** The scenarios of customers of the store at Asaas, by their weight. */
export const ASAAS_SCENARIOS = {
  'PIX at Asaas': { weight: 22, scenario: pix },
  'boleto at Asaas': { weight: 16, scenario: boleto },
  'card at Asaas': { weight: 26, scenario: card },
  'payout from Asaas': { weight: 3, scenario: payout },
  'transfer from Asaas': { weight: 8, scenario: transfer },
} as const satisfies Record<string, { readonly weight: number; readonly scenario: AsaasScenario }>;
