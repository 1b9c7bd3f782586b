import { payerOf, payerOfPayment } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { Invoice } from '../database/entities/invoice.ts';
import { type Payment, PaymentEntity } from '../database/entities/payment.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { NOBODY, type Payer } from '../domain/payer.ts';

/** An invoice with what other rows say about it. */
export interface InvoiceDetails {
  readonly invoice: Invoice;
  /** Who is billed: as given for the charge, else as the bank has reported. Empty once the person is erased. */
  readonly payer: Pick<Payer, 'name' | 'taxId' | 'email'>;
  /** Null until it is paid. */
  readonly paidCents: number | null;
  readonly refundedCents: number;
}

const FRESH = { disableIdentityMap: true } as const;

/** The same for one invoice. */
export async function detailsOfOne(em: Em, invoice: Invoice): Promise<InvoiceDetails> {
  const [details] = await detailsOf(em, [invoice]);
  if (details === undefined) throw new Error('an invoice has details');
  return details;
}

/** The details of invoices, in their order, with four queries for all. */
export async function detailsOf(em: Em, invoices: readonly Invoice[]): Promise<InvoiceDetails[]> {
  if (invoices.length === 0) return [];
  const unpaid = invoices.filter(({ chargeId }) => chargeId === null).map(({ checkoutId }) => checkoutId);
  const checkouts = unpaid.length === 0 ? [] : await em.find(CheckoutEntity, { id: { $in: unpaid } }, FRESH);
  // A cycle is asked of the payer of the first payment.
  const firstOf = new Map(checkouts.map(({ id, paidByChargeId }) => [id, paidByChargeId]));
  const chargeIdOf = ({ chargeId, checkoutId }: Invoice) => chargeId ?? firstOf.get(checkoutId) ?? null;
  const ids = invoices.map(chargeIdOf).filter((id) => id !== null);
  const charges = new Map(
    (await em.find(ChargeEntity, { id: { $in: ids } }, FRESH)).map((row) => [row.id, row]),
  );
  const accepted = { chargeId: { $in: ids }, outcome: 'ACCEPTED' as const };
  const payments = new Map((await em.find(PaymentEntity, accepted, FRESH)).map((row) => [row.chargeId, row]));
  const erased = await erasedAmong(em, [...charges.values()]);
  return invoices.map((invoice) => {
    const id = chargeIdOf(invoice);
    const charge = id === null ? undefined : charges.get(id);
    const isErased = charge === undefined || erased.has(charge.id);
    const paid = invoice.chargeId === null ? undefined : charge;
    return {
      invoice,
      payer: isErased ? NOBODY : billedOf(charge, payments.get(charge.id) ?? null),
      paidCents: paid?.paidAmountCents ?? null,
      refundedCents: paid?.refundedCents ?? 0,
    };
  });
}

function billedOf(charge: Charge, payment: Payment | null): InvoiceDetails['payer'] {
  const given = payerOf(charge);
  if (given.name !== null || given.taxId !== null) return given;
  return { ...payerOfPayment(payment), email: given.email };
}

/** A bank may report a payer after the person was erased. */
async function erasedAmong(em: Em, charges: readonly Charge[]): Promise<ReadonlySet<ChargeId>> {
  const customerIds = charges.map(({ customerId }) => customerId).filter((id) => id !== null);
  if (customerIds.length === 0) return new Set();
  const erased = { id: { $in: customerIds }, deletedAt: { $ne: null } };
  const gone = new Set((await em.find(CustomerEntity, erased, FRESH)).map(({ id }) => id));
  return new Set(
    charges.filter(({ customerId }) => customerId !== null && gone.has(customerId)).map(({ id }) => id),
  );
}
