import { exampleSubscriptionCheckout } from '../../wire/checkout.ts';
import { examplePlanUpdate, exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { exampleCardPayer, exampleCustomer } from '../parties.ts';
import type { CardExpiringEventData, TrialEndingEventData, UpcomingEventData } from './announcements.ts';
import type { CardUpdatedEventData } from './card-updated.ts';
import type {
  AuthorizationEndedEventData,
  AuthorizationRequestedEventData,
  AuthorizedEventData,
  CancellationScheduledEventData,
  PastDueEventData,
  PausedEventData,
  ResumedEventData,
  TrialChangedEventData,
} from './lifecycle.ts';
import type { SubscriptionEventData } from './paid-and-cancelled.ts';
import type { PaymentFailedEventData } from './payment-failed.ts';
import type { PaymentMethodChangedEventData } from './payment-method-changed.ts';
import type { PlanChangedEventData } from './plan-changed.ts';
import type { TrialEventData } from './trial-started.ts';

const chargeId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';
const renewalId = 'card_01KAP4Q1S3V5X7Z9B1D3F5H7JK';
const renewalCycleId = 'intl_01KAP4Q1R2T4V6X8Z0B2D4F6H8';
const startedAt = '2026-12-04T14:25:31.004Z';

const subscription: SubscriptionEventData['subscription'] = {
  id: exampleSubscriptionId,
  devMode: true,
  externalId: 'account-77',
  amount: 4_900,
  addOns: [],
  currency: 'BRL',
  method: 'CARD',
  status: 'ACTIVE',
  state: 'ACTIVE',
  frequency: 'MONTHLY',
  discount: null,
  retryPolicy: { maxRetry: 3, retryEvery: 2 },
  currentCycle: { number: 1, startsAt: startedAt, endsAt: '2027-01-04T14:25:31.004Z' },
  metadata: { accountId: '77' },
  createdAt: startedAt,
  updatedAt: startedAt,
  pausedAt: null,
  pausedDueTo: null,
  resumesAt: null,
  cancelAt: null,
  canceledAt: null,
  cancelPolicy: null,
  cancelledDueTo: null,
  finalUsage: null,
  portalUrl: 'https://pay.example.com/portal/cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
};

const renewedSubscription: SubscriptionEventData['subscription'] = {
  ...subscription,
  currentCycle: {
    number: 2,
    startsAt: '2027-01-04T14:25:31.004Z',
    endsAt: '2027-02-04T14:25:31.004Z',
  },
  updatedAt: '2027-01-04T14:25:33.871Z',
};

const payment: NonNullable<SubscriptionEventData['payment']> = {
  id: chargeId,
  devMode: true,
  externalId: null,
  amount: 4_900,
  paidAmount: 4_900,
  platformFee: 232,
  status: 'PAID',
  methods: ['CARD'],
  receiptUrl: `https://pay.example.com/receipt/${chargeId}`,
  metadata: {},
  createdAt: '2026-12-04T14:25:29.611Z',
  updatedAt: startedAt,
};

const ofRenewal = {
  id: renewalId,
  createdAt: '2027-01-04T14:25:31.102Z',
  updatedAt: '2027-01-04T14:25:33.871Z',
};

export const completed: SubscriptionEventData = {
  subscription,
  customer: exampleCustomer,
  payment,
  payerInformation: exampleCardPayer,
  checkout: {
    ...exampleSubscriptionCheckout,
    paidAmount: 4_900,
    status: 'PAID',
    frequency: 'SUBSCRIPTION',
    customerId: exampleCustomer.id,
    customerNamedBy: 'MERCHANT',
    receiptUrl: payment.receiptUrl,
    subscriptionId: exampleSubscriptionId,
    createdAt: '2026-12-04T14:22:08.120Z',
    updatedAt: startedAt,
  },
  installmentId: 'intl_01KAK0Z9C5E7G9J1K3N5P7R9T1',
  installmentNumber: 1,
  installmentKind: 'PLAN',
  debit: null,
};

export const cancelled: SubscriptionEventData = {
  ...completed,
  subscription: {
    ...subscription,
    status: 'CANCELLED',
    state: 'CANCELLED',
    updatedAt: '2026-12-20T09:12:44.310Z',
    canceledAt: '2026-12-20T09:12:44.310Z',
    cancelPolicy: 'NOW',
  },
};

/** A plan of 49.00, and 120 units at 0.05. */
export const renewed: SubscriptionEventData = {
  ...completed,
  subscription: renewedSubscription,
  payment: {
    ...payment,
    ...ofRenewal,
    amount: 5_500,
    paidAmount: 5_500,
    platformFee: 253,
    receiptUrl: `https://pay.example.com/receipt/${renewalId}`,
  },
  installmentId: renewalCycleId,
  installmentNumber: 2,
};

export const trialStarted: TrialEventData = {
  subscription: {
    ...subscription,
    state: 'TRIALING',
    currentCycle: { number: 0, startsAt: startedAt, endsAt: '2026-12-18T14:25:31.004Z' },
    trialDays: 14,
    trialEndsAt: '2026-12-18T14:25:31.004Z',
  },
  customer: exampleCustomer,
  installmentNumber: 0,
};

export const planChanged: PlanChangedEventData = {
  subscription: { ...subscription, amount: 58_800, frequency: 'ANNUALLY' },
  customer: exampleCustomer,
  update: {
    ...examplePlanUpdate,
    quantity: 1,
    newAmount: 58_800,
    productId: 'prod_01KAK13H8W0Y2A4C6E8G0J2M4P',
  },
};

export const paymentFailed: PaymentFailedEventData = {
  subscription: { ...renewedSubscription, state: 'PAST_DUE' },
  customer: exampleCustomer,
  payment: { ...payment, ...ofRenewal, paidAmount: null, status: 'FAILED', receiptUrl: null },
  reason: 'card_declined',
  installmentId: renewalCycleId,
  installmentNumber: 2,
  installmentKind: 'PLAN',
  retryNumber: 1,
  nextAttemptAt: '2027-01-06T14:25:33.871Z',
  debit: null,
};

export const trialEnding: TrialEndingEventData = {
  ...trialStarted,
  nextCycle: { number: 1, startsAt: '2026-12-18T14:25:31.004Z', amount: 4_900 },
};

export const upcoming: UpcomingEventData = {
  subscription,
  customer: exampleCustomer,
  nextCycle: { number: 2, startsAt: '2027-01-04T14:25:31.004Z', amount: 5_500 },
  debit: null,
};

export const cardExpiring: CardExpiringEventData = {
  subscription,
  customer: exampleCustomer,
  card: { brand: 'visa', lastFour: '4242', expiryMonth: 1, expiryYear: 2027, lastDay: '2027-01-31' },
  daysBefore: 30,
};

export const cardUpdated: CardUpdatedEventData = {
  subscription: { ...subscription, updatedAt: '2026-12-20T09:12:44.310Z' },
  customer: exampleCustomer,
  card: { brand: 'visa', lastFour: '0341', expiryMonth: 12, expiryYear: 2030 },
};

export const cancellationScheduled: CancellationScheduledEventData = {
  subscription: {
    ...subscription,
    state: 'CANCELLING',
    cancelAt: subscription.currentCycle.endsAt,
    updatedAt: '2026-12-20T09:12:44.310Z',
  },
  customer: exampleCustomer,
};

export const paused: PausedEventData = {
  subscription: {
    ...subscription,
    state: 'PAUSED',
    pausedAt: '2026-12-20T09:12:44.310Z',
    updatedAt: '2026-12-20T09:12:44.310Z',
  },
  customer: exampleCustomer,
};

export const trialChanged: TrialChangedEventData = {
  subscription: {
    ...subscription,
    state: 'TRIALING',
    currentCycle: { number: 0, startsAt: startedAt, endsAt: '2027-01-18T03:00:00.000Z' },
    trialDays: 14,
    trialEndsAt: '2027-01-18T03:00:00.000Z',
    updatedAt: '2026-12-12T17:40:02.519Z',
  },
  customer: exampleCustomer,
};

export const pastDue: PastDueEventData = {
  subscription: {
    ...subscription,
    state: 'PAST_DUE',
    currentCycle: { number: 2, startsAt: '2027-01-04T14:25:31.004Z', endsAt: '2027-02-04T14:25:31.004Z' },
    updatedAt: '2027-01-04T14:25:33.120Z',
  },
  customer: exampleCustomer,
  nextAttemptAt: '2027-01-06T14:25:33.120Z',
};

export const resumed: ResumedEventData = {
  subscription: { ...subscription, updatedAt: '2026-12-21T11:40:02.117Z' },
  customer: exampleCustomer,
  resumedFrom: 'CANCELLING',
};

export const paymentMethodChanged: PaymentMethodChangedEventData = {
  subscription: { ...subscription, updatedAt: '2026-12-20T09:12:44.310Z' },
  customer: exampleCustomer,
  card: { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2030 },
  previousCard: { brand: 'visa', lastFour: '4242', expiryMonth: 1, expiryYear: 2027 },
};

const byPix = { ...subscription, method: 'PIX' as const };
const mandateId = 'mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

export const authorized: AuthorizedEventData = { subscription: byPix, customer: exampleCustomer, mandateId };

export const authorizationRequested: AuthorizationRequestedEventData = {
  ...authorized,
  url: `https://pay.example.com/authorize/${mandateId}`,
};

export const authorizationRefused: AuthorizationEndedEventData = {
  ...authorized,
  // A test CPF whose payer authorizes nothing.
  customer: { ...exampleCustomer, taxId: '800.***.***-**' },
  endedBy: null,
  code: 'AP13',
};

export const authorizationCancelled: AuthorizationEndedEventData = {
  ...authorized,
  endedBy: 'PAYER',
  code: 'SLCR',
};
