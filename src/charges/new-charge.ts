import { type Charge, NEW_CHARGE } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import type { ChargeId, StoreId } from '../domain/ids.ts';
import { type PlatformFees, platformFeeCentsOf } from '../domain/platform-fee.ts';
import type { Beneficiary } from '../providers/ports/payment.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { BoletoRefusal } from './boleto-limits.ts';
import { DeadCode } from './methods/dead-code.ts';
import { METHODS } from './methods/index.ts';
import type { Issued, Method, Terms, ToIssue } from './methods/method.ts';

/** Assigns a charge its id. @param dead the previous id, whose code nobody can pay any more. */
export type IdOf<Kind> = (kind: Kind, dead: ChargeId | null) => ChargeId | Promise<ChargeId>;

/** Limits the replacements of dead codes within one request: the next request continues. */
const MAX_DEAD_CODES = 5;

/** A requested charge. Callers differ in the id, the terms and the refusals. */
export interface ChargeOrder<Name extends ChargeMethod> extends Omit<ToIssue<Name>, 'id' | 'provider'> {
  readonly provider: PaymentProvider;
  readonly storeId: Charge['storeId'];
  readonly devMode: boolean;
  readonly method: Name;
  readonly terms: Terms[Name];
  /** Noted for requests (ordered-id.ts), derived for workflows, so that a repeated step creates no second charge. */
  readonly idOf: IdOf<Method<Name>['idKind']>;
  readonly platformFees: PlatformFees;
  /** The error for limits of the provider that the charge is not within. @param refusals at least one. */
  readonly beyondLimits: (refusals: readonly BoletoRefusal[]) => Error;
  /** The error if the method requires the payee's tax id and the store has none. */
  readonly nobodyToPay: () => Error;
}

/**
 * Issues a charge at its provider and builds its row: PENDING, without owner, not yet stored. A provider issues one
 * charge per id. A code that was issued but never stored is never shown, and is cancelled.
 * @throws ProviderError UNSUPPORTED if the provider does not serve the method.
 */
export async function newCharge<Name extends ChargeMethod>(order: ChargeOrder<Name>): Promise<Charge> {
  const method: Method<Name> = METHODS[order.method];
  const { amountCents, now } = order;
  const charge = { ...order, provider: method.served(order.provider) };
  const refusals = method.refusals?.(charge, order.terms) ?? [];
  if (refusals.length > 0) throw order.beyondLimits(refusals);
  if (method.namesPayer && !order.devMode && (await order.beneficiary()).taxId === null)
    throw order.nobodyToPay();
  const { id, issued } = await issue(method, charge);
  return {
    ...NEW_CHARGE,
    id,
    storeId: order.storeId,
    devMode: order.devMode,
    method: order.method,
    amountCents,
    platformFeeCents: platformFeeCentsOf(
      order.platformFees,
      order.method,
      amountCents,
      issued.installmentsCount ?? 1,
    ),
    description: order.description,
    createdAt: now,
    updatedAt: now,
    ...issued,
  };
}

type Served<Name extends ChargeMethod> = ChargeOrder<Name> & Pick<ToIssue<Name>, 'provider'>;

/** A dead code is never returned: the next id gets another one. */
async function issue<Name extends ChargeMethod>(
  method: Method<Name>,
  charge: Served<Name>,
): Promise<{ readonly id: ChargeId; readonly issued: Issued }> {
  let dead: ChargeId | null = null;
  for (let tries = 0; tries <= MAX_DEAD_CODES; tries += 1) {
    const id: ChargeId = await charge.idOf(method.idKind, dead);
    try {
      return { id, issued: await method.issue({ ...charge, id }, charge.terms) };
    } catch (error) {
      if (!(error instanceof DeadCode)) throw error;
      dead = id;
    }
  }
  throw new ProviderError('RETRY', 'codes that were issued for the same request can be paid no more');
}

/** The payee named on codes and slips. */
export async function beneficiaryOf(em: Em, storeId: StoreId): Promise<Beneficiary> {
  const { name, city, taxId } = await em.findOneOrFail(StoreEntity, { id: storeId });
  return { name, city, taxId };
}
