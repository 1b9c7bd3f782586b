import { NEW_CHECKOUT } from '../../database/entities/checkout.ts';
import type { Store } from '../../database/entities/store.ts';
import { buildBarCode } from '../../domain/boleto.ts';
import type { DueTerms } from '../../domain/charge.ts';
import { addDays, saoPauloDateOf } from '../../domain/civil-date.ts';
import { amountDueOn } from '../../domain/fine-and-interest.ts';
import type { CheckoutId, ProductId } from '../../domain/ids.ts';
import { lastDayToPay } from '../../domain/last-day-to-pay.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { renderBoletoPage } from '../boleto/boleto-page.ts';
import type { BoletoPageView } from '../boleto/boleto-view.ts';
import { say } from '../frame/language.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { EMPTY_FORM } from './pay-form-data.ts';
import { renderPayPage } from './pay-page.ts';

const AMOUNT_CENTS = 12_990;
const DAYS_TO_PAY = 5;
/** No bank has this code, so no bank accepts the slip. */
const NO_BANK = '000';
/** No BR Code, so no app pays it. */
const NO_BR_CODE = 'RECEBE-PREVIEW';

/** The payment page with sample data: how a store looks to its payers. */
export function renderSamplePayPage(store: Store, now: Date): string {
  const loaded = sampleCheckout(store, now);
  return renderPayPage({
    loaded,
    price: { discountCents: 0, totalCents: loaded.checkout.amountCents },
    couponCode: null,
    typed: EMPTY_FORM,
    problems: [],
    now,
  });
}

/** The same for a boleto. */
export function renderSampleBoletoPage(store: Store, now: Date): string {
  return renderBoletoPage(sampleBoleto(store, now));
}

/** A checkout that is stored nowhere. It is in dev mode, so its page says that nobody can pay. */
function sampleCheckout(store: Store, now: Date): LoadedCheckout {
  const item = {
    productId: 'preview' as ProductId,
    name: say('dashboard.settings.sampleProduct'),
    imageUrl: null,
    quantity: 1,
    unitPriceCents: AMOUNT_CENTS,
  };
  return {
    now,
    movedTo: null,
    store,
    merchantName: store.name,
    descriptions: new Map(),
    customer: null,
    isDisputed: false,
    cardFields: null,
    cardTerms: null,
    passedFees: null,
    takesCardOnPage: false,
    boletoTerms: null,
    pixTerms: null,
    subscription: null,
    checkout: {
      ...NEW_CHECKOUT,
      id: 'preview' as CheckoutId,
      storeId: store.id,
      devMode: true,
      frequency: 'ONE_TIME',
      amountCents: AMOUNT_CENTS,
      items: [item],
      methods: ['PIX', 'CARD', 'BOLETO'],
      coupons: [],
      expiresAt: null,
      createdAt: now,
      updatedAt: now,
      workflowStartedAt: now,
    },
  };
}

/** A boleto that is stored nowhere, and whose codes nobody can pay. */
function sampleBoleto(store: Store, now: Date): BoletoPageView {
  const today = saoPauloDateOf(now);
  const dueDate = addDays(today, DAYS_TO_PAY);
  const terms: DueTerms = {
    method: 'BOLETO',
    amountCents: AMOUNT_CENTS,
    dueDate,
    interest: null,
    fine: null,
  };
  return {
    id: 'preview',
    merchantName: store.name,
    merchantTaxId: store.taxId && formatTaxId(store.taxId),
    payerName: say('dashboard.settings.samplePayer'),
    payerTaxId: '000.000.000-00',
    description: say('dashboard.settings.sampleProduct'),
    status: 'PENDING',
    paid: null,
    createdOn: today,
    dueDate,
    lastDayToPay: lastDayToPay(terms),
    today,
    due: amountDueOn(terms, today),
    terms,
    barCode44: buildBarCode({
      bankCode: NO_BANK,
      dueDate,
      amountCents: AMOUNT_CENTS,
      freeField: '0'.repeat(25),
    }),
    pix: { brCode: NO_BR_CODE, qr: qrCodeSvgPath(NO_BR_CODE) },
    bankName: say('dashboard.settings.sampleBank'),
    agencyAndAccount: '0000 / 0000000-0',
    wallet: '00',
    ourNumber: '00000000000',
    voucher: null,
    documentNumber: '0000',
    accentColor: store.accentColor,
    logoFile: store.logoFile,
    devMode: true,
    orderPath: null,
  };
}
