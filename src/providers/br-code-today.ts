import type { Charge } from '../database/entities/charge.ts';
import { dueTermsOf } from '../domain/charge.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { amountDueCents } from '../domain/fine-and-interest.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { Beneficiary } from './ports/payment.ts';
import { portOf } from './provider.ts';
import type { Providers } from './providers.ts';

interface Today {
  readonly providers: Providers;
  readonly beneficiary: Beneficiary;
  readonly now: Date;
}

/**
 * The PIX code for the amount due today: a late boleto's amount grows by the day (contract section 4). A sandbox row
 * without a code, as old versions of `demo fill` wrote them, gets one: a single such row must not fail a whole
 * list. Never asks a provider, because a list would ask once for each boleto. Null if the boleto has no PIX code.
 */
export async function brCodeToday(
  charge: Charge,
  { providers, beneficiary, now }: Today,
): Promise<string | null> {
  const { hasCode, lateAmountBy } = METHOD_TRAITS[charge.method];
  if (!hasCode) throw new Error(`a payment by ${charge.method} has no PIX code`);
  // The payer's bank gets the amount of the day when it reads the code.
  if (lateAmountBy === 'BANK' && charge.brCode !== null) return charge.brCode;
  const terms = dueTermsOf(charge);
  const isLate = charge.status === 'PENDING' && charge.lateFrom !== null && charge.lateFrom <= now;
  if (charge.brCode !== null && !(isLate && terms !== null)) return charge.brCode;
  const provider = await providers.issuerOf(charge);
  const boletos = portOf(provider, 'boletos');
  if (boletos.brCodeFor === undefined) return charge.brCode;
  return boletos.brCodeFor({
    chargeId: charge.id,
    reference: charge.providerReference,
    amountCents: isLate && terms !== null ? amountDueCents(terms, saoPauloDateOf(now)) : charge.amountCents,
    description: charge.description,
    beneficiary,
  });
}
