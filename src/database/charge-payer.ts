import type { Payer } from '../domain/payer.ts';
import type { Charge } from './entities/charge.ts';
import type { Payment } from './entities/payment.ts';

type PayerColumns = Pick<Charge, 'payerName' | 'payerTaxId' | 'payerEmail' | 'payerCellphone'>;

/** Who pays a charge, as it was said for it. */
export function payerOf({ payerName, payerTaxId, payerEmail, payerCellphone }: PayerColumns): Payer {
  return { name: payerName, taxId: payerTaxId, email: payerEmail, cellphone: payerCellphone };
}

/** The same as a charge keeps it. */
export function payerColumns({ name, taxId, email, cellphone }: Payer): PayerColumns {
  return { payerName: name, payerTaxId: taxId, payerEmail: email, payerCellphone: cellphone };
}

/** Who paid, as the payment was told of; nobody where there is none. */
export function payerOfPayment(payment: Payment | null): Pick<Payer, 'name' | 'taxId'> {
  return { name: payment?.payerName ?? null, taxId: payment?.payerTaxId ?? null };
}
