import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { addBusinessDays } from '../domain/business-days.ts';
import type { CardToken } from '../domain/card.ts';
import {
  boletoDeadlines,
  DECISION_WINDOW_MS,
  DEFAULT_BUSINESS_DAYS,
  MIN_BOLETO_CENTS,
  pixDeadlines,
} from '../domain/charge-deadlines.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { ChargeId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { PaymentRefusal } from '../payments/payment-refusal.ts';
import type { PaymentProvider } from '../providers/provider.ts';

/** A payer has this long to pay a PIX code of a page, and a coupon is held for them no longer. */
const PIX_WINDOW_SECONDS = 30 * 60;

/** What the payment rail and the method add to a charge. */
export type Issued = Pick<
  Charge,
  'id' | 'method' | 'provider' | 'providerReference' | 'expiresAt' | 'closesAt' | 'lateFrom'
> &
  Partial<Charge>;

interface Issue {
  readonly checkout: Checkout;
  readonly amountCents: number;
  readonly provider: PaymentProvider;
  readonly now: Date;
}

/** A PIX code, which ends with its checkout at the latest. */
export async function issuePix(em: Em, { checkout, amountCents, provider, now }: Issue): Promise<Issued> {
  const id = mintId<ChargeId>('pixCharge', now);
  const beneficiary = await beneficiaryOf(em, checkout);
  const issued = await provider.issuePix({ chargeId: id, amountCents, description: null, beneficiary });
  const secondsLeft =
    checkout.expiresAt === null ? Infinity : (checkout.expiresAt.getTime() - now.getTime()) / 1_000;
  return {
    id,
    method: 'PIX',
    provider: provider.name,
    providerReference: issued.reference,
    brCode: issued.brCode,
    ...pixDeadlines(Math.min(PIX_WINDOW_SECONDS, Math.max(1, secondsLeft)), now),
  };
}

/**
 * A boleto, due in three business days even where its checkout expires sooner: the checkout then waits for it.
 * @throws PaymentRefusal BELOW_BOLETO_MINIMUM
 */
export async function issueBoleto(em: Em, { checkout, amountCents, provider, now }: Issue): Promise<Issued> {
  if (amountCents < MIN_BOLETO_CENTS) throw new PaymentRefusal('BELOW_BOLETO_MINIMUM');
  const { interest, fine } = checkout;
  const id = mintId<ChargeId>('boletoCharge', now);
  const dueDate = addBusinessDays(saoPauloDateOf(now), DEFAULT_BUSINESS_DAYS);
  const beneficiary = await beneficiaryOf(em, checkout);
  const issue = { chargeId: id, amountCents, description: null, beneficiary, dueDate };
  const { reference, brCode, barCode, ourNumber } = await provider.issueBoleto(issue);
  return {
    id,
    method: 'BOLETO',
    provider: provider.name,
    providerReference: reference,
    brCode,
    barCode,
    ourNumber,
    dueDate,
    interest,
    fine,
    ...boletoDeadlines(dueDate, interest, fine),
  };
}

/** A card payment is known to the provider by the charge's id; it is authorized as soon as its row is there. */
export function cardCharge(card: CardToken, installmentsCount: number, provider: string, now: Date): Issued {
  const id = mintId<ChargeId>('cardCharge', now);
  return {
    id,
    method: 'CARD',
    provider,
    providerReference: id,
    cardToken: card.token,
    cardBrand: card.brand,
    cardLastFour: card.lastFour,
    installmentsCount,
    ...decidedAtOnce(now),
  };
}

/**
 * Where there is nothing to pay now: a coupon covers it, or a trial begins (contract sections 5 and 6). No provider takes part.
 * @param card kept for the cycles of a subscription.
 */
export function freeCharge(now: Date, card: CardToken | null): Issued {
  const id = mintId<ChargeId>('freeCharge', now);
  const kept = card && { cardToken: card.token, cardBrand: card.brand, cardLastFour: card.lastFour };
  return { id, method: 'FREE', provider: 'none', providerReference: id, ...kept, ...decidedAtOnce(now) };
}

function decidedAtOnce(now: Date) {
  const endsAt = new Date(now.getTime() + DECISION_WINDOW_MS);
  return { expiresAt: endsAt, closesAt: endsAt, lateFrom: null };
}

async function beneficiaryOf(em: Em, { storeId }: Checkout) {
  const { name, city } = await em.findOneOrFail(StoreEntity, { id: storeId });
  return { name, city };
}
