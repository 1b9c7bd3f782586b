import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/config.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { OutsidePaymentEntity } from '../../../src/database/entities/outside-payment.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { fillYear } from '../../../src/demo/fill-year.ts';
import type { CivilDate } from '../../../src/domain/civil-date.ts';
import type { CustomerId, OutsidePaymentId, SubscriptionId } from '../../../src/domain/ids.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertDebit, insertMandate } from '../../support/rows/mandates.ts';

let app: TestApp;
let owner: DashboardUser;
let pastDue: SubscriptionId;
let customerId: CustomerId;
const em = () => app.database.em.fork();
beforeAll(async () => {
  app = await createTestApp();
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  await fillYear(em(), { storeId: app.storeId, platformFees, now: new Date() });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  const [first] = await em().execute<{ subscriptionId: SubscriptionId; customerId: CustomerId }[]>(
    `select s.id as "subscriptionId", s.customer_id as "customerId"
     from charges c join installments y on y.id = c.installment_id join subscriptions s on s.id = y.subscription_id
     where s.status = 'ACTIVE' and s.method = 'CARD' and c.status = 'PAID' and c.customer_id = s.customer_id
     order by c.id limit 1`,
  );
  if (first === undefined) throw new Error('the demo has no active subscription with a paid cycle');
  pastDue = first.subscriptionId;
  customerId = first.customerId;
  await em().nativeUpdate(CustomerEntity, { id: customerId }, { name: 'Zuleica Ávila' });
  await em().nativeUpdate(
    SubscriptionEntity,
    { id: pastDue },
    {
      failedAttempts: 1,
      lastFailure: 'insufficient_funds',
      attemptDueAt: new Date(Date.now() + 86_400_000),
      cardToken: 'kept',
      cardBrand: 'Visa',
      cardLastFour: '4242',
    },
  );
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const linksOf = (html: string) =>
  [...html.matchAll(/class="row__link" href="[^"]*\/([^"/]+)"/g)].map(([, id]) => id);

it('finds a subscription by its customer and says why it was not charged', async () => {
  const { html, text } = await owner.get(at('/subscriptions?q=zuleica+avi'));
  expect(linksOf(html)).toEqual([pastDue]);
  expect(text).toContain('Em atraso');
  expect(text).toContain('1 de 3 tentativas falharam: o cartão não tem limite ou saldo');
  expect(text).toContain('Visa •••• 4242');
});

it('lists subscriptions by state', async () => {
  expect(linksOf((await owner.get(at('/subscriptions?state=PAST_DUE'))).html)).toEqual([pastDue]);
  const active = linksOf((await owner.get(at('/subscriptions?state=ACTIVE&order=oldest'))).html);
  expect(active).not.toContain(pastDue);
  const statuses = await em().find(SubscriptionEntity, { id: { $in: active as SubscriptionId[] } });
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set(['ACTIVE']));
});

it('shows the invoices of a subscription with links to their payments', async () => {
  const { html, text } = await owner.get(at(`/subscriptions/${pastDue}`));
  expect(text).toContain('Zuleica Ávila');
  expect(text).toContain('tentativas falharam: o cartão não tem limite ou saldo.');
  const charge = await em().findOneOrFail(ChargeEntity, {
    customerId,
    status: 'PAID',
    cycleId: { $ne: null },
  });
  expect(html).toContain(at(`/payments/${charge.id}`));
});

it('finds a customer by name and sums up what they spent, with their cards', async () => {
  const { html } = await owner.get(at('/customers?q=ZULEICA'));
  expect(linksOf(html)).toEqual([customerId]);
  const paid = await em().find(ChargeEntity, { customerId });
  const cents = paid.reduce((sum, charge) => sum + (charge.paidAmountCents ?? 0) - charge.refundedCents, 0);
  const { text } = await owner.get(at(`/customers/${customerId}`));
  const shown = (cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
  expect(text).toContain(`Total gasto R$ ${shown}`);
  expect(text).toContain('Visa •••• 4242');
  expect(text).toContain('Assinatura ativa');
});

it.each(['529.982.247-25', '52998224725'])('shows the tax id %s with its punctuation', async (taxId) => {
  const body = { email: `c${taxId}@example.com`, taxId };
  const { id } = dataOf<{ id: string }>(await app.api.post('/v2/customers/create', body));
  const { text } = await owner.get(at(`/customers/${id}`));
  expect(text).toContain('529.982.247-25');
});

it('shows what another system has settled, apart from what the customer spent here', async () => {
  const path = at(`/customers/${customerId}`);
  const before = await owner.get(path);
  expect(before.text).not.toContain('stripe');
  const paidAt = new Date('2026-01-15T12:00:00Z');
  await em().insert(OutsidePaymentEntity, {
    id: 'opay_1' as OutsidePaymentId,
    storeId: app.storeId,
    devMode: true,
    source: 'stripe',
    externalId: 'ch_123',
    customerId,
    subscriptionId: null,
    method: 'CARD',
    amountCents: 12_345,
    refundedCents: 345,
    paidAt,
    createdAt: paidAt,
  });
  const { text } = await owner.get(path);
  for (const shown of ['stripe', 'ch_123', 'R$ 123,45', 'R$ 3,45']) expect(text).toContain(shown);
  const spent = (page: string) => /Total[^R]*R\$\s[\d.,]+/.exec(page)?.[0];
  expect(spent(text)).toEqual(spent(before.text));
});

it('shows authorizations, and when each debit was fixed and is due', async () => {
  const subscription = await em().findOneOrFail(SubscriptionEntity, { id: pastDue });
  const mandate = await insertMandate(app.database, subscription, { amountCents: 4_900 });
  const dueDate = '2027-01-04' as CivilDate;
  const failed = { status: 'FAILED', nextAt: null, failureCode: 'AM04', dueDate } as const;
  await insertDebit(app.database, subscription, mandate, failed);
  const { text } = await owner.get(at(`/subscriptions/${pastDue}`));
  for (const shown of ['Pix Automático', 'Autorizada', 'Valor fixado em', '04/01/2027', 'Não pago', 'AM04'])
    expect(text).toContain(shown);
});
