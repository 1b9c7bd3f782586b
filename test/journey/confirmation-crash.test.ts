import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { addAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/cli/keys.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { dataOf } from '../support/api/api-client.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

const KEY = randomBytes(32).toString('base64');

it('charges a card once if the worker is killed while the payer confirms', async () => {
  const stripe = new StripeStandIn();
  await stripe.open();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => stripe.close());
  await using deployment = await createDeployment();
  const { database } = deployment;
  const storeId = deployment.storeId as StoreId;
  const em = database.em.fork();
  const settings = { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url };
  const given = { storeId, kind: 'stripe', profile: 'stripe', uses: null, settings };
  const keeping = { em, keys: new SecretsKeys([KEY]), kinds: PROVIDER_KINDS };
  await addAccount(keeping, { ...given, secrets: { secretKey: 'rk_test_1' } }, new Date());
  const real = { storeId, devMode: false, description: 'test', permissions: PERMISSIONS };
  const { keyText } = await issueKey(em, real, new Date());
  const env = { SECRETS_KEY: KEY };
  const [{ api: devApi }, worker] = await Promise.all([
    deployment.startApi(env),
    deployment.startWorker(env),
  ]);
  const api = devApi.as(keyText);

  const { id: productId } = await buildProduct(api, { price: 5_000 });
  const body = { items: [{ id: productId, quantity: 1 }], methods: ['CARD'] };
  const checkout = dataOf<ShownCheckout>(await api.post('/v2/checkouts/create', body));
  const { location } = await payForm(api.url, checkout.id, {
    attempt: randomBytes(16).toString('hex'),
    method: 'CARD',
    cardToken: stripe.addCard('CONFIRM'),
  });
  const id = (/card_\w+/.exec(location)?.[0] ?? '') as ChargeId;
  const charge = () => database.em.fork().findOneOrFail(ChargeEntity, { id });
  await eventually(async () => expect((await charge()).actionUrl).toContain('/3ds/'));
  await worker.kill();
  const [intent] = [...stripe.intents.keys()];
  stripe.confirm(intent ?? '', true);
  await fetch(`${api.url}/pay/${checkout.id}/${id}/confirmed`);
  expect((await charge()).status).toBe('PENDING');
  await deployment.startWorker(env);
  await eventually(async () => expect((await charge()).status).toBe('PAID'));
  expect(stripe.intents.size).toBe(1);
  expect(await database.em.fork().find(PaymentEntity, { chargeId: id })).toMatchObject([
    { outcome: 'ACCEPTED', amountCents: 5_000 },
  ]);
});
