import { buildBarCode, buildFreeField } from '../../../src/domain/boleto.ts';
import type { DueTerms } from '../../../src/domain/charge.ts';
import { type CivilDate, civilDate } from '../../../src/domain/civil-date.ts';
import { amountDueOn } from '../../../src/domain/fine-and-interest.ts';
import { lastDayToPay } from '../../../src/domain/last-day-to-pay.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';
import type { BoletoPageView } from '../../../src/web/boleto/boleto-page.ts';
import { qrCodeSvgPath } from '../../../src/wire/qr-code.ts';

/**
 * A boleto of R$ 1.289,90 due on Tuesday, 10 November 2026, with a fine of 2 % and interest of 1 % a month.
 */
export const BOLETO_TERMS: DueTerms = {
  method: 'BOLETO',
  amountCents: 128_990,
  dueDate: civilDate('2026-11-10'),
  interest: { value: 100 },
  fine: { value: 200, type: 'PERCENTAGE' },
};

/** What the boleto page shows on `today`, consistent with `terms`; `overrides` win over all of it. */
export function buildBoletoPageView({
  terms = BOLETO_TERMS,
  today = civilDate('2026-11-05'),
  ...overrides
}: Partial<Omit<BoletoPageView, 'terms'>> & { terms?: DueTerms; today?: CivilDate } = {}): BoletoPageView {
  const due = amountDueOn(terms, today);
  const brCode = buildBrCode({
    key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    merchantName: 'Papelaria Aurora',
    merchantCity: 'São Paulo',
    amountCents: due.totalCents,
    txid: 'bole01k8xw3v9q2m7t4r5n6p8',
  });
  return {
    id: 'bole_01k8xw3v9q2m7t4r5n6p8',
    merchantName: 'Papelaria Aurora Ltda.',
    accentColor: null,
    merchantTaxId: '12.345.678/0001-95',
    payerName: 'Maria Fernanda de Oliveira Souza',
    payerTaxId: '123.456.789-09',
    description: 'Pedido 4821: material escolar',
    status: 'PENDING',
    paid: null,
    createdOn: civilDate('2026-11-05'),
    dueDate: terms.dueDate,
    lastDayToPay: lastDayToPay(terms),
    today,
    due,
    terms,
    barCode44: buildBarCode({
      bankCode: '001',
      dueDate: terms.dueDate,
      amountCents: terms.amountCents,
      freeField: buildFreeField({ agency: '1234', account: '56789', wallet: '17', ourNumber: '12345678901' }),
    }),
    pix: { brCode, qr: qrCodeSvgPath(brCode) },
    bankName: 'Banco do Brasil',
    agencyAndAccount: '1234-5 / 0056789-0',
    wallet: '17',
    voucher: null,
    ourNumber: '17/12345678901-2',
    documentNumber: '4821',
    logoFile: null,
    devMode: false,
    orderPath: null,
    ...overrides,
  };
}
