import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { chargeStateQuery, chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { deliveryStateQuery, deliveryWorkflowId } from '../../workflows/webhook-delivery.contract.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { deliveryOf, resend, send } from '../support/rows/deliveries.ts';

const PERSON = { name: 'Conceição Aparecida', taxId: '52998224725', email: 'conceicao@example.com' };
const SECRET = 'nobody-may-read-this';

let fixture: SubscribedFixture;

beforeAll(async () => {
  fixture = await createSubscribedFixture();
});

afterAll(() => fixture.close());

/** What the Temporal UI shows as current details. */
async function currentDetails(workflowId: string): Promise<string> {
  const workflow = fixture.client.workflow.getHandle(workflowId);
  return (await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}

/** A history as text, with the payloads in it decoded. */
async function historyText(workflowId: string): Promise<string> {
  const history = await fixture.client.workflow.getHandle(workflowId).fetchHistory();
  return JSON.stringify(history.events, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
}

async function customerOf(charge: Pick<Charge, 'storeId'>): Promise<CustomerId> {
  const now = new Date();
  const id = mintId<CustomerId>('customer', now);
  await fixture.database.em.fork().insert(CustomerEntity, {
    id,
    storeId: charge.storeId,
    devMode: true,
    ...PERSON,
    cellphone: null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    typedByPayer: false,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  });
  return id;
}

describe("an operator's view of a charge", () => {
  it('uses the charge id in the workflow id', async () => {
    const charge = await insertPix(fixture);
    expect(chargeWorkflowId(charge.id)).toBe(`charge/${charge.id}`);
    expect((await startAsleep(fixture, charge)).workflowId).toBe(`charge/${charge.id}`);
  });

  it('shows the state of a charge in query, search attributes and details', async () => {
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    const closesAt = charge.closesAt.toISOString();
    await notify(fixture, await mustPay(fixture, charge, { amountCents: 1 }));
    expect(await workflow.query(chargeStateQuery)).toEqual({ status: 'PENDING', closesAt });
    expect((await workflow.describe()).searchAttributes).toMatchObject({ Status: ['PENDING'] });

    await notify(fixture, await mustPay(fixture, charge));
    await workflow.result();
    expect(await workflow.query(chargeStateQuery)).toEqual({ status: 'PAID', closesAt });
    expect((await workflow.describe()).searchAttributes).toMatchObject({
      Status: ['PAID'],
      StoreId: [fixture.storeId],
      Method: ['PIX'],
      AmountCents: [10_000],
      DevMode: [true],
    });
    expect(await currentDetails(workflow.workflowId)).toContain('PAID');
  });
});

describe("an operator's view of a delivery", () => {
  it('uses the delivery id in the workflow id', async () => {
    const delivery = await send(fixture, fixture.sink.endpoint().url);
    expect(deliveryWorkflowId(delivery.id)).toBe(`delivery/${delivery.id}`);
    expect(delivery.workflow().workflowId).toBe(`delivery/${delivery.id}`);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
  });

  it('shows event, last failure, attempts and next attempt of a delivery', async () => {
    const endpoint = fixture.sink.endpoint((attempt) => (attempt === 3 ? 200 : 500));
    const delivery = await send(fixture, endpoint.url);
    await fixture.environment.sleep('20 seconds');
    const waiting = await delivery.workflow().query(deliveryStateQuery);
    expect(waiting).toEqual({ status: 'PENDING', attempts: 2, nextAttemptAt: expect.any(String) });
    const { eventId } = await deliveryOf(fixture, delivery);
    const details = await currentDetails(delivery.workflow().workflowId);
    expect(details).toMatch(/: HTTP 500 in \d+ ms\. Attempt 2 failed\./);
    expect(details).toContain(`transparent.completed of ${eventId}: `);
    expect(details).toContain(`Next attempt at ${waiting.nextAttemptAt}`);

    await resend(fixture, delivery);
    await delivery.workflow().result();
    expect(await delivery.workflow().query(deliveryStateQuery)).toEqual({
      status: 'DELIVERED',
      attempts: 3,
      nextAttemptAt: null,
    });
    expect((await delivery.workflow().describe()).searchAttributes).toMatchObject({
      StoreId: [fixture.storeId],
      EventName: ['transparent.completed'],
      WebhookId: [delivery.webhook.id],
    });
    expect(await currentDetails(delivery.workflow().workflowId)).toContain('DELIVERED');
    expect((await delivery.workflow().describe()).status.name).toBe('COMPLETED');
  });

  it('fails the run of an abandoned delivery with the answer of its endpoint', async () => {
    const delivery = await send(fixture, fixture.sink.endpoint(() => 410).url);
    await expect(delivery.workflow().result()).rejects.toMatchObject({
      cause: {
        type: 'WEBHOOK_GIVEN_UP',
        message: expect.stringMatching(
          /: HTTP 410: the endpoint is gone in \d+ ms\. Given up after 1 attempt/,
        ),
      },
    });
    const { status, searchAttributes } = await delivery.workflow().describe();
    expect(status.name).toBe('FAILED');
    expect(searchAttributes).toMatchObject({ Status: ['FAILED'] });
  });
});

describe('the histories of a paid charge and of its webhook', () => {
  it('stores ids in histories, and neither payer data nor the webhook secret', async () => {
    const endpoint = await fixture.listen({ secret: SECRET });
    const charge = await insertPix(fixture, { customerId: await customerOf(fixture) });
    const workflow = await startAsleep(fixture, charge);
    const payment = fixture.provider.payDespiteClosing({
      reference: charge.providerReference,
      amountCents: 10_000,
      paidAt: await fixture.now(),
      payer: PERSON,
    });
    await notify(fixture, payment);
    await workflow.result();
    await endpoint.waitFor((received) => received.length === 1);
    const body = endpoint.received[0]?.body ?? '';
    expect(body).toContain(PERSON.name);
    const { id: deliveryId } = JSON.parse(body);
    const { id } = await fixture.database.em.fork().findOneOrFail(DeliveryEntity, { id: deliveryId });
    await fixture.client.workflow.getHandle(deliveryWorkflowId(id)).result();

    const histories = [await historyText(workflow.workflowId), await historyText(deliveryWorkflowId(id))];
    expect(histories[0]).toContain(charge.id);
    expect(histories[0]).toContain(payment.providerPaymentId);
    expect(histories[1]).toContain(id);
    for (const history of histories) {
      for (const personal of [
        'Concei',
        PERSON.taxId,
        '982.247',
        '529.***',
        PERSON.email,
        SECRET,
        endpoint.url,
      ]) {
        expect(history).not.toContain(personal);
      }
    }
  });
});
