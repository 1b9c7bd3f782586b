import { METHODS } from '../../charges/methods/index.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import type { DisputeStatus } from '../../domain/reversal.ts';
import { type ApiError, brokenRule, requireDevMode } from '../frame/errors.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import type { Rule } from '../frame/rules.ts';
import { findPayment } from '../payments/find-payment.ts';

type DisputeRequest = ApiRequest<
  unknown,
  { readonly id: string; readonly reason?: string | null | undefined }
>;

/**
 * Has the sandbox bank dispute a paid charge, and waits until the notification went its way (contract section
 * 8). One that is disputed already is returned as it is.
 * @throws ApiError 403 with a production key, 422 where the charge holds no money, 503 where Temporal is out of reach: the
 *   dispute is then open at the bank, and recorded as soon as it can be.
 */
export async function openDispute(request: DisputeRequest): Promise<Charge> {
  const charge = await findDisputable(request);
  if (charge.status === 'UNDER_DISPUTE') return charge;
  if (charge.status !== 'PAID' || METHODS[charge.method].decidedBy === 'NOBODY')
    throw refusal('NOT_DISPUTABLE', charge, 'cannot be disputed');
  const { deps, body, now, requestId } = request;
  const reason = body.reason ?? null;
  await reachTemporal(request, () => deps.sandboxDisputes.open(charge, reason, now, requestId));
  const disputed = await findDisputable(request);
  if (disputed.status !== 'UNDER_DISPUTE') throw refusal('NOT_DISPUTABLE', disputed, 'cannot be disputed');
  return disputed;
}

/**
 * Has the sandbox bank decide the open dispute of a charge, for the store (WON) or the payer (LOST). One that
 * was decided so already is returned as it is.
 * @throws ApiError 403 with a production key, 422 where no dispute is open or it was decided the other way, 503 where Temporal
 *   is out of reach: the dispute is then decided at the bank, and recorded as soon as it can be.
 */
export async function decideDispute(request: DisputeRequest, decision: 'WON' | 'LOST'): Promise<Charge> {
  const charge = await findDisputable(request);
  if (charge.status === 'UNDER_DISPUTE') {
    const { deps, now, requestId } = request;
    await reachTemporal(request, () => deps.sandboxDisputes.decide(charge, decision, now, requestId));
  }
  // Read anew, as another request may have decided the dispute the other way meanwhile.
  const decided = await findDisputable(request);
  if ((await lastDisputeStatus(request.em, decided)) !== decision) {
    throw refusal('NO_OPEN_DISPUTE', decided, `has no open dispute that could be ${decision}`);
  }
  return decided;
}

/**
 * @throws ApiError 403 with a production key; what {@link findPayment} throws; 422 where nothing has paid the
 *   checkout.
 */
async function findDisputable({ em, key, body, about }: DisputeRequest): Promise<Charge> {
  requireDevMode(key, 'disputes are simulated in');
  const charge = await findPayment(em, key, body.id, 'any');
  if (charge === null) throw brokenRule('NOT_PAID', null, 'The checkout has not been paid');
  about.chargeId = charge.id;
  return charge;
}

async function lastDisputeStatus(em: Em, { id }: Charge): Promise<DisputeStatus | null> {
  const [last] = await em.find(
    DisputeEntity,
    { chargeId: id },
    { orderBy: { openedAt: 'desc', id: 'desc' }, limit: 1, disableIdentityMap: true },
  );
  return last?.status ?? null;
}

function refusal(rule: Rule, { status }: Charge, what: string): ApiError {
  return brokenRule(rule, null, `The charge is ${status} and ${what}`);
}
