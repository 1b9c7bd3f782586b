import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../../src/database/entities/charge.ts';
import type { DueTerms } from '../../../src/domain/charge.ts';
import { boletoDeadlines, pixDeadlines } from '../../../src/domain/charge-deadlines.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { chargeStart } from '../../../src/temporal/charge.ts';
import { startDelayMs } from '../../../src/temporal/workflow-start.ts';
import { CHARGE_WORKFLOW } from '../../../workflows/charge.contract.ts';
import type { charge as chargeWorkflow } from '../../../workflows/charge.ts';
import type { WorkflowFixture } from '../fixtures/workflow-fixture.ts';

/** The default lifetime of a PIX charge in tests, in seconds. */
const PIX_EXPIRES_IN_S = 3_600;

const ISSUE = {
  amountCents: 10_000,
  description: null,
  beneficiary: { name: 'Loja Teste', city: 'SAO PAULO', taxId: null },
  payer: { name: null, taxId: null },
};

/** What a charge is made in; it needs no Temporal server. */
type Place = Pick<WorkflowFixture, 'database' | 'storeId' | 'provider' | 'now'>;

type Changes = Partial<Pick<Charge, 'customerId' | 'splits'>>;

/** Inserts a PIX charge of 100.00. Nothing has started its workflow yet. */
export async function insertPix(
  fixture: Place,
  { expiresInS = PIX_EXPIRES_IN_S, ...changes }: Changes & { readonly expiresInS?: number } = {},
): Promise<Charge> {
  const now = await fixture.now();
  const chargeId = mintId<ChargeId>('pixCharge', now);
  const { issued } = await fixture.provider.issuePix({
    ...ISSUE,
    chargeId,
    expiresInSeconds: expiresInS,
    now,
  });
  return insert(fixture, {
    ...newCharge(fixture, now),
    ...pixDeadlines(expiresInS, now),
    id: chargeId,
    providerReference: issued.reference,
    brCode: issued.brCode,
    ...changes,
  });
}

/** Inserts a boleto of 100.00. Nothing has started its workflow yet. */
export async function insertBoleto(
  fixture: Place,
  { dueDate, interest, fine }: Pick<DueTerms, 'dueDate' | 'interest' | 'fine'>,
): Promise<Charge> {
  const now = await fixture.now();
  const chargeId = mintId<ChargeId>('boletoCharge', now);
  const terms = { dueDate, interest, fine, daysPayableAfterDueDate: 0 };
  const { issued } = await fixture.provider.issueBoleto({
    ...ISSUE,
    now,
    chargeId,
    ...terms,
  });
  const { reference, ...codes } = issued;
  return insert(fixture, {
    ...newCharge(fixture, now),
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
  fixture: WorkflowFixture,
  charge: Charge,
): Promise<WorkflowHandleWithFirstExecutionRunId<typeof chargeWorkflow>> {
  // WorkflowStarter would take this machine's time for the delay, which a time-skipping server has left
  // behind.
  const start = chargeStart(charge, null);
  return fixture.client.workflow.start(CHARGE_WORKFLOW, {
    ...start.options,
    taskQueue: fixture.taskQueue,
    startDelay: startDelayMs(start, (await fixture.now()).getTime()),
  });
}

async function insert(fixture: Place, charge: Charge): Promise<Charge> {
  await fixture.database.em.fork().insert(ChargeEntity, charge);
  return charge;
}

function newCharge(fixture: Place, now: Date) {
  return {
    ...NEW_CHARGE,
    storeId: fixture.storeId,
    devMode: true,
    method: 'PIX' as const,
    amountCents: ISSUE.amountCents,
    platformFeeCents: 80,
    provider: fixture.provider.name,
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: now,
  };
}
