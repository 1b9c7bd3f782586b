import type { ChargeStatus, DueTerms } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { AmountDue } from '../../domain/fine-and-interest.ts';
import type { LogoFile } from '../../domain/store-logo.ts';
import type { QrCodeSvg } from '../../wire/qr-code.ts';

/** A PIX code as text and drawn by `qrCodeSvgPath`. */
export interface BoletoPagePix {
  readonly brCode: string;
  readonly qr: QrCodeSvg;
}

/** Everything the boleto page shows, as plain text; the page escapes it. */
export interface BoletoPageView {
  readonly id: string;
  readonly merchantName: string;
  /** The beneficiary's CNPJ or CPF, formatted; null if the store has none on record. */
  readonly merchantTaxId: string | null;
  readonly payerName: string | null;
  /** Formatted or masked, safe for anyone with the link; null after the payer's data was erased. */
  readonly payerTaxId: string | null;
  readonly description: string | null;
  readonly status: ChargeStatus;
  /** Null until it is paid. */
  readonly paid: { readonly on: CivilDate; readonly amountCents: number } | null;
  readonly createdOn: CivilDate;
  readonly dueDate: CivilDate;
  readonly lastDayToPay: CivilDate;
  readonly today: CivilDate;
  /** The amount due `today`. */
  readonly due: AmountDue;
  readonly terms: Pick<DueTerms, 'interest' | 'fine'>;
  /** The 44 digits of the bar code; the digitable line and the bank's code are derived from them. */
  readonly barCode44: string;
  /** The alternative PIX, for the amount due `today`. */
  readonly pix: BoletoPagePix | null;
  readonly bankName: string;
  /** Null where the provider does not report it. */
  readonly agencyAndAccount: string | null;
  readonly wallet: string | null;
  readonly ourNumber: string | null;
  /** The provider's own boleto, which replaces the slip; null if there is none. */
  readonly voucher: { readonly url: string; readonly isPdf: boolean } | null;
  readonly documentNumber: string;
  /** The store's colour, `#rrggbb`; null for the default. */
  readonly accentColor: string | null;
  readonly logoFile: LogoFile | null;
  readonly devMode: boolean;
  /** The page of the payment that the reader came from; null for anyone else, because a boleto is given to others who pay it. */
  readonly orderPath: string | null;
}

/** Whether the payer can pay the boleto, or why not. */
export type BoletoState = 'PAYABLE' | Exclude<ChargeStatus, 'PENDING'>;

/** A boleto past its last day is not offered for payment, even if its workflow has not marked it EXPIRED yet. */
export function boletoState({ status, today, lastDayToPay }: BoletoPageView): BoletoState {
  if (status !== 'PENDING') return status;
  return today > lastDayToPay ? 'EXPIRED' : 'PAYABLE';
}
