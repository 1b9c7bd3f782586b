import type { AskedCharge } from './asked-charge.ts';
import { type MandateState, type NewsTopic, noMandates } from './mandates/state.ts';

/** One charge as the bank has it. Amounts are cents, instants ISO 8601. */
export interface BankCharge {
  readonly txid: string;
  readonly kind: 'cob' | 'cobv';
  readonly createdAt: string;
  /** The last requested terms, in Bacen's words. */
  asked: AskedCharge;
  revision: number;
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';
  /** The last part of the location from which the payer's bank reads the charge. */
  readonly accessToken: string;
  readonly locationId: number;
}

export interface BankRefund {
  readonly id: string;
  readonly rtrId: string;
  readonly amountCents: number;
  /** Bacen's `natureza`; values of later versions too. */
  readonly kind: string;
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  readonly askedAt: string;
  settledAt: string | null;
  reason: string | null;
  /** Whether the bank or the payer's bank made the refund; absent if a request of the API ordered it. */
  readonly isMadeAtBank?: boolean;
  /** How the refund will end, and whether it ends without a request. */
  readonly ends: 'DEVOLVIDO' | 'NAO_REALIZADO' | 'ON_REQUEST';
}

export interface BankPayment {
  readonly endToEndId: string;
  readonly txid: string;
  readonly key: string;
  readonly amountCents: number;
  readonly originalCents: number;
  readonly fineCents: number;
  readonly interestCents: number;
  readonly paidAt: string;
  readonly payerMessage: string | null;
  readonly refunds: BankRefund[];
}

/** Money of a transfer that the payee's bank has sent back. */
export interface BankTransferReturn {
  readonly rtrId: string;
  readonly amountCents: number;
  readonly returnedAt: string;
}

/** Money sent out, by the id that its sender gave it. */
export interface BankTransfer {
  readonly id: string;
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly fromKey: string;
  readonly toKey: string;
  /** The message of the payer to the payee, or null. */
  readonly message?: string | null;
  /** The txid of the BR Code that was paid; null or absent for a transfer to a key. */
  readonly txid?: string | null;
  status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO';
  readonly ends: 'REALIZADO' | 'NAO_REALIZADO';
  readonly askedAt: string;
  /** Absent until it has ended. */
  settledAt?: string;
  /** Absent until the payee's bank has sent something back. */
  returns?: BankTransferReturn[];
}

export interface BankWebhook {
  readonly key: string;
  readonly url: string;
  readonly createdAt: string;
  /** Whether the bank calls without showing its certificate. */
  readonly withoutCertificate: boolean;
}

/** An act of the bank that no request causes, and when it is due by the bank's clock. */
export type DueAct = { readonly at: string } & (
  | {
      readonly act: 'RETURN_PAYMENT';
      readonly endToEndId: string;
      readonly amountCents: number;
      /** Bacen's `natureza`. */
      readonly kind: string;
      readonly underWay: boolean;
    }
  | {
      readonly act: 'RETURN_TRANSFER';
      readonly id: string;
      /** The full amount of the transfer if an earlier release wrote it. */
      readonly amountCents?: number;
    }
  | { readonly act: 'REMOVE_CHARGE'; readonly txid: string }
);

/** The whole state of the bank, which fits into one JSON file. */
export interface BankState {
  /** How far the bank's clock is ahead of the machine's. */
  clockAheadMs: number;
  readonly charges: Record<string, BankCharge>;
  readonly payments: Record<string, BankPayment>;
  readonly transfers: Record<string, BankTransfer>;
  readonly webhooks: Record<string, BankWebhook>;
  /** Addresses for notifications of mandates and of instructions. Absent in files of older releases. */
  newsWebhooks?: Partial<Record<NewsTopic, BankWebhook>>;
  agenda: readonly DueAct[];
  readonly automatic: MandateState;
}

export const emptyState = (): BankState => ({
  clockAheadMs: 0,
  charges: {},
  payments: {},
  transfers: {},
  webhooks: {},
  agenda: [],
  automatic: noMandates(),
});
