import type { BoletoTerms, ChargeStatus } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { AmountDue } from '../../domain/late-charges.ts';
import type { QrCodeSvg } from '../../wire/qr-code.ts';

/** A PIX code as text and drawn by `qrCodeSvgPath`. */
export interface BoletoPagePix {
  readonly brCode: string;
  readonly qr: QrCodeSvg;
}

/** Everything the boleto page shows. Texts are plain: the page escapes them. */
export interface BoletoPageView {
  readonly id: string;
  readonly merchantName: string;
  /** CNPJ or CPF of the beneficiary, formatted, where the store has one on record. */
  readonly merchantTaxId: string | null;
  readonly payerName: string | null;
  /**
   * Formatted or masked, as it may be shown to whoever holds the link; null once the payer's data was erased.
   */
  readonly payerTaxId: string | null;
  readonly description: string | null;
  readonly status: ChargeStatus;
  /** The payment, once there is one. */
  readonly paid: { readonly on: CivilDate; readonly amountCents: number } | null;
  readonly createdOn: CivilDate;
  readonly dueDate: CivilDate;
  readonly lastDayToPay: CivilDate;
  readonly today: CivilDate;
  /** What is due `today`. */
  readonly due: AmountDue;
  readonly terms: Pick<BoletoTerms, 'interest' | 'fine'>;
  /** The 44 digits of the bar code; the digitable line and the bank's code follow from them. */
  readonly barCode44: string;
  /** The alternative PIX, for what is due `today`. */
  readonly pix: BoletoPagePix | null;
  readonly bankName: string;
  readonly agencyAndAccount: string;
  readonly wallet: string;
  readonly ourNumber: string;
  readonly documentNumber: string;
  readonly devMode: boolean;
}

/** What the payer can do with the boleto: pay it, or else why not. */
export type BoletoState = 'PAYABLE' | Exclude<ChargeStatus, 'PENDING'>;

/**
 * A boleto whose window is over is not offered for payment, even if its workflow has yet to mark it EXPIRED.
 */
export function boletoState({ status, today, lastDayToPay }: BoletoPageView): BoletoState {
  if (status !== 'PENDING') return status;
  return today > lastDayToPay ? 'EXPIRED' : 'PAYABLE';
}
