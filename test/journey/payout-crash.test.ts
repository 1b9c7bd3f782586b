import { expect, it } from '@jest/globals';
import type { ShownTransfer } from '../../src/api/payouts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { SandboxTransferEntity } from '../../src/database/entities/sandbox-transfer.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { availableCents, credit } from '../support/rows/credit.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { cutWaiting, holdRows, untilWaiting } from '../support/waiting/hold.ts';

/** Temporal gives a task of a dead worker to another one after 10 seconds; then it has to run. */
const RECOVERY_MS = 90_000;

it('sends and books a transfer once if the worker dies between sending and booking', async () => {
  await using deployment = await createDeployment();
  const { database } = deployment;
  const owner = { storeId: deployment.storeId as StoreId, devMode: true };
  const { api } = await deployment.startApi();
  await using sink = await startWebhookSink();
  const endpoint = sink.endpoint();
  await buildWebhook(api, { endpoint: endpoint.url, events: ['transfer.completed', 'transfer.failed'] });
  await credit(database, owner, 10_000);
  const pix = { type: 'EMAIL', key: 'ana@example.com' };
  const body = { amount: 2_500, externalId: 'supplier-7', pix };
  const { id } = dataOf<ShownTransfer>(await api.post('/v2/pix/send', body));

  await eventually(async () => {
    const payout = await database.em.fork().findOneOrFail(PayoutEntity, { externalId: body.externalId });
    expect(payout.workflowStartedAt).not.toBeNull();
  });
  // Blocks the worker between the bank's answer and the ledger.
  await using held = await holdRows(database, 'payouts', [id]);
  const worker = await deployment.startWorker();
  await untilWaiting(database, 1, RECOVERY_MS);
  const [sent] = await database.em.fork().find(SandboxTransferEntity, {});
  expect(sent).toMatchObject({ reference: id });
  await worker.kill();
  await cutWaiting(database);
  await held.release();
  const got = async () => dataOf<ShownTransfer>(await api.get(`/v2/pix/get?id=${id}`));
  expect(await got()).toMatchObject({ status: 'PENDING', endToEndIdentifier: null });

  await deployment.startWorker();
  await endpoint.waitFor((received) => received.length > 0);
  expect(await got()).toMatchObject({ status: 'COMPLETE', endToEndIdentifier: sent?.endToEndIdentifier });
  expect(await database.em.fork().find(SandboxTransferEntity, {})).toMatchObject([{ reference: id }]);
  const kinds = await database.em
    .fork()
    .execute<{ kind: string }[]>('select kind from ledger_movements where subject_id = ? order by kind', [
      id,
    ]);
  expect(kinds.map(({ kind }) => kind)).toEqual(['PAYOUT_COMPLETED', 'PAYOUT_RESERVED']);
  expect(await availableCents(database, owner)).toBe(7_500);
  const webhookIds = endpoint.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(webhookIds).size).toBe(1);
});
