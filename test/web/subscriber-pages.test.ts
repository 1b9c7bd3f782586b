import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { ProductCycle } from '../../src/domain/cycle.ts';
import type { CheckoutId } from '../../src/domain/ids.ts';
import { updateStoreProfile } from '../../src/stores/profile.ts';
import {
  chargesOf,
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertProduct,
  itemOf,
  NOON,
  paid,
} from '../support/rows/checkout-rows.ts';
import { insertPlanCheckout, insertRenewal, insertSubscribed } from '../support/rows/subscriber-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.played.now = NOON;
  app.played.decision = paid(4_900);
});

/** The page as a payer reads it. */
async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await app.api.call(path, { key: null, headers });
  expect(status).toBe(200);
  return wordsOf(text);
}

function wordsOf(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

/** Sends the form of a payment. */
async function send(checkoutId: CheckoutId, fields: Record<string, string>) {
  const answer = await app.send(`/pay/${checkoutId}`, payFormOf(fields));
  return { ...answer, text: wordsOf(answer.text) };
}

it.each([
  [{ supportPhone: '+55 (11) 4002-8922' }, 'tel:+551140028922'],
  [{ supportUrl: 'https://example.com/ajuda' }, 'https://example.com/ajuda'],
  [{ supportEmail: 'ajuda@example.com' }, 'mailto:ajuda@example.com'],
  [{}, null],
])('asks subscribers to contact a store with %j by %s', async (profile, address) => {
  const none = { supportEmail: null, supportPhone: null, supportUrl: null };
  await updateStoreProfile(app.database.em.fork(), app.storeId, { ...none, ...profile });
  const { id } = await insertPlanCheckout(app);
  const { checkout } = await insertSubscribed(app, 'CARD');
  const texts = { [id]: 'Basta falar com', [checkout.id]: 'Para cancelar ou mudar de plano, fale com' };
  for (const [page, words] of Object.entries(texts)) {
    const { text } = await app.api.call(`/pay/${page}`, { key: null });
    expect(text.includes(words)).toBe(address !== null);
    if (address !== null) expect(text).toContain(`${words} <a href="${address}"`);
  }
});

describe('the page of a subscription', () => {
  it.each<[ProductCycle, string, string]>([
    ['WEEKLY', 'R$ 49,00 por semana', '09/12/2026'],
    ['MONTHLY', 'R$ 49,00 por mês', '02/01/2027'],
    ['QUARTERLY', 'R$ 49,00 por trimestre', '02/03/2027'],
    ['SEMIANNUALLY', 'R$ 49,00 por semestre', '02/06/2027'],
    ['ANNUALLY', 'R$ 49,00 por ano', '02/12/2027'],
  ])('of a %s plan shows the price per cycle and when it is charged next', async (cycle, price, next) => {
    const { id } = await insertPlanCheckout(app, { cycle });
    const page = await read(`/pay/${id}`);
    expect(page).toContain(`Assinatura de Loja Teste ${price}`);
    expect(page).toContain('Hoje: R$ 49,00');
    expect(page).toContain(`A partir de ${next} ${price}`);
    expect(page).toContain('Assinar e pagar R$ 49,00');
    expect(page).toContain('Assinar e gerar Pix de R$ 49,00');
  });

  it('asks for the card of a trial, charges nothing today and shows what follows', async () => {
    const { id } = await insertPlanCheckout(app, { trialDays: 7, methods: ['CARD'] });
    const page = await read(`/pay/${id}`);
    expect(page).toContain('Hoje: R$ 0,00');
    expect(page).toContain('7 dias grátis, depois R$ 49,00 por mês a partir de 09/12/2026');
    expect(page).toContain('Número do cartão');
    expect(page).toContain('Começar teste grátis');
  });

  it('counts a trial that crosses midnight in São Paulo days', async () => {
    app.played.now = new Date('2026-12-03T01:00:00.000Z');
    const { id } = await insertPlanCheckout(app, { trialDays: 1 });
    expect(await read(`/pay/${id}`)).toContain(
      '1 dia grátis, depois R$ 49,00 por mês a partir de 03/12/2026',
    );
  });

  it('says what happens to a day that not every month has', async () => {
    app.played.now = new Date('2026-12-31T15:00:00.000Z');
    const { id } = await insertPlanCheckout(app, { expiresAt: null });
    expect(await read(`/pay/${id}`)).toContain('no mesmo dia (ou no último, em meses mais curtos)');
  });

  it('offers no installments, whatever the checkout says', async () => {
    const { id } = await insertPlanCheckout(app, { maxInstallments: 12 });
    expect(await read(`/pay/${id}`)).not.toContain('Parcelas');
  });

  it('explains PIX codes per cycle, or where the card is stored', async () => {
    const pix = await insertPlanCheckout(app, { methods: ['PIX'] });
    const card = await insertPlanCheckout(app, { methods: ['CARD'] });
    expect(await read(`/pay/${pix.id}`)).toContain('Um código Pix novo a cada cobrança');
    expect(await read(`/pay/${pix.id}`)).not.toContain('token');
    expect(await read(`/pay/${card.id}`)).toContain('guardado como um token no provedor de pagamento');
  });

  it('applies a coupon to the first payment only, and says so', async () => {
    const { code } = await insertCoupon(app);
    const { id } = await insertPlanCheckout(app, { coupons: [code] });
    const { text } = await send(id, { method: 'CARD', coupon: code, action: 'apply-coupon' });
    expect(text).toContain('Hoje: R$ 44,10');
    expect(text).toContain(
      'O cupom desconta só o primeiro pagamento, até 02/01/2027. Depois, R$ 49,00 por mês.',
    );
    expect(text).toContain('Assinar e pagar R$ 44,10');
  });

  it('asks for the card even if a coupon covers the first payment', async () => {
    const { code } = await insertCoupon(app, { discountValue: 10_000 });
    const { id } = await insertPlanCheckout(app, { coupons: [code] });
    const { text } = await send(id, { method: 'CARD', coupon: code, action: 'apply-coupon' });
    expect(text).toContain('Hoje: R$ 0,00');
    expect(text).toContain('Número do cartão');
    expect(text).toContain('Assinar ');
  });
});

describe('the form of a subscription', () => {
  it('stores the card for a trial and charges nothing', async () => {
    app.played.decision = paid(0);
    const { id } = await insertPlanCheckout(app, { trialDays: 7 });
    const { status } = await send(id, { method: 'CARD', ...CARD });
    expect(status).toBe(303);
    const [charge] = await chargesOf(app, id);
    expect(charge).toMatchObject({ method: 'FREE', amountCents: 0, cardLastFour: '4242' });
    expect(charge?.cardToken).toBeTruthy();
  });

  it('refuses an invalid card for a trial', async () => {
    const { id } = await insertPlanCheckout(app, { trialDays: 7 });
    const { text } = await send(id, { method: 'CARD', ...CARD, cardNumber: '4242 4242 4242 4241' });
    expect(text).toContain('Confira o número do cartão');
    expect(text).toContain('7 dias grátis');
    expect(await chargesOf(app, id)).toEqual([]);
  });

  it('shows the form again after a decline, without installments', async () => {
    app.played.decision = { status: 'FAILED', failureReason: 'insufficient_funds' };
    const { id } = await insertPlanCheckout(app);
    const { location } = await send(id, { method: 'CARD', ...CARD });
    const page = await read(location);
    expect(page).toContain('Pagamento não aprovado');
    expect(page).not.toContain('parcelas');
    expect(page).toContain('Assinar e pagar R$ 49,00');
  });
});

describe('the confirmation of a subscription', () => {
  it('shows the day and amount of the next charge', async () => {
    const { checkout, first } = await insertSubscribed(app, 'CARD');
    const page = await read(`/pay/${checkout.id}/${first.id}`);
    expect(page).toContain('Assinatura ativa R$ 49,00');
    expect(page).toContain('Próxima cobrança 02/01/2027 , R$ 49,00');
    expect(page).toContain('Pagamento Visa final 4242');
  });

  it('says that a trial cost nothing, and when the first charge is', async () => {
    const { checkout, first } = await insertSubscribed(app, 'CARD', { checkout: { trialDays: 7 } });
    const page = await read(`/pay/${checkout.id}/${first.id}`);
    expect(page).toContain('Teste grátis iniciado R$ 0,00 Nada é cobrado durante o teste');
    expect(page).toContain('Próxima cobrança 09/12/2026 , R$ 49,00');
    const receipt = await read(`/receipt/${first.id}`);
    expect(receipt).toContain('Forma de pagamento Teste grátis');
    expect(receipt).toMatch(/R\$ 49,00 Teste grátis − R\$ 49,00/);
  });

  it('adds what was used so far to the next charge', async () => {
    const { checkout, first, subscription } = await insertSubscribed(app, 'CARD');
    const used = await insertProduct(app, { name: 'SMS' });
    await app.database.em.fork().execute(
      `insert into usage_totals (subscription_id, installment_number, product_id, units, amount_cents)
       values (?, 2, ?, 13, 1300)`,
      [subscription.id, used.id],
    );
    const page = await read(`/pay/${checkout.id}/${first.id}`);
    expect(page).toContain('R$ 62,00 com R$ 13,00 de consumo até agora SMS: 13 (R$ 13,00)');
  });

  it('shows usage that is charged before the plan by itself', async () => {
    const { checkout, first, subscription } = await insertSubscribed(app, 'CARD');
    const used = await insertProduct(app, { name: 'SMS' });
    const em = app.database.em.fork();
    await em.execute(
      `insert into usage_totals (subscription_id, installment_number, product_id, units, amount_cents)
       values (?, 2, ?, 13, 1300)`,
      [subscription.id, used.id],
    );
    const monthly = {
      plan: { ...subscription.plan, usageCycle: 'MONTHLY' as const },
      cycle: 'ANNUALLY' as const,
      cycleEndsAt: new Date('2027-12-02T15:00:00.000Z'),
      usageEndsAt: new Date('2027-01-02T15:00:00.000Z'),
    };
    await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, monthly);
    const page = await read(`/pay/${checkout.id}/${first.id}`);
    expect(page).toContain('Consumo até agora, cobrado em 02/01/2027 SMS: 13 (R$ 13,00)');
    expect(page).toContain('Próxima cobrança 02/12/2027 , R$ 49,00');
    expect(page).not.toContain('de consumo até agora');
  });

  it('says before the payment that usage is charged separately', async () => {
    const product = await insertProduct(app, { cycle: 'ANNUALLY', usageCycle: 'MONTHLY' });
    const checkout = await insertCheckout(app, {
      frequency: 'SUBSCRIPTION',
      cycle: 'ANNUALLY',
      items: [itemOf(product)],
    });
    expect(await read(`/pay/${checkout.id}`)).toContain('O consumo é cobrado à parte, todo mês.');
  });

  it.each([
    [1_000, 'R$ 39,00'],
    [6_000, 'R$ 0,00'],
  ])('takes a credit of %d cents off the next charge', async (creditCents, shown) => {
    const { checkout, first } = await insertSubscribed(app, 'CARD', { subscription: { creditCents } });
    const page = await read(`/pay/${checkout.id}/${first.id}`);
    expect(page).toContain(`Próxima cobrança 02/01/2027 , ${shown}`);
  });

  it('offers one thing more, which a renewal does not', async () => {
    const offer = await insertProduct(app, { name: 'Caneca' });
    const subscribed = await insertSubscribed(app, 'CARD', { checkout: { upSellProductId: offer.id } });
    const { checkout, first } = subscribed;
    const own = { Cookie: `payer=${first.submissionKey}` };
    expect(await read(`/pay/${checkout.id}/${first.id}`, own)).toContain('Caneca');
    const renewal = await insertRenewal(app, subscribed, paid(4_900));
    const ownOfRenewal = { Cookie: `payer=${renewal.submissionKey}` };
    expect(await read(`/pay/${checkout.id}/${renewal.id}`, ownOfRenewal)).not.toContain('Caneca');
  });

  it('says that the subscription was cancelled since', async () => {
    const cancelled = { status: 'CANCELLED' as const, canceledAt: NOON };
    const { checkout, first } = await insertSubscribed(app, 'CARD', { subscription: cancelled });
    for (const path of [`/pay/${checkout.id}`, `/pay/${checkout.id}/${first.id}`]) {
      const page = await read(path);
      expect(page).toContain('Assinatura cancelada');
      expect(page).not.toContain('Próxima cobrança');
    }
  });
});

describe('the address of a subscription that is paid', () => {
  it('says that it is active, and when it is charged next', async () => {
    const { checkout } = await insertSubscribed(app, 'CARD');
    const page = await read(`/pay/${checkout.id}`);
    expect(page).toContain('Assinatura ativa');
    expect(page).toContain('Próxima cobrança 02/01/2027 , R$ 49,00');
  });

  it('leads to the PIX code that waits', async () => {
    const subscribed = await insertSubscribed(app, 'PIX');
    const { id } = await insertRenewal(app, subscribed);
    const { text } = await app.api.call(`/pay/${subscribed.checkout.id}`, { key: null });
    expect(text).toContain(`href="/pay/${subscribed.checkout.id}/${id}">Pagar com Pix`);
  });

  it('distinguishes a trial from the cycles after it', async () => {
    const { checkout } = await insertSubscribed(app, 'CARD', { checkout: { trialDays: 7 } });
    expect(await read(`/pay/${checkout.id}`)).toContain('Teste grátis em andamento');
    app.played.now = new Date(NOON.getTime() + 8 * 86_400_000);
    expect(await read(`/pay/${checkout.id}`)).toContain('Assinatura ativa');
  });

  it('says that a charge was not paid and is tried again', async () => {
    const failing = { failedAttempts: 1, retryEveryDays: 3 };
    const { checkout } = await insertSubscribed(app, 'CARD', { subscription: failing });
    const page = await read(`/pay/${checkout.id}`);
    expect(page).toContain('nova tentativa em até 3 dias');
    expect(page).not.toContain('Próxima cobrança');
  });
});

describe('a subscription of which a payment went back', () => {
  it('says that the subscription continues after its first payment was refunded', async () => {
    const { checkout } = await insertSubscribed(app, 'CARD');
    const em = app.database.em.fork();
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id }, { status: 'REFUNDED' });
    const page = await read(`/pay/${checkout.id}`);
    expect(page).toContain('O primeiro pagamento foi devolvido');
    expect(page).toContain('A assinatura continua ativa.');
    expect(page).toContain('Próxima cobrança 02/01/2027 , R$ 49,00');
  });

  it('shows a refunded renewal as refunded and links the subscription', async () => {
    const subscribed = await insertSubscribed(app, 'CARD');
    const refunded = { ...paid(4_900), status: 'REFUNDED' as const };
    const { id, cycleId } = await insertRenewal(app, subscribed, refunded);
    const em = app.database.em.fork();
    const cycle = { status: 'PAID' as const, paidByChargeId: id };
    await em.nativeUpdate(CycleEntity, { id: cycleId }, cycle);
    const path = `/pay/${subscribed.checkout.id}/${id}`;
    expect(await read(path)).not.toMatch(/já foi pago de outra forma|nova tentativa/);
    const { text } = await app.api.call(path, { key: null });
    expect(text).toContain(`href="/pay/${subscribed.checkout.id}">Ver a assinatura`);
    expect(text).toContain(`href="/receipt/${id}"`);
  });
});

describe('the page of a renewal', () => {
  it('shows code and deadline though the checkout is paid, and asks for its status', async () => {
    const subscribed = await insertSubscribed(app, 'PIX');
    const { id, brCode } = await insertRenewal(app, subscribed);
    const path = `/pay/${subscribed.checkout.id}/${id}`;
    const page = await read(path);
    expect(page).toContain('Pague R$ 49,00 com Pix');
    expect(page).toContain('Este código vale até 03/12/2026, 12:00');
    expect(page).toContain(brCode);
    expect((await app.api.call(path, { key: null })).text).toContain(`data-live-status="${path}/status"`);
    expect((await app.api.call(`${path}/status`, { key: null })).json).toEqual({ status: 'PENDING' });
  });

  it('confirms a paid cycle, and shows its period and usage on the receipt', async () => {
    const subscribed = await insertSubscribed(app, 'PIX');
    const cycle = { usageCents: 1_300, amountCents: 6_200 };
    const { id } = await insertRenewal(app, subscribed, paid(6_200), cycle);
    const page = await read(`/pay/${subscribed.checkout.id}/${id}`);
    expect(page).toContain('Pagamento confirmado R$ 62,00');
    expect(page).toContain('pelo período de 02/01/2027 a 02/02/2027');
    const receipt = await read(`/receipt/${id}`);
    expect(receipt).toContain('Consumo além do plano R$ 13,00');
    expect(receipt).toContain('Período 02/01/2027 a 02/02/2027');
  });

  it('says when the next code comes, and links it once it exists', async () => {
    const subscribed = await insertSubscribed(app, 'PIX');
    const expired = await insertRenewal(app, subscribed, { status: 'EXPIRED' });
    const path = `/pay/${subscribed.checkout.id}/${expired.id}`;
    expect(await read(path)).toContain('Um novo código vem com a próxima tentativa');
    const { cycleId } = expired;
    const again = await insertCharge(app, subscribed.checkout, 'PIX', { cycleId });
    const { text } = await app.api.call(path, { key: null });
    expect(text).toContain(`href="/pay/${subscribed.checkout.id}/${again.id}">Pagar com o novo código`);
  });

  it('says when a declined renewal is retried, and shows no form', async () => {
    const subscribed = await insertSubscribed(app, 'CARD');
    const declined = { status: 'FAILED' as const, failureReason: 'card_declined' as const };
    const { id } = await insertRenewal(app, subscribed, declined);
    const page = await read(`/pay/${subscribed.checkout.id}/${id}`);
    expect(page).toContain('Uma nova tentativa é feita em 1 dia');
    expect(page).not.toContain('Número do cartão');
  });

  it('says that a cancelled subscription charges nothing more', async () => {
    const subscribed = await insertSubscribed(app, 'PIX', { subscription: { status: 'CANCELLED' } });
    const { id } = await insertRenewal(app, subscribed, { status: 'EXPIRED' });
    expect(await read(`/pay/${subscribed.checkout.id}/${id}`)).toContain('nada mais é cobrado');
  });
});
