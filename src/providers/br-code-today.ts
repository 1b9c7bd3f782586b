import type { Charge } from '../database/entities/charge.ts';
import { boletoTermsOf } from '../domain/charge.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { amountDueCents } from '../domain/late-charges.ts';
import type { Beneficiary } from './provider.ts';
import type { Providers } from './providers.ts';

interface Today {
  readonly providers: Providers;
  readonly beneficiary: Beneficiary;
  readonly now: Date;
}

/** The PIX code that asks for what is due today: a late boleto's grows by the day (contract section 4). */
export async function brCodeToday(charge: Charge, { providers, beneficiary, now }: Today): Promise<string> {
  if (charge.brCode === null) throw new Error('a card payment has no PIX code');
  const terms = boletoTermsOf(charge);
  const isLate = charge.status === 'PENDING' && charge.lateFrom !== null && charge.lateFrom <= now;
  if (!isLate || terms === null) return charge.brCode;
  const provider = await providers.issuerOf(charge);
  return provider.brCodeFor({
    chargeId: charge.id,
    reference: charge.providerReference,
    amountCents: amountDueCents(terms, saoPauloDateOf(now)),
    description: charge.description,
    beneficiary,
  });
}
