import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CardWallet } from '../../domain/card.ts';
import type {
  ChargeMethod,
  ChargeStatus,
  FailureReason,
  Fine,
  Interest,
  PaidComponents,
} from '../../domain/charge.ts';
import type { CheckoutItem } from '../../domain/checkout.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type {
  ChargeId,
  CheckoutId,
  CouponId,
  CustomerId,
  CycleId,
  MandateId,
  RefundId,
  SavedCardId,
  StoreId,
} from '../../domain/ids.ts';
import { type CustomerNamedBy, NO_CUSTOMER } from '../../domain/payer.ts';
import type { Split } from '../../domain/sub-account.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/**
 * A charge: transparent, or made by the payer of a checkout. It is inserted as PENDING; from then on only
 * activities of its workflow `charge/<id>` change it, each by an update conditional on the status it expects.
 */
export const ChargeEntity = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  properties: {
    id: p.text().$type<ChargeId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    method: p.text().$type<ChargeMethod>(),
    status: p.text().$type<ChargeStatus>(),
    amountCents: p.bigint('number'),
    paidAmountCents: p.bigint('number').strictNullable(),
    platformFeeCents: p.bigint('number'),
    description: p.text().strictNullable(),
    externalId: p.text().strictNullable(),
    /** The charge that took over the `externalId` of this one, which can no longer be paid. */
    supersededBy: p.text().$type<ChargeId>().strictNullable(),
    /** SHA-256 of the creating request's content; detects a reused `externalId` with other content. */
    contentHash: p.text(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    utm: p.json().columnType('json').$type<Record<string, string>>().strictNullable(),
    customerId: p.text().$type<CustomerId>().strictNullable(),
    /** Null without a customer, and in rows of older releases. */
    customerNamedBy: p.text().$type<CustomerNamedBy>().strictNullable(),
    /** The payer as given for this charge, which its pages show. The customer's record may differ. */
    payerName: p.text().strictNullable(),
    /** CPF or CNPJ without punctuation. */
    payerTaxId: p.type(new SealedText('charges.payer_tax_id')).strictNullable(),
    payerEmail: p.text().strictNullable(),
    payerCellphone: p.text().strictNullable(),
    /** The language of the page on which the payment began; null without a page. */
    payerLanguage: p.text().strictNullable(),
    provider: p.text(),
    /** The provider's reference of this charge: the PIX txid or the boleto's number. */
    providerReference: p.text(),
    /** PIX copy-and-paste code, also of a boleto. */
    brCode: p.text().strictNullable(),
    /**
     * When payers' banks start to refuse the PIX code, as the provider reports it; null if it does not. The charge
     * never ends later.
     */
    codeExpiresAt: p.datetime().strictNullable(),
    /**
     * PAID: someone had paid the code before the charge was stored. DEAD: the provider removed the code, or it died
     * while the provider or Recebe was unavailable, so its payer is not at fault. Null for all others.
     */
    codeStatus: p.text().$type<'PAID' | 'DEAD'>().strictNullable(),
    /** 44 digits of the boleto's bar code; the digitable line follows from them. */
    barCode: p.text().strictNullable(),
    ourNumber: p.text().strictNullable(),
    /** The provider's own page of the boleto, and its own boleto to print; null if it has none. */
    voucherUrl: p.text().strictNullable(),
    voucherPdfUrl: p.text().strictNullable(),
    dueDate: p.text().$type<CivilDate>().strictNullable(),
    interest: p.json().columnType('json').$type<Interest>().strictNullable(),
    fine: p.json().columnType('json').$type<Fine>().strictNullable(),
    /** The parts of the payment of a PIX charge with a due date, as its bank reports them. */
    paidComponents: p.json().columnType('json').$type<PaidComponents>().strictNullable(),
    /** What the API shows as `expiresAt`: the end of a PIX charge, the start of a boleto's due date. */
    expiresAt: p.datetime(),
    /** From this instant on no payment is accepted and the workflow expires the charge. */
    closesAt: p.datetime(),
    /** From this instant on a charge with interest or fine costs more; null where nothing is ever added. */
    lateFrom: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    paidAt: p.datetime().strictNullable(),
    /** When the payment becomes available to the store; null while unpaid. */
    settlesAt: p.datetime().strictNullable(),
    /** Null while the payment is pending. */
    settledAt: p.datetime().strictNullable(),
    /**
     * The pending or completed refund that takes everything left. While it is set, no dispute is opened and nothing
     * is settled.
     */
    refundId: p.text().$type<RefundId>().strictNullable(),
    /**
     * The part of the payment that refunds and disputes have reserved or returned; at most the whole payment.
     * Releases before 0032 reversed all or nothing, and did not set this or the next columns.
     */
    reversedCents: p.bigint('number').defaultRaw('0'),
    /** The platform's fee of {@link reversedCents}, which was refunded. */
    reversedFeeCents: p.bigint('number').defaultRaw('0'),
    /** The part of {@link reversedCents} that the payer has received. */
    refundedCents: p.bigint('number').defaultRaw('0'),
    /** Null for a transparent charge. */
    checkoutId: p.text().$type<CheckoutId>().strictNullable(),
    /** Unique per checkout: a form submitted twice creates one charge. */
    submissionKey: p.text().name('attempt_key').strictNullable(),
    /** The paid charge whose confirmation page offered what this one pays for. */
    upsellOf: p.text().$type<ChargeId>().strictNullable(),
    /** Set if it is an attempt at a subscription's cycle. */
    cycleId: p.text().$type<CycleId>().name('installment_id').strictNullable(),
    /**
     * The mandate under which it debits its payer. If it has a code too, paying the code also accepts the mandate. Null for all other
     * charges.
     */
    mandateId: p.text().$type<MandateId>().strictNullable(),
    /** What a charge of a checkout pays for. */
    items: p.json().columnType('json').$type<readonly CheckoutItem[]>().strictNullable(),
    /** A use of this coupon is reserved while the charge is PENDING, and counted when it is paid. */
    couponId: p.text().$type<CouponId>().strictNullable(),
    /** The parts of its payment that go to sub-accounts; null if all of it is the store's. */
    splits: p.json().columnType('json').$type<readonly Split[]>().strictNullable(),
    /** The coupon's discount; `amountCents` is the rest. */
    discountCents: p.bigint('number').defaultRaw('0'),
    /** The part of `amountCents` that is card fees, which the payer pays on top of the price. */
    customerFeeCents: p.bigint('number').defaultRaw('0'),
    installmentsCount: p.integer().strictNullable(),
    cardToken: p.text().strictNullable(),
    cardBrand: p.text().strictNullable(),
    cardLastFour: p.text().strictNullable(),
    /** The last month in which the card is valid, as `YYYY-MM`; null if unknown. */
    cardExpiryMonth: p.text().strictNullable(),
    /** The wallet through which its payer paid; null for a card that was typed or stored before. */
    cardWallet: p.text().$type<CardWallet>().strictNullable(),
    /** The saved card that it charges, or that its payer agreed to save with it. Null for charges of checkouts. */
    savedCardId: p.text().$type<SavedCardId>().strictNullable(),
    /**
     * Where the payer confirms the card payment at their bank (3-D Secure). Null unless a PENDING charge waits for it,
     * until {@link closesAt}.
     */
    actionUrl: p.text().strictNullable(),
    /** When the payer's bank asked for the confirmation; null if it never did. */
    actionRequiredAt: p.datetime().strictNullable(),
    /** Why it FAILED. */
    failureReason: p.text().$type<FailureReason>().strictNullable(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Charge = InferEntity<typeof ChargeEntity>;

/** The initial values of every new charge. */
export const NEW_CHARGE = {
  status: 'PENDING',
  paidAmountCents: null,
  description: null,
  externalId: null,
  contentHash: '',
  metadata: {},
  utm: null,
  ...NO_CUSTOMER,
  payerName: null,
  payerTaxId: null,
  payerEmail: null,
  payerCellphone: null,
  payerLanguage: null,
  supersededBy: null,
  brCode: null,
  codeExpiresAt: null,
  codeStatus: null,
  barCode: null,
  ourNumber: null,
  voucherUrl: null,
  voucherPdfUrl: null,
  dueDate: null,
  interest: null,
  fine: null,
  paidComponents: null,
  lateFrom: null,
  paidAt: null,
  settlesAt: null,
  settledAt: null,
  refundId: null,
  reversedCents: 0,
  reversedFeeCents: 0,
  refundedCents: 0,
  checkoutId: null,
  submissionKey: null,
  upsellOf: null,
  cycleId: null,
  mandateId: null,
  items: null,
  couponId: null,
  splits: null,
  discountCents: 0,
  customerFeeCents: 0,
  installmentsCount: null,
  cardToken: null,
  cardBrand: null,
  cardLastFour: null,
  cardExpiryMonth: null,
  cardWallet: null,
  savedCardId: null,
  actionUrl: null,
  actionRequiredAt: null,
  failureReason: null,
  workflowStartedAt: null,
} as const;
