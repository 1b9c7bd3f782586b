import { METHODS } from '../../charges/methods/index.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Cycle } from '../../database/entities/cycle.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { cycleChargeSeed } from '../../domain/subscription.ts';
import { derivedId } from '../../ids.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { openedAtOf } from '../planned-cycle.ts';

/**
 * A code dies without its payer's fault only if its bank or Recebe was unavailable: no attempt gets near this
 * limit.
 */
const MAX_GENERATIONS = 32;

/**
 * The ids that the charge of an attempt may have, in order: each after the first belongs to a code that replaces a
 * dead one. The sandbox keeps no codes, and a card has none.
 */
export function attemptIds(subscription: Subscription, cycle: Cycle, attempt: number): readonly ChargeId[] {
  return idsBy(methodOf(subscription, cycle), subscription, cycle, attempt);
}

/**
 * The charges of an attempt, the oldest first. Each method has ids of its own, and the method may have changed since the attempt
 * began: all of them are looked up.
 */
export async function chargesOfAttempt(
  em: Em,
  subscription: Subscription,
  cycle: Cycle,
  attempt: number,
): Promise<Charge[]> {
  const ids = (['PIX', 'CARD', 'FREE'] as const).flatMap((method) =>
    idsBy(method, subscription, cycle, attempt),
  );
  const mayBeDebited = attempt === 1 && subscription.debitNumber > 0;
  const isOfAttempt = mayBeDebited ? { $or: [{ id: { $in: ids } }, debitOf(cycle)] } : { id: { $in: ids } };
  const stored = await em.find(ChargeEntity, isOfAttempt, { disableIdentityMap: true });
  return stored.sort(
    (one, other) =>
      one.createdAt.getTime() - other.createdAt.getTime() || ids.indexOf(one.id) - ids.indexOf(other.id),
  );
}

/** A debit is the first attempt at its cycle. Its id is the one under which it was planned. */
function debitOf({ id }: Cycle) {
  return { cycleId: id, mandateId: { $ne: null }, brCode: null };
}

function idsBy(
  method: 'PIX' | 'CARD' | 'FREE',
  { id, devMode }: Subscription,
  cycle: Cycle,
  attempt: number,
): readonly ChargeId[] {
  const { idKind, decidedBy } = METHODS[method];
  const idOf = (generation: number) =>
    derivedId<ChargeId>(idKind, openedAtOf(cycle), cycleChargeSeed(id, cycle.number, attempt, generation));
  const count = devMode || decidedBy !== 'PAYER' ? 1 : MAX_GENERATIONS;
  return Array.from({ length: count }, (_, generation) => idOf(generation));
}

/** How a cycle is charged: a coupon may have left nothing to pay. */
export function methodOf({ method }: Subscription, { amountCents }: Cycle): 'PIX' | 'CARD' | 'FREE' {
  return amountCents === 0 ? 'FREE' : method;
}

/** @throws ProviderError INVALID if no id is left. */
export function idAfter(ids: readonly ChargeId[], dead: ChargeId | null): ChargeId {
  const id = ids[dead === null ? 0 : ids.indexOf(dead) + 1];
  if (id !== undefined) return id;
  throw new ProviderError('INVALID', 'every code of this attempt has died at the provider');
}

/**
 * Whether the attempt needs another code because its payer could not use this one: it died by itself, or expired
 * before the subscription's run could wait for it. False once the attempt has been counted as failed.
 */
export function mustBeReplaced(
  { devMode, method, status, codeStatus, closesAt, cycleId }: Charge,
  { failedAttempts }: Pick<Subscription, 'failedAttempts'>,
  attempt: number,
  now: Date,
): boolean {
  if (devMode || !METHODS[method].hasCode || cycleId === null || failedAttempts >= attempt) return false;
  if (status === 'PENDING') return codeStatus !== 'PAID' && closesAt <= now;
  return codeStatus === 'DEAD' && (status === 'FAILED' || status === 'EXPIRED');
}
