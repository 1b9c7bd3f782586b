import { type ApiClient, dataOf } from '../../../test/support/api/api-client.ts';

/** The ids of a shop that sells in every way that the pages describe. */
export interface Shop {
  readonly product: string;
  readonly plan: string;
  readonly otherPlan: string;
  readonly units: string;
  readonly customer: string;
  readonly checkout: string;
  readonly paidCheckout: string;
  readonly paidByCard: string;
  readonly link: string;
  readonly subscriptionCheckout: string;
  readonly subscription: string;
  readonly pix: string;
  readonly paidPix: string;
  readonly refundable: string;
  readonly boleto: string;
  readonly payout: string;
  readonly transfer: string;
  readonly webhook: string;
  /** A seller of a marketplace, who has received R$ 70,00 of {@link splitPix}. */
  readonly subAccount: string;
  readonly splitPix: string;
}

type Ids = { readonly id: string; readonly paymentId: string; readonly subscriptionId: string };

/** Fills a store as its owner would, over the API. */
export async function openShop(api: ApiClient): Promise<Shop> {
  const create = async (path: string, body: object) => dataOf<Ids>(await api.post(`/v2${path}`, body));
  const product = async (externalId: string, more = {}) =>
    (
      await create('/products/create', {
        externalId,
        name: externalId,
        price: 10_000,
        currency: 'BRL',
        ...more,
      })
    ).id;
  const main = await product('prod-123');
  const [plan, otherPlan, units] = [
    await product('plano-mensal', { cycle: 'MONTHLY' }),
    await product('plano-pro', { cycle: 'MONTHLY', price: 4_990 }),
    await product('chamadas', { price: 100 }),
  ];
  const { id: customer } = await create('/customers/create', CUSTOMER);
  await create('/coupons/create', {
    code: 'DEYVIN_20',
    discount: 20,
    discountKind: 'PERCENTAGE',
    notes: 'Vinte',
  });

  const items = [{ id: main, quantity: 2 }];
  const checkout = await create('/checkouts/create', {
    items,
    externalId: 'pedido-123',
    customerId: customer,
  });
  const pay = async (id: string, more = {}) => create('/checkouts/simulate-payment', { id, ...more });
  const paid = await create('/checkouts/create', { items, methods: ['PIX'] });
  await pay(paid.id, { method: 'PIX' });
  const byCard = await create('/checkouts/create', { items, card: { maxInstallments: 12 } });
  await pay(byCard.id, { method: 'CARD', installments: 3 });
  const { id: link } = await create('/payment-links/create', { items });
  const wanted = { items: [{ id: plan, quantity: 1 }], externalId: 'assinatura-123', customerId: customer };
  const { id: subscriptionCheckout } = await create('/subscriptions/create', wanted);
  const { subscriptionId: subscription } = await pay(subscriptionCheckout, { method: 'CARD' });

  const charge = async (method: string, data: object) =>
    (await create('/transparents/create', { method, data })).id;
  const [pix, paidPix, refundable] = [
    await charge('PIX', { amount: 500, customer: CUSTOMER }),
    await charge('PIX', { amount: 500_000 }),
    await charge('PIX', { amount: 1_000 }),
  ];
  for (const id of [paidPix, refundable]) await create(`/transparents/simulate-payment?id=${id}`, {});
  const boleto = await charge('BOLETO', { amount: 5_000, customer: CUSTOMER });
  const { id: payout } = await create('/payouts/create', { amount: 10_000, externalId: 'saque-123' });
  const key = { key: 'fornecedor@example.com', type: 'EMAIL' };
  const { id: transfer } = await create('/pix/send', { amount: 10_000, externalId: 'pix-123', pix: key });
  const { id: subAccount } = await create('/sub-accounts/create', SELLER);
  const splits = [{ subAccountId: subAccount, amount: 7_000 }];
  const splitPix = await charge('PIX', { amount: 10_000, splits });
  await create(`/transparents/simulate-payment?id=${splitPix}`, {});
  const { id: webhook } = await create('/webhooks/create', WEBHOOK);
  return {
    ...{ product: main, plan, otherPlan, units, customer, checkout: checkout.id, paidCheckout: paid.id },
    ...{ paidByCard: byCard.id, link, subscriptionCheckout, subscription, pix, paidPix, refundable, boleto },
    ...{ payout, transfer, webhook, subAccount, splitPix },
  };
}

export const CUSTOMER = {
  name: 'Daniel Lima',
  cellphone: '(11) 4002-8922',
  email: 'daniel_lima@example.com',
  taxId: '529.982.247-25',
};

export const SELLER = { name: 'Loja da Ana', taxId: '111.444.777-35', externalId: 'vendedor-42' };

export const WEBHOOK = {
  name: 'Webhook de Pagamentos',
  endpoint: 'https://example.com/webhooks/abacatepay',
  secret: 'meu-secret-seguro',
  events: ['checkout.completed', 'subscription.renewed'],
};
