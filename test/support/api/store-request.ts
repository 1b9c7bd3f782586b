import type { Client } from '@temporalio/client';
import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { ApiRequest } from '../../../src/api/frame/request.ts';
import { UnitOfWork } from '../../../src/api/frame/unit-of-work.ts';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { createPayout, type PayoutOrder } from '../../../src/api/payouts/create-payout.ts';
import { requestRefund } from '../../../src/api/refunds/request-refund.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import type { Payout } from '../../../src/database/entities/payout.ts';
import type { ApiKeyId, RefundId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { mintId } from '../../../src/ids.ts';
import { PaymentsUnderWay } from '../../../src/temporal/payments-under-way.ts';
import type { WorkflowStart } from '../../../src/temporal/workflow-start.ts';
import { chargeUpdates } from '../fixtures/charges.ts';
import type { WorkflowFixture } from '../fixtures/workflow-fixture.ts';
import { onlyInDevelopment } from '../outside/providers.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';

/**
 * The integrator asks for a refund, as its routes have it done. @returns the refund's id. @throws ApiError
 */
export async function askForRefund(fixture: WorkflowFixture, { id }: Pick<Charge, 'id'>): Promise<RefundId> {
  const charge = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
  const body = { id, reason: 'Pedido cancelado' };
  return (await requestRefund(await requestOf(fixture, body), charge)).refundPublicId;
}

/**
 * The integrator requests a payout or transfer; default: to their own account. Nothing starts its workflow.
 * @throws ApiError
 */
export async function askForPayout(
  fixture: WorkflowFixture,
  amountCents: number,
  changes: Partial<PayoutOrder> = {},
): Promise<Payout> {
  const { database, storeId } = fixture;
  const given = { storeId, devMode: true, description: 'payouts', permissions: PERMISSIONS };
  const { key } = await createKey(database.em.fork(), given, await fixture.now());
  return createPayout(await requestOf(fixture, undefined, key.id), {
    kind: 'PAYOUT',
    amountCents,
    externalId: mintId('payout', new Date()),
    description: null,
    destination: null,
    ...changes,
  });
}

/** A request of the fixture's store, with only the fields of a route that payouts need. */
async function requestOf<Body>(
  fixture: WorkflowFixture,
  body: Body,
  actorId = 'key_test' as ApiKeyId,
): Promise<ApiRequest<unknown, Body>> {
  const { database, storeId, provider } = fixture;
  const now = await fixture.now();
  const deps: Partial<AppDeps> = {
    database,
    // It only bounds the time of calls, which a slow machine exceeds.
    temporal: {
      withDeadline: <Result>(_: number, call: () => Promise<Result>) => call(),
      withAbortSignal: <Result>(_: AbortSignal, call: () => Promise<Result>) => call(),
    } as unknown as Client,
    providers: onlyInDevelopment(provider),
    chargeUpdates: chargeUpdates(fixture),
    starter: { startSoon: (_start: WorkflowStart) => {} },
    paymentsUnderWay: new PaymentsUnderWay(),
  };
  return new ApiRequest({
    deps: deps as AppDeps,
    key: {
      storeId,
      devMode: true,
      permissions: [],
      actorId,
      announcesSales: false,
      clock: null,
      store: { name: 'Loja Teste', city: 'SAO PAULO', taxId: null },
    },
    path: '/test',
    query: undefined,
    body,
    now,
    realNow: now,
    requestId: 'test',
    actor: null,
    idempotencyKey: null,
    log: SILENT_LOG,
    work: new UnitOfWork(database, SILENT_LOG),
  });
}
