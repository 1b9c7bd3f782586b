import { buildBarCode } from '../../../src/domain/boleto.ts';
import {
  BOLETOS_OF_ANY_KIND,
  type BoletoTerms,
  type IssueBoleto,
  type IssuedBoleto,
} from '../../../src/providers/ports/boletos.ts';
import { MisbehavingProvider } from './misbehaving-provider.ts';

/** The most limited provider of boletos: no PIX code, no late charges, and it needs everything of the payer. */
export class VoucherProvider extends MisbehavingProvider {
  override readonly name = 'voucher';
  override readonly boletoTerms: BoletoTerms = {
    ...BOLETOS_OF_ANY_KIND,
    minCents: 500,
    maxCents: 4_999_999,
    maxDueDays: 30,
    interest: false,
    fine: false,
    payerNeeds: ['email', 'address'],
    issuer: { bankName: 'Vale Pago', agencyAndAccount: null, wallet: null },
    codeShowsAmount: null,
  };
  readonly asked: IssueBoleto[] = [];

  override issueBoleto(request: IssueBoleto) {
    this.asked.push(request);
    const { chargeId: reference, amountCents, dueDate } = request;
    const barCode = buildBarCode({ bankCode: '033', dueDate, amountCents, freeField: '1'.repeat(25) });
    const issued: IssuedBoleto = {
      reference,
      barCode,
      voucherUrl: `https://vouchers.example.com/${reference}`,
      voucherPdfUrl: `https://vouchers.example.com/${reference}.pdf`,
    };
    return Promise.resolve({ outcome: 'ISSUED' as const, issued });
  }
}
