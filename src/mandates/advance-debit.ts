import type { ChargeDeps } from '../charges/effects.ts';
import { insertCharge } from '../charges/insert-charge.ts';
import { loadCharge } from '../charges/load-charge.ts';
import { notifySubscription } from '../charges/notify-subscription.ts';
import { recordPayment } from '../charges/record-payment.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { type Debit, DebitEntity } from '../database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { wasPaid } from '../domain/charge.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../domain/civil-date.ts';
import { type DebitStatus, isLiveDebit, nextOutcomeAt, retryDatesOf } from '../domain/debit.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { MandatesPort, ProviderInstruction } from '../providers/ports/mandates.ts';
import { type PaymentProvider, portOf } from '../providers/provider.ts';
import { issuerOrRetry } from '../providers/serving-provider.ts';
import { unstoredDebitCharge } from '../subscriptions/debits/debit-to-begin.ts';
import { openCycle } from '../subscriptions/open-cycle.ts';
import type { MandateDeps } from './effects.ts';
import { followMandate } from './follow-mandate.ts';

const MINUTE_MS = 60_000;
/** The bank's books may lag, and "not found" is never final. */
const LOOK_UP_AGAIN_MS = 15 * MINUTE_MS;

/** What the steps of a debit work with: they also record its payment. */
export interface DebitDeps extends MandateDeps, ChargeDeps {}

/** Where a debit is, and when it has work again; null once it has ended. */
export interface DebitStep {
  readonly status: DebitStatus;
  readonly nextAtMs: number | null;
}

/** A debit with everything that advances it. */
interface Loaded {
  readonly em: Em;
  readonly debit: Debit;
  readonly mandate: Mandate;
  readonly provider: PaymentProvider;
  readonly mandates: MandatesPort;
  readonly now: Date;
}

/**
 * Advances a debit by one step, as far as its row, the provider and the time allow: orders it, opens its cycle on the due date, looks up
 * the outcome of each attempt, orders attempts on other dates, and cancels it if nobody wants it any more. Each step may be repeated,
 * and may run at once in two processes: the row changes only from the status in which it was read.
 */
export async function advanceDebit(deps: DebitDeps, id: ChargeId, now: Date): Promise<DebitStep> {
  const em = deps.database.em.fork();
  const debit = await em.findOneOrFail(DebitEntity, { id }, { disableIdentityMap: true });
  const { status, nextAt } = debit;
  if (!isLiveDebit(status) || nextAt === null) return { status, nextAtMs: null };
  if (nextAt > now) return { status, nextAtMs: nextAt.getTime() };
  const mandate = await em.findOneOrFail(
    MandateEntity,
    { id: debit.mandateId },
    { disableIdentityMap: true },
  );
  const provider = await issuerOrRetry(deps, mandate);
  const loaded = { em, debit, mandate, provider, mandates: portOf(provider, 'mandates'), now };
  await STEPS[status](deps, loaded);
  return stepOf(await em.findOneOrFail(DebitEntity, { id }, { disableIdentityMap: true }));
}

function stepOf({ status, nextAt }: Debit): DebitStep {
  return { status, nextAtMs: nextAt?.getTime() ?? null };
}

const STEPS = { PLANNED: order, ORDERED: begin, BEGUN: follow, DROPPING: drop } as const;

/** Orders the debit under an active mandate. The provider may have an earlier request already, whose answer was lost. */
async function order(deps: MandateDeps, loaded: Loaded): Promise<void> {
  const { em, debit, mandates, now } = loaded;
  const mandate = await followMandate(deps, loaded.mandate.id, now);
  // Its end has made the debit DROPPING. One that nobody has accepted yet may be accepted for the next cycle.
  if (mandate.status !== 'ACTIVE') return move(loaded, { status: 'REFUSED', failureCode: mandate.status });
  // From now on it may be known at the bank. One that was dropped meanwhile is not ordered.
  const begun = { providerReference: debit.providerReference ?? debit.id };
  const isWanted = await em.nativeUpdate(DebitEntity, { id: debit.id, status: 'PLANNED' }, begun);
  if (isWanted === 0) return;
  const answer = await mandates.instruct({
    reference: debit.id,
    providerMandateId: mandate.providerMandateId,
    amountCents: debit.amountCents,
    dueDate: debit.dueDate,
    description: null,
    now,
    mayHaveBeenOrdered: debit.providerReference !== null,
  });
  if (answer.outcome === 'REFUSED') {
    deps.log.warn({ debitId: debit.id, reason: answer.reason }, 'the provider refuses a debit');
    return move(loaded, { status: 'REFUSED', failureCode: answer.reason.slice(0, 200) });
  }
  const { instruction } = answer;
  if (hasFailed(instruction)) return move(loaded, { status: 'REFUSED', failureCode: codeOf(instruction) });
  const { reference } = instruction;
  const nextAt = saoPauloMidnight(debit.dueDate);
  await move(loaded, { status: 'ORDERED', providerReference: reference, failureCode: null, nextAt });
}

/**
 * Opens the cycle as its due date begins: from now on the payer's bank may debit, and the debit can be cancelled no more. If the bank has
 * refused it since, the cycle is paid by a code when it opens. Before the due date only a refusal counts.
 */
async function begin(deps: DebitDeps, loaded: Loaded): Promise<void> {
  const { em, debit, mandates, now } = loaded;
  const instruction = await mandates.findInstruction(debit.providerReference ?? debit.id, now);
  if (instruction !== null && hasFailed(instruction))
    return move(loaded, { status: 'REFUSED', failureCode: codeOf(instruction) });
  const dueAt = saoPauloMidnight(debit.dueDate);
  // The bank had news of it.
  if (now < dueAt) return move(loaded, { nextAt: dueAt });
  const { subscriptionId, number } = debit;
  // Whatever has cancelled or paused the subscription has made the debit DROPPING as well.
  await openCycle(deps, em, { subscriptionId, number, now }, async () => null);
}

/** Looks up how the newest attempt ended, and what follows. */
async function follow(deps: DebitDeps, loaded: Loaded): Promise<void> {
  const { em, debit, mandates, now } = loaded;
  const charge = await em.findOneOrFail(ChargeEntity, { id: debit.id }, { disableIdentityMap: true });
  if (charge.status !== 'PENDING') return endWith(loaded, charge);
  const instruction = await mandates.findInstruction(charge.providerReference, now);
  if (instruction === null) return move(loaded, { nextAt: later(now) });
  if (instruction.status === 'PAID') {
    const paid = await recordPayments(deps, charge, instruction.providerPaymentIds, now);
    return paid.status === 'PENDING' ? move(loaded, { nextAt: later(now) }) : endWith(loaded, paid);
  }
  if (hasFailed(instruction)) return giveUp(deps, loaded, charge, instruction);
  return followAttempts(deps, loaded, charge, instruction);
}

/**
 * Records the payment of a debit. The run of the debit does so itself: its charge has a run of its own only once somebody asks something of
 * it, such as a refund. A bank should not name a second payment, which would be returned.
 */
async function recordPayments(
  deps: DebitDeps,
  charge: Charge,
  [first, ...others]: readonly string[],
  now: Date,
): Promise<Charge> {
  if (first !== undefined) {
    const loaded = await loadCharge(deps, charge.id, now);
    const status = await recordPayment(deps, loaded, { providerPaymentId: first }, now);
    await notifySubscription(deps, loaded, status);
  }
  for (const other of others) await deps.confirmPayment(charge, other);
  const em = deps.database.em.fork();
  return em.findOneOrFail(ChargeEntity, { id: charge.id });
}

async function followAttempts(
  deps: MandateDeps,
  loaded: Loaded,
  charge: Charge,
  instruction: ProviderInstruction,
): Promise<void> {
  const { em, debit, mandates, now } = loaded;
  const last = instruction.attempts.at(-1);
  const date = last?.date ?? debit.dueDate;
  const outcomeAt = nextOutcomeAt(date, now);
  if (outcomeAt !== null) return move(loaded, { nextAt: outcomeAt });
  // The bank says late how it went.
  if (last?.status !== 'FAILED' && now < saoPauloMidnight(addDays(date, 2)))
    return move(loaded, { nextAt: later(now) });
  const { maxRetry, retryEveryDays, cycle } = await em.findOneOrFail(SubscriptionEntity, {
    id: debit.subscriptionId,
  });
  const today = saoPauloDateOf(now);
  const dates = retryDatesOf(debit.dueDate, { maxRetry, retryEveryDays }, cycle);
  const next = dates.find((retry) => retry > today && retry > date);
  if (next === undefined) return giveUp(deps, loaded, charge, instruction);
  const retried = await mandates.retry({ reference: charge.providerReference, date: next, now });
  if (retried.outcome === 'REFUSED') {
    deps.log.warn({ debitId: debit.id, reason: retried.reason }, 'the provider refuses another attempt');
    return giveUp(deps, loaded, charge, instruction);
  }
  await move(loaded, { failureCode: codeOf(instruction), nextAt: nextOutcomeAt(next, now) ?? later(now) });
}

/** Closes the charge: its payer gets a code. A payment that comes all the same counts, or goes back. */
async function giveUp(
  deps: MandateDeps,
  loaded: Loaded,
  charge: Charge,
  instruction: ProviderInstruction,
): Promise<void> {
  await loaded.em.nativeUpdate(DebitEntity, { id: loaded.debit.id }, { failureCode: codeOf(instruction) });
  await deps.cancelCharge(charge);
  const closed = await loaded.em.findOneOrFail(ChargeEntity, { id: charge.id }, { disableIdentityMap: true });
  if (closed.status === 'PENDING') return move(loaded, { nextAt: later(loaded.now) });
  return endWith(loaded, closed);
}

/** Cancels a debit whose cycle has not opened. One that comes all the same belongs to a closed charge, and its money goes back. */
async function drop(deps: MandateDeps, loaded: Loaded): Promise<void> {
  const { em, debit, mandates, provider, now } = loaded;
  const { providerReference: reference } = debit;
  if (reference === null) return move(loaded, { status: 'DROPPED' });
  if ((await mandates.findInstruction(reference, now)) === null) return dropUnfound(deps, loaded);
  const answer = await mandates.cancelInstruction(reference, now);
  if (answer.outcome === 'PENDING')
    return move(loaded, { nextAt: new Date(now.getTime() + answer.pollAfterMs) });
  if (answer.outcome === 'CANCELLED') return move(loaded, { status: 'DROPPED' });
  const instruction = await mandates.findInstruction(reference, now);
  if (answer.outcome === 'ENDED' && answer.instruction.status !== 'PAID')
    return move(loaded, { status: 'DROPPED' });
  const charge = await closedCharge(deps, loaded, instruction?.reference ?? null);
  await insertCharge(em, charge);
  for (const id of instruction?.providerPaymentIds ?? [])
    if ((await provider.charges.findPayment(id)) !== null) await deps.confirmPayment(charge, id);
  await move(loaded, { status: 'DROPPED' });
}

/** The order has probably not reached the bank. If it has, the debit that comes all the same is returned. */
async function dropUnfound(deps: MandateDeps, loaded: Loaded): Promise<void> {
  const { em, debit, now } = loaded;
  if (now < later(debit.updatedAt)) return move(loaded, { nextAt: later(debit.updatedAt) }, debit.updatedAt);
  await insertCharge(em, await closedCharge(deps, loaded, debit.providerReference));
  await move(loaded, { status: 'DROPPED' });
}

/** The charge to which a debit belongs that nobody wanted: its money goes back. */
async function closedCharge(deps: MandateDeps, { em, debit, now }: Loaded, reference: string | null) {
  const charge = await unstoredDebitCharge(deps, em, debit, now);
  const providerReference = reference ?? charge.providerReference;
  return { ...charge, providerReference, status: 'CANCELLED' as const, workflowStartedAt: now };
}

function endWith(loaded: Loaded, { status }: Charge): Promise<void> {
  return move(loaded, { status: wasPaid(status) ? 'PAID' : 'FAILED' });
}

/** Changes the row, unless another process has moved it on. */
async function move({ em, debit, now }: Loaded, change: Partial<Debit>, updatedAt = now): Promise<void> {
  const { id, status } = debit;
  const isOver = change.status !== undefined && !isLiveDebit(change.status);
  const changed = { ...change, ...(isOver && { nextAt: null }), updatedAt };
  await em.nativeUpdate(DebitEntity, { id, status }, changed);
}

const later = (now: Date) => new Date(now.getTime() + LOOK_UP_AGAIN_MS);

const hasFailed = ({ status }: ProviderInstruction) => ['REJECTED', 'EXPIRED', 'CANCELLED'].includes(status);

function codeOf({ end, attempts }: ProviderInstruction): string | null {
  return end?.code ?? attempts.findLast(({ code }) => code !== null)?.code ?? null;
}
