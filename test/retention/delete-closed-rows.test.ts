import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { noteAttention, resolveAttention } from '../../src/database/attention.ts';
import { AttentionEntity } from '../../src/database/entities/attention.ts';
import { type Resend, ResendEntity } from '../../src/database/entities/resend.ts';
import type { AttentionKind } from '../../src/domain/attention.ts';
import type { ResendId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { deleteClosedNotes, deleteEndedResends } from '../../src/retention/delete-closed-rows.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { insertWebhook } from '../support/rows/build.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const now = new Date('2026-12-04T15:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
const BEFORE = daysAgo(30);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Noted long ago. @param closedAt null for what is still open. */
async function note(subjectId: string, closedAt: Date | null, kind: AttentionKind = 'NO_PROVIDER') {
  const { database, storeId } = app;
  const since = daysAgo(90);
  await noteAttention(database, { kind, subjectId, storeId, devMode: false, since, now: since });
  if (closedAt !== null) await resolveAttention(database, { kind, subjectId, now: closedAt });
}

it('deletes notes closed long ago, but keeps open, young and unknown payments', async () => {
  const em = app.database.em.fork();
  await note('open', null);
  await note('closed lately', daysAgo(29));
  await note('account/payment', daysAgo(31), 'UNKNOWN_PAYMENT');
  // More than one statement takes, by two workers at once.
  await em.execute(
    `insert into attention (id, kind, subject_id, since, noted_at, resolved_at)
     select 'attn_' || i, 'NO_PROVIDER', 'closed-' || i, :old, :old, :old from generate_series(1, 2500) i`,
    { old: daysAgo(31) },
  );
  const [one, other] = await Promise.all([
    deleteClosedNotes(app.database, BEFORE),
    deleteClosedNotes(app.database, BEFORE),
  ]);
  const last = await deleteClosedNotes(app.database, BEFORE);
  expect(one + other + last).toBe(2_500);
  const left = await em.find(AttentionEntity, {});
  expect(left.map(({ subjectId }) => subjectId).sort()).toEqual(['account/payment', 'closed lately', 'open']);
});

it('deletes bulk resends that ended long ago, and keeps those under way', async () => {
  const em = app.database.em.fork();
  const insert = async (given: Partial<Resend>) => {
    const { id: webhookId } = await insertWebhook(app.database, { storeId: app.storeId });
    const at = daysAgo(90);
    const resend: Resend = {
      id: mintId<ResendId>('resend', at),
      storeId: app.storeId,
      devMode: true,
      webhookId,
      fromAt: at,
      toAt: at,
      deliveryStatus: 'FAILED',
      status: 'DONE',
      resentCount: 0,
      lastCreatedAt: null,
      lastId: null,
      createdAt: at,
      progressAt: at,
      finishedAt: null,
      workflowStartedAt: at,
      ...given,
    };
    await em.insert(ResendEntity, resend);
    return resend.id;
  };
  await insert({ finishedAt: daysAgo(31) });
  await insert({ finishedAt: daysAgo(31), status: 'STOPPED' });
  const kept = [await insert({ status: 'RUNNING' }), await insert({ finishedAt: daysAgo(29) })];
  expect(await deleteEndedResends(app.database, BEFORE)).toBe(2);
  const left = await em.find(ResendEntity, {}, { orderBy: { id: 'asc' } });
  expect(left.map(({ id }) => id).sort()).toEqual([...kept].sort());
});
