import type { Mandate } from '../database/entities/mandate.ts';
import type { CheckoutId, StoreId } from '../domain/ids.ts';
import { hasMandateEnded, type MandateAmountKind } from '../domain/mandate.ts';
import type {
  MandateAmount,
  MandateTerms,
  Periodicity,
  ProviderMandate,
} from '../providers/ports/mandates.ts';

const CNPJ_LENGTH = 14;

/** Whether a store with this tax id may receive debits. */
export function mayReceiveDebits(
  { receivers }: Pick<MandateTerms, 'receivers'>,
  taxId: string | null,
): boolean {
  return receivers === 'ANY' || taxId?.length === CNPJ_LENGTH;
}

/** What a payer is asked to authorize. */
export interface AskedTerms {
  readonly kind: MandateAmountKind;
  /** What the plan costs per cycle, without usage and discounts. */
  readonly amountCents: number;
  readonly cycle: Periodicity;
}

/** The amount of its debits: the plan's, or at least that one. */
export function mandateAmountOf({ kind, amountCents }: AskedTerms): MandateAmount {
  return kind === 'FIXED' ? { kind, amountCents } : { kind, minimumCents: amountCents };
}

/** The amount of its debits, as its row has it: null if each names its own. */
export function fixedCentsOf({ kind, amountCents }: AskedTerms): number | null {
  return kind === 'FIXED' ? amountCents : null;
}

interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly checkoutId: CheckoutId;
}

/**
 * The row of a mandate that a provider has just created, without what tells the two ways of asking apart. Its acceptance is recorded
 * later with all that follows (`followMandate`), also if the provider knows it already.
 */
export function newMandate(
  { storeId, devMode, checkoutId }: Owner,
  provider: string,
  terms: AskedTerms,
  { providerMandateId, status, end }: ProviderMandate,
  now: Date,
): Omit<Mandate, 'id' | 'consentCode' | 'firstDate'> {
  const hasEnded = hasMandateEnded(status);
  return {
    storeId,
    devMode,
    checkoutId,
    provider,
    providerMandateId,
    status: hasEnded ? status : 'PENDING',
    amountCents: fixedCentsOf(terms),
    periodicity: terms.cycle,
    endedBy: end?.by ?? null,
    endCode: end?.code ?? null,
    askedAt: now,
    endRequestedAt: null,
    activatedAt: null,
    endedAt: hasEnded ? now : null,
    createdAt: now,
    updatedAt: now,
  };
}
