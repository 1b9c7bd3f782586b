import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../../src/database/entities/charge.ts';
import type { BoletoTerms } from '../../../src/domain/charge.ts';
import { boletoDeadlines, pixDeadlines } from '../../../src/domain/charge-deadlines.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { chargeStart } from '../../../src/temporal/charge.ts';
import { startDelayMs } from '../../../src/temporal/workflow-start.ts';
import { CHARGE_WORKFLOW } from '../../../workflows/charge.contract.ts';
import type { charge as chargeWorkflow } from '../../../workflows/charge.ts';
import type { WorkflowWorld } from '../lives/workflow-world.ts';

/** What a PIX charge of the tests lives for, unless told otherwise. */
const PIX_EXPIRES_IN_S = 3_600;

const ISSUE = {
  amountCents: 10_000,
  description: null,
  beneficiary: { name: 'Loja Teste', city: 'SAO PAULO', taxId: null },
  payer: { name: null, taxId: null },
};

/** What a charge is made in; it needs no Temporal server. */
type Place = Pick<WorkflowWorld, 'database' | 'storeId' | 'provider' | 'now'>;

type Changes = Partial<Pick<Charge, 'customerId'>>;

/** Inserts a PIX charge of 100.00. Nothing has started its workflow yet. */
export async function insertPix(
  world: Place,
  { expiresInS = PIX_EXPIRES_IN_S, ...changes }: Changes & { readonly expiresInS?: number } = {},
): Promise<Charge> {
  const now = await world.now();
  const chargeId = mintId<ChargeId>('pixCharge', now);
  const { issued } = await world.provider.issuePix({ ...ISSUE, chargeId, expiresInSeconds: expiresInS, now });
  return insert(world, {
    ...newCharge(world, now),
    ...pixDeadlines(expiresInS, now),
    id: chargeId,
    providerReference: issued.reference,
    brCode: issued.brCode,
    ...changes,
  });
}

/** Inserts a boleto of 100.00. Nothing has started its workflow yet. */
export async function insertBoleto(
  world: Place,
  { dueDate, interest, fine }: Omit<BoletoTerms, 'amountCents'>,
): Promise<Charge> {
  const now = await world.now();
  const chargeId = mintId<ChargeId>('boletoCharge', now);
  const terms = { dueDate, interest, fine, daysPayableAfterDueDate: 0 };
  const { issued } = await world.provider.issueBoleto({ ...ISSUE, chargeId, ...terms });
  const { reference, ...codes } = issued;
  return insert(world, {
    ...newCharge(world, now),
    ...boletoDeadlines(dueDate, interest, fine),
    ...codes,
    id: chargeId,
    method: 'BOLETO',
    providerReference: reference,
    dueDate,
    interest,
    fine,
  });
}

/** Starts the charge's workflow as the service does: asleep until there is something to do. */
export async function startAsleep(
  world: WorkflowWorld,
  charge: Charge,
): Promise<WorkflowHandleWithFirstExecutionRunId<typeof chargeWorkflow>> {
  // WorkflowStarter would take this machine's time for the delay, which a time-skipping server has left
  // behind.
  const start = chargeStart(charge, null);
  return world.client.workflow.start(CHARGE_WORKFLOW, {
    ...start.options,
    taskQueue: world.taskQueue,
    startDelay: startDelayMs(start, (await world.now()).getTime()),
  });
}

async function insert(world: Place, charge: Charge): Promise<Charge> {
  await world.database.em.fork().insert(ChargeEntity, charge);
  return charge;
}

function newCharge(world: Place, now: Date) {
  return {
    ...NEW_CHARGE,
    storeId: world.storeId,
    devMode: true,
    method: 'PIX' as const,
    amountCents: ISSUE.amountCents,
    platformFeeCents: 80,
    provider: world.provider.name,
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: now,
  };
}
