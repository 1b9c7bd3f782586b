import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { ResendEntity } from '../../src/database/entities/resend.ts';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import { createListeningWorld, type ListeningWorld } from '../support/lives/listening-world.ts';
import { insertDelivery } from '../support/rows/build.ts';
import { failedRange, resendOf, startResend } from '../support/rows/deliveries.ts';
import { eventually } from '../support/waiting/eventually.ts';

let world: ListeningWorld;
beforeAll(async () => {
  world = await createListeningWorld();
});
afterAll(() => world.close());

const webhookOf = (webhookId: WebhookId) =>
  world.database.em.fork().findOneOrFail(WebhookEntity, { id: webhookId });

describe('a range of deliveries that is sent again', () => {
  it('is gone through once, and nothing else is sent', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 45);
    const webhook = await webhookOf(range.webhookId);
    const others = [
      { status: 'DELIVERED', createdAt: range.fromAt },
      { status: 'FAILED', createdAt: new Date(range.fromAt.getTime() - 1) },
      { status: 'FAILED', createdAt: range.toAt },
    ] as const;
    for (const other of others) await insertDelivery(world.database, webhook, other);
    const workflow = await startResend(world, range);
    expect(await workflow.result()).toBe('DONE');
    await endpoint.waitFor((received) => received.length === 45);
    expect(new Set(endpoint.received.map(({ body }) => JSON.parse(body).id)).size).toBe(45);
    const row = await resendOf(world, range);
    expect(row).toMatchObject({ status: 'DONE', resentCount: 45, finishedAt: expect.any(Date) });
    await eventually(async () => {
      const delivered = { webhookId: range.webhookId, status: 'DELIVERED' as const };
      expect(await world.database.em.fork().count(DeliveryEntity, delivered)).toBe(46);
    });
    expect(endpoint.received).toHaveLength(45);
  });

  it('is stopped where it stands', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 100);
    const workflow = await startResend(world, range);
    await endpoint.waitFor((received) => received.length > 0);
    await world.database.em.fork().nativeUpdate(ResendEntity, { id: range.id }, { status: 'STOPPED' });
    expect(await workflow.result()).toBe('STOPPED');
    expect(endpoint.received.length).toBeLessThan(100);
  });

  it('is stopped by "Request Cancellation" of the Temporal UI', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 100);
    const workflow = await startResend(world, range);
    await endpoint.waitFor((received) => received.length > 0);
    await workflow.cancel();
    expect(await workflow.result()).toBe('STOPPED');
    expect(await resendOf(world, range)).toMatchObject({ status: 'STOPPED', finishedAt: expect.any(Date) });
  });

  it('ends as its webhook is disabled, with nothing sent', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 3);
    const disabled = { disabledAt: new Date() };
    await world.database.em.fork().nativeUpdate(WebhookEntity, { id: range.webhookId }, disabled);
    const workflow = await startResend(world, range);
    expect(await workflow.result()).toBe('STOPPED');
    expect(endpoint.received).toEqual([]);
  });

  it('counts a lot once that two workers have done, as the first one was taken for dead', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 30);
    const input = { resendId: range.id, nowMs: (await world.now()).getTime() };
    const both = await Promise.all([1, 2].map(() => world.activities.resendSome(input)));
    expect(both).toMatchObject([{ resentCount: 20 }, { resentCount: 20 }]);
    await world.activities.resendSome(input);
    expect(await resendOf(world, range)).toMatchObject({ resentCount: 30, status: 'RUNNING' });
    expect(await world.activities.resendSome(input)).toMatchObject({ resentCount: 30, status: 'DONE' });
  });

  it('is gone on with by another run, where the first one was lost', async () => {
    const endpoint = world.sink.endpoint();
    const range = await failedRange(world, endpoint.url, 30);
    await world.activities.resendSome({ resendId: range.id, nowMs: (await world.now()).getTime() });
    const workflow = await startResend(world, range);
    expect(await workflow.result()).toBe('DONE');
    expect(await resendOf(world, range)).toMatchObject({ resentCount: 30 });
    await endpoint.waitFor((received) => received.length === 30);
  });
});
