import { type Charge, NEW_CHARGE } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import type { ChargeId, StoreId } from '../domain/ids.ts';
import { type PlatformFees, platformFeeCentsOf } from '../domain/platform-fee.ts';
import type { Beneficiary } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { DeadCode } from './methods/dead-code.ts';
import { METHODS } from './methods/index.ts';
import type { Issued, Method, Terms, ToIssue } from './methods/method.ts';

/** Gives a charge its id. @param dead the id that it gave before, whose code nobody can pay any more. */
export type IdOf<Kind> = (kind: Kind, dead: ChargeId | null) => ChargeId | Promise<ChargeId>;

/** More dead codes of one request than this are not replaced at once: the next request continues. */
const MAX_DEAD_CODES = 5;

/**
 * A charge that is asked for. Who asks differs in the id, the terms and the words of a refusal; all else is
 * the same.
 */
export interface ChargeOrder<Name extends ChargeMethod> extends Omit<ToIssue, 'id'> {
  readonly storeId: Charge['storeId'];
  readonly devMode: boolean;
  readonly method: Name;
  readonly terms: Terms[Name];
  /**
   * Noted where somebody asks (ordered-id.ts), derived where a workflow does: its step, repeated, then makes no second one.
   */
  readonly idOf: IdOf<Method<Name>['idKind']>;
  readonly platformFees: PlatformFees;
  /** What is thrown where the amount is less than the method takes. */
  readonly tooLittle: (minCents: number) => Error;
  /** What is thrown where the method names who is paid by their tax id, and there is none on record. */
  readonly nobodyToPay: () => Error;
}

/**
 * Has the payment rail issue a charge, and makes its row: PENDING, of nobody, and not yet stored. A rail that
 * is asked twice for one id issues one charge; what was issued and never stored is shown to nobody, and taken back.
 */
export async function newCharge<Name extends ChargeMethod>(order: ChargeOrder<Name>): Promise<Charge> {
  const method: Method<Name> = METHODS[order.method];
  const { amountCents, now } = order;
  if (amountCents < method.minCents) throw order.tooLittle(method.minCents);
  if (method.namesPayer && !order.devMode && (await order.beneficiary()).taxId === null)
    throw order.nobodyToPay();
  const { id, issued } = await issue(method, order);
  return {
    ...NEW_CHARGE,
    id,
    storeId: order.storeId,
    devMode: order.devMode,
    method: order.method,
    amountCents,
    platformFeeCents: platformFeeCentsOf(order.platformFees, order.method, amountCents),
    description: order.description,
    createdAt: now,
    updatedAt: now,
    ...issued,
  };
}

/** A code that was issued before and that nobody can pay any more is never given out: the next id has another one. */
async function issue<Name extends ChargeMethod>(
  method: Method<Name>,
  order: ChargeOrder<Name>,
): Promise<{ readonly id: ChargeId; readonly issued: Issued }> {
  let dead: ChargeId | null = null;
  for (let tries = 0; tries <= MAX_DEAD_CODES; tries += 1) {
    const id: ChargeId = await order.idOf(method.idKind, dead);
    try {
      return { id, issued: await method.issue({ ...order, id }, order.terms) };
    } catch (error) {
      if (!(error instanceof DeadCode)) throw error;
      dead = id;
    }
  }
  throw new ProviderError('RETRY', 'codes that were issued for the same request can be paid no more');
}

/** Whom codes and slips name as the one who is paid. */
export async function beneficiaryOf(em: Em, storeId: StoreId): Promise<Beneficiary> {
  const { name, city, taxId } = await em.findOneOrFail(StoreEntity, { id: storeId });
  return { name, city, taxId };
}
