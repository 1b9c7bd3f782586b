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
  {
    readonly id: string;
    readonly reason?: string | null | undefined;
    readonly amount?: number | null | undefined;
    readonly fee?: number | null | undefined;
    readonly returnsFee?: boolean | undefined;
  }
>;

/**
 * Opens a dispute of a paid charge at the sandbox bank, and waits until the notification is processed
 * (contract section 8). A charge that is already disputed is returned unchanged.
 * @throws ApiError 403 with a production key, 422 if the charge holds no money, 503 if Temporal is
 * unreachable: the dispute is then open at the bank, and recorded once Temporal is back.
 */
export async function openDispute(request: DisputeRequest): Promise<Charge> {
  const charge = await findDisputable(request);
  if (await isDisputed(request.em, charge)) return charge;
  const { deps, body, now, requestId } = request;
  const { reason = null, fee: feeCents = null, amount: amountCents = null } = body;
  const holdsMoney = charge.status === 'PAID' || (charge.status === 'REFUNDED' && amountCents !== null);
  const isTooMuch = (amountCents ?? 0) > (charge.paidAmountCents ?? 0);
  if (!holdsMoney || isTooMuch || METHODS[charge.method].decidedBy === 'NOBODY')
    throw refusal('NOT_DISPUTABLE', charge, 'cannot be disputed');
  const claim = { reason, feeCents, amountCents };
  await reachTemporal(request, () => deps.sandboxDisputes.open(charge, claim, now, requestId));
  const disputed = await findDisputable(request);
  if (await isDisputed(request.em, disputed)) return disputed;
  throw refusal('NOT_DISPUTABLE', disputed, 'cannot be disputed');
}

/** A refunded charge stays REFUNDED while it is disputed. */
async function isDisputed(em: Em, charge: Charge): Promise<boolean> {
  return charge.status === 'UNDER_DISPUTE' || (await lastDisputeStatus(em, charge)) === 'OPEN';
}

/**
 * Decides the open dispute of a charge at the sandbox bank, for the store (WON) or the payer (LOST). A
 * dispute that was already decided this way is returned unchanged.
 * @throws ApiError 403 with a production key, 422 if no dispute is open or it was decided the other way, 503
 * if Temporal is unreachable: the dispute is then decided at the bank, and recorded once Temporal is back.
 */
export async function decideDispute(request: DisputeRequest, decision: 'WON' | 'LOST'): Promise<Charge> {
  const charge = await findDisputable(request);
  if (await isDisputed(request.em, charge)) {
    const { deps, body, now, requestId } = request;
    const decided = { status: decision, returnsFee: body.returnsFee ?? false };
    await reachTemporal(request, () => deps.sandboxDisputes.decide(charge, decided, now, requestId));
  }
  // Read it again: a parallel request may have decided the dispute the other way.
  const decided = await findDisputable(request);
  if ((await lastDisputeStatus(request.em, decided)) !== decision) {
    throw refusal('NO_OPEN_DISPUTE', decided, `has no open dispute that could be ${decision}`);
  }
  return decided;
}

/**
 * @throws ApiError 403 with a production key; errors of {@link findPayment}; 422 if the checkout is unpaid.
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
