import { z } from 'zod';
import type { RecordedEventName, V1EventName } from '../../domain/event-names.ts';
import { exampleCheckout } from '../../wire/checkout.ts';
import { checkoutEvents } from '../checkout.ts';
import { defineEvent, type EventDefinition } from '../definition.ts';
import { exampleCustomer, publishedRefund } from '../parties.ts';
import { payoutEvents } from '../payout-events.ts';
import { completed, failed } from '../payout-schemas.ts';
import { subscriptionEvents } from '../subscription/events.ts';
import { subscription } from '../subscription/objects.ts';
import { transparentEvents } from '../transparent.ts';
import {
  billing,
  customer,
  type PublishedCharge,
  type PublishedCheckout,
  type PublishedCustomer,
  type PublishedTransparent,
  payment,
  pixQrCode,
  v1Billing,
  v1Customer,
  v1Payment,
  v1PixQrCode,
} from './objects.ts';
import type { V1OnlyData } from './v1-only.ts';

/** Recorded v2 data of an event, limited to the fields that v1 uses. */
interface Recorded {
  readonly checkout?: PublishedCheckout;
  readonly transparent?: PublishedCharge & PublishedTransparent;
  readonly payment?: PublishedCharge | null;
  readonly subscription?: z.output<typeof subscription>;
  readonly customer?: PublishedCustomer | null;
  /** The reason for the refund, lost dispute or failure. */
  readonly reason?: string | null;
  readonly refund?: z.output<typeof publishedRefund>;
}

const billingData = z.strictObject({
  billing: billing.nullable().meta({ description: 'The items sold through a billing; otherwise null.' }),
  pixQrCode: pixQrCode.nullable().meta({ description: 'A charge without a billing; otherwise null.' }),
  payment,
  subscription: subscription.optional().meta({ description: 'Only if a subscription cycle was charged.' }),
  reason: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Only after a refund, lost dispute or failure.' }),
  refund: publishedRefund.optional().meta({ description: 'Only after a refund. Our addition.' }),
});

/** The `data` of `billing.*`. */
function v1BillingData(recorded: Recorded, devMode: boolean): z.output<typeof billingData> {
  const { subscription: of, reason, refund } = recorded;
  const whom = v1Customer(recorded.customer, devMode);
  return {
    billing: v1Billing(recorded.checkout, whom, devMode),
    pixQrCode: v1PixQrCode(recorded.transparent, whom, devMode),
    payment: v1Payment(recorded.payment ?? recorded.transparent, devMode),
    ...(of !== undefined && { subscription: of }),
    ...(reason !== undefined && { reason }),
    ...(refund !== undefined && { refund }),
  };
}

/** The `data` of `billing.created`: there is no payment yet. */
function v1CreatedData(recorded: Recorded, devMode: boolean): z.output<typeof billingData> {
  return { ...v1BillingData(recorded, devMode), payment: null };
}

const subscriptionData = z.strictObject({
  subscription,
  customer,
  billing: billing.nullable().meta({ description: 'The payment that started it; null if a trial did.' }),
  payment,
});

/** The `data` of `subscription.*`. */
function v1SubscriptionData(
  recorded: Recorded & { readonly subscription: z.output<typeof subscription> },
  devMode: boolean,
): z.output<typeof subscriptionData> {
  const whom = v1Customer(recorded.customer, devMode);
  return {
    subscription: recorded.subscription,
    customer: whom,
    billing: v1Billing(recorded.checkout, whom, devMode),
    payment: v1Payment(recorded.payment, devMode),
  };
}

const kind = z.literal('WITHDRAW');
const withdrawDone = z.strictObject({ transaction: completed.extend({ kind }) });
const withdrawFailed = z.strictObject({ transaction: failed.extend({ kind }) });

/** The `data` of `withdraw.*`. */
function v1WithdrawData<Withdraw extends object>({ withdraw }: { readonly withdraw: Withdraw }) {
  return { transaction: { ...withdraw, kind: 'WITHDRAW' as const } };
}

/** A v1 event. Its payload and example are derived from the recorded v2 event. */
interface V1EventDefinition<Recorded, Data extends z.ZodType<object>> extends EventDefinition<Data> {
  /** The v2 event of the example. */
  readonly recorded: { readonly eventName: RecordedEventName; readonly data: Recorded };
  readonly build: (recorded: Recorded, devMode: boolean) => z.output<Data>;
}

function defineV1Event<Recorded, Data extends z.ZodType<object>>(
  summary: string,
  data: Data,
  build: (recorded: Recorded, devMode: boolean) => z.output<Data>,
  eventName: RecordedEventName,
  example: Recorded,
): V1EventDefinition<Recorded, Data> {
  return {
    ...defineEvent(summary, data, build(example, true)),
    build,
    recorded: { eventName, data: example },
  };
}

const { example: paid } = checkoutEvents['checkout.completed'];
const created: V1OnlyData['billing.created'] = { checkout: exampleCheckout, customer: exampleCustomer };
const declined: V1OnlyData['billing.failed'] = {
  ...paid,
  checkout: { ...paid.checkout, status: 'PENDING', paidAmount: null, receiptUrl: null },
  payment: { ...paid.payment, status: 'FAILED', paidAmount: null, receiptUrl: null },
  reason: 'card_declined',
};

/** Events for v1 endpoints (contract section 7): the same events as in v2, with other names. */
export const V1_EVENTS = {
  'billing.created': defineV1Event(
    'A billing or PIX QR code was created',
    billingData,
    v1CreatedData,
    'billing.created',
    created,
  ),
  'billing.paid': defineV1Event(
    'A billing or PIX QR code was paid',
    billingData,
    v1BillingData,
    'checkout.completed',
    paid,
  ),
  'billing.refunded': defineV1Event(
    'A payment was refunded, or a dispute was lost',
    billingData,
    v1BillingData,
    'transparent.refunded',
    transparentEvents['transparent.refunded'].example,
  ),
  'billing.failed': defineV1Event(
    'A card was declined, or an attempt to charge a cycle failed',
    billingData,
    v1BillingData,
    'billing.failed',
    declined,
  ),
  'subscription.created': defineV1Event(
    'A subscription or its trial started',
    subscriptionData,
    v1SubscriptionData,
    'subscription.completed',
    subscriptionEvents['subscription.completed'].example,
  ),
  'subscription.canceled': defineV1Event(
    'A subscription ended',
    subscriptionData,
    v1SubscriptionData,
    'subscription.cancelled',
    subscriptionEvents['subscription.cancelled'].example,
  ),
  'withdraw.done': defineV1Event(
    'A withdrawal arrived',
    withdrawDone,
    v1WithdrawData,
    'payout.completed',
    payoutEvents['payout.completed'].example,
  ),
  'withdraw.failed': defineV1Event(
    'A withdrawal failed',
    withdrawFailed,
    v1WithdrawData,
    'payout.failed',
    payoutEvents['payout.failed'].example,
  ),
} satisfies Record<V1EventName, EventDefinition>;
