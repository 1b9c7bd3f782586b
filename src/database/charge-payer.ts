import type { Payer } from '../domain/payer.ts';
import type { Charge } from './entities/charge.ts';
import type { Payment } from './entities/payment.ts';

type PayerColumns = Pick<Charge, 'payerName' | 'payerTaxId' | 'payerEmail' | 'payerCellphone'>;

/** The payer as given for this charge. */
export function payerOf({ payerName, payerTaxId, payerEmail, payerCellphone }: PayerColumns): Payer {
  return { name: payerName, taxId: payerTaxId, email: payerEmail, cellphone: payerCellphone };
}

/** The payer as columns of a charge. */
export function payerColumns({ name, taxId, email, cellphone }: Payer): PayerColumns {
  return { payerName: name, payerTaxId: taxId, payerEmail: email, payerCellphone: cellphone };
}

/** The payer that the provider reported; empty fields without a payment. */
export function payerOfPayment(payment: Payment | null): Pick<Payer, 'name' | 'taxId'> {
  return { name: payment?.payerName ?? null, taxId: payment?.payerTaxId ?? null };
}
