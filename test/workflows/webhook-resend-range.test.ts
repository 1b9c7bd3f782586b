import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { ResendEntity } from '../../src/database/entities/resend.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertDelivery } from '../support/rows/build.ts';
import { failedRange, resendOf, startResend } from '../support/rows/deliveries.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
});
afterAll(() => fixture.close());

const webhookOf = (webhookId: WebhookId) =>
  fixture.database.em.fork().findOneOrFail(WebhookEntity, { id: webhookId });

describe('a range of deliveries that is sent again', () => {
  it('resends each failed delivery of the range once and nothing else', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 45);
    const webhook = await webhookOf(range.webhookId);
    const others = [
      { status: 'DELIVERED', createdAt: range.fromAt },
      { status: 'FAILED', createdAt: new Date(range.fromAt.getTime() - 1) },
      { status: 'FAILED', createdAt: range.toAt },
    ] as const;
    for (const other of others) await insertDelivery(fixture.database, webhook, other);
    const workflow = await startResend(fixture, range);
    expect(await workflow.result()).toBe('DONE');
    await endpoint.waitFor((received) => received.length === 45);
    expect(new Set(endpoint.received.map(({ body }) => JSON.parse(body).id)).size).toBe(45);
    const row = await resendOf(fixture, range);
    expect(row).toMatchObject({ status: 'DONE', resentCount: 45, finishedAt: expect.any(Date) });
    await eventually(async () => {
      const delivered = { webhookId: range.webhookId, status: 'DELIVERED' as const };
      expect(await fixture.database.em.fork().count(DeliveryEntity, delivered)).toBe(46);
    });
    expect(endpoint.received).toHaveLength(45);
  });

  it('stops a resend when its row becomes STOPPED', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 100);
    const workflow = await startResend(fixture, range);
    await endpoint.waitFor((received) => received.length > 0);
    await fixture.database.em.fork().nativeUpdate(ResendEntity, { id: range.id }, { status: 'STOPPED' });
    expect(await workflow.result()).toBe('STOPPED');
    expect(endpoint.received.length).toBeLessThan(100);
  });

  it('stops a resend on "Request Cancellation" of the Temporal UI', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 100);
    const workflow = await startResend(fixture, range);
    await endpoint.waitFor((received) => received.length > 0);
    await workflow.cancel();
    expect(await workflow.result()).toBe('STOPPED');
    expect(await resendOf(fixture, range)).toMatchObject({ status: 'STOPPED', finishedAt: expect.any(Date) });
  });

  it('stops without sending if the webhook is disabled', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 3);
    const disabled = { disabledAt: new Date() };
    await fixture.database.em.fork().nativeUpdate(WebhookEntity, { id: range.webhookId }, disabled);
    const workflow = await startResend(fixture, range);
    expect(await workflow.result()).toBe('STOPPED');
    expect(endpoint.received).toEqual([]);
  });

  it('counts a batch once if two workers process it', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 30);
    const input = { resendId: range.id, nowMs: (await fixture.now()).getTime() };
    const both = await Promise.all([1, 2].map(() => fixture.activities.resendSome(input)));
    expect(both).toMatchObject([{ resentCount: 20 }, { resentCount: 20 }]);
    await fixture.activities.resendSome(input);
    expect(await resendOf(fixture, range)).toMatchObject({ resentCount: 30, status: 'RUNNING' });
    expect(await fixture.activities.resendSome(input)).toMatchObject({ resentCount: 30, status: 'DONE' });
  });

  it('resumes the range in another run if the first one was lost', async () => {
    const endpoint = fixture.sink.endpoint();
    const range = await failedRange(fixture, endpoint.url, 30);
    await fixture.activities.resendSome({ resendId: range.id, nowMs: (await fixture.now()).getTime() });
    const workflow = await startResend(fixture, range);
    expect(await workflow.result()).toBe('DONE');
    expect(await resendOf(fixture, range)).toMatchObject({ resentCount: 30 });
    await endpoint.waitFor((received) => received.length === 30);
  });
});
