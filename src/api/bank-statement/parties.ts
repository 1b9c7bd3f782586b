import { ChargeEntity } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import type { ChargeId, PayoutId } from '../../domain/ids.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import type { StatementEntry } from '../../ledger/entries.ts';
import type { ShownBankTransaction } from './schema.ts';

/** What a transaction is about. */
export interface Parties {
  readonly method: ChargeMethod;
  readonly checkoutId: string | null;
  readonly chargeId: string | null;
  readonly referenceId: string | null;
  readonly customer: ShownBankTransaction['customer'];
}

const OF_PAYOUT: Parties = {
  method: 'PIX',
  checkoutId: null,
  chargeId: null,
  referenceId: null,
  customer: null,
};

/** The charge whose payment an entry is about; null for payouts. */
function chargeIdOf({ kind, subjectId, chargeId }: StatementEntry): ChargeId | null {
  const isPayment = kind === 'PAYMENT' || kind === 'SETTLEMENT';
  return (isPayment ? (chargeId ?? subjectId) : chargeId) as ChargeId | null;
}

/** Reads what the entries of a page are about: four statements for all of them. */
export async function partiesOf(
  em: Em,
  entries: readonly StatementEntry[],
): Promise<(entry: StatementEntry) => Parties> {
  const options = { disableIdentityMap: true } as const;
  const chargeIds = entries.map(chargeIdOf).filter((id) => id !== null);
  const charges = await em.find(ChargeEntity, { id: { $in: chargeIds } }, options);
  const checkoutIds = charges.map(({ checkoutId }) => checkoutId).filter((id) => id !== null);
  const checkouts = await em.find(CheckoutEntity, { id: { $in: checkoutIds } }, options);
  const customerIds = charges.map(({ customerId }) => customerId).filter((id) => id !== null);
  const customers = await em.find(CustomerEntity, { id: { $in: customerIds } }, options);
  const payoutIds = entries.map(({ payoutId }) => payoutId as PayoutId | null).filter((id) => id !== null);
  const payouts = await em.find(PayoutEntity, { id: { $in: payoutIds } }, options);
  const [chargeBy, checkoutBy, customerBy, payoutBy] = [
    byId(charges),
    byId(checkouts),
    byId(customers),
    byId(payouts),
  ];
  return (entry) => {
    const charge = chargeBy.get(chargeIdOf(entry) ?? '');
    if (charge === undefined)
      return { ...OF_PAYOUT, referenceId: payoutBy.get(entry.payoutId ?? '')?.externalId ?? null };
    const checkout = checkoutBy.get(charge.checkoutId ?? '');
    const customer = customerBy.get(charge.customerId ?? '');
    return {
      method: charge.method,
      checkoutId: charge.checkoutId,
      chargeId: charge.id,
      referenceId: charge.externalId ?? checkout?.externalId ?? null,
      customer: customer === undefined ? null : shown(customer),
    };
  };
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Fields that are not known are left out. */
function shown(customer: Customer): Parties['customer'] {
  const { id: publicId, name, email, taxId, cellphone, zipCode } = customer;
  const fields = { publicId, name, email, taxId: taxId && formatTaxId(taxId), cellphone, zipCode };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
