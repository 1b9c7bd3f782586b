import type { Logger } from 'pino';
import { beneficiaryOf } from '../charges/new-charge.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Mandate } from '../database/entities/mandate.ts';
import type { Em } from '../database/orm.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { cyclePeriod } from '../domain/cycle.ts';
import { ID_PREFIX, type MandateId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { hasPort, type PaymentProvider } from '../providers/provider.ts';
import { mandateAmountOf, newMandate } from './new-mandate.ts';

/** The number of characters of an id after its prefix. */
const OWN_PART_LENGTH = 26;

/** A charge whose code also asks for consent, with the mandate to store beside it; the charge as it was if there is none. */
export interface Asked {
  readonly charge: Charge;
  readonly mandate: Mandate | null;
}

/**
 * Makes the code of a subscription's first payment also ask its payer to authorize the debits of later cycles (Pix Automático, journey
 * 3). Whatever goes wrong, the payer gets the ordinary code: the payment matters more, and later cycles are then paid by codes. A repeated
 * request for the same charge gives the same mandate.
 */
export async function askForMandate(
  { log }: { readonly log: Logger },
  em: Em,
  checkout: Checkout,
  charge: Charge,
  payer: Payer,
  provider: PaymentProvider,
): Promise<Asked> {
  const none = { charge, mandate: null };
  const { cycle, mandateAmount, amountCents } = checkout;
  const { name, taxId } = payer;
  if (mandateAmount === null || cycle === null || charge.brCode === null) return none;
  if (!METHOD_TRAITS[charge.method].takesMandates) return none;
  if (!hasPort(provider, 'mandates') || !name || !taxId) return none;
  const id = `${ID_PREFIX.mandate}${charge.id.slice(-OWN_PART_LENGTH)}` as MandateId;
  const now = charge.createdAt;
  const firstDate = saoPauloDateOf(cyclePeriod(now, cycle, 0).endsAt);
  const terms = { kind: mandateAmount, amountCents, cycle };
  try {
    const answer = await provider.mandates.create({
      reference: id,
      now,
      payer: { name, taxId },
      beneficiary: await beneficiaryOf(em, checkout.storeId),
      description: checkout.items[0]?.name ?? null,
      periodicity: cycle,
      firstDate,
      lastDate: null,
      amount: mandateAmountOf(terms),
      allowsRetries: true,
      chargeReference: charge.providerReference,
    });
    if (answer.outcome !== 'CREATED') {
      log.warn({ checkoutId: checkout.id, outcome: answer.outcome }, 'a code asks for no authorization');
      return none;
    }
    const owner = { storeId: checkout.storeId, devMode: checkout.devMode, checkoutId: checkout.id };
    const made = newMandate(owner, provider.name, terms, answer.mandate, now);
    const mandate: Mandate = { ...made, id, consentCode: null, firstDate };
    return { charge: { ...charge, mandateId: id, brCode: answer.brCode }, mandate };
  } catch (error) {
    log.warn({ checkoutId: checkout.id, err: error }, 'a code asks for no authorization');
    return none;
  }
}
