import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { CsvColumns } from '../../../api/frame/csv.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';

/** Checkouts and payment links for programs: the fields of the API, lists as JSON. */
export const checkoutColumns: CsvColumns<ShownCheckout> = {
  id: ({ id }) => id,
  frequency: ({ frequency }) => frequency ?? null,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  paidAmount: ({ paidAmount }) => paidAmount,
  customerFee: ({ customerFee }) => customerFee,
  installmentsCount: ({ installmentsCount }) => installmentsCount,
  items: ({ items }) => JSON.stringify(items),
  methods: ({ methods }) => methods.join(' '),
  coupons: ({ coupons }) => coupons.join(' '),
  externalId: ({ externalId }) => externalId,
  customerId: ({ customerId }) => customerId,
  customerNamedBy: ({ customerNamedBy }) => customerNamedBy,
  subscriptionId: ({ subscriptionId }) => subscriptionId ?? null,
  upSellProductId: ({ upSellProductId }) => upSellProductId,
  url: ({ url }) => url,
  receiptUrl: ({ receiptUrl }) => receiptUrl,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  expiresAt: ({ expiresAt }) => expiresAt,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  devMode: ({ devMode }) => devMode,
};

/** Products for programs. */
export const productColumns: CsvColumns<ProductView> = {
  id: ({ id }) => id,
  externalId: ({ externalId }) => externalId,
  name: ({ name }) => name,
  description: ({ description }) => description,
  imageUrl: ({ imageUrl }) => imageUrl,
  price: ({ price }) => price,
  currency: ({ currency }) => currency,
  cycle: ({ cycle }) => cycle,
  trialDays: ({ trialDays }) => trialDays,
  usageCycle: ({ usageCycle }) => usageCycle,
  usagePrice: ({ usagePrice }) => (usagePrice === null ? null : JSON.stringify(usagePrice)),
  billUsageOnCancel: ({ billUsageOnCancel }) => billUsageOnCancel,
  hasFile: ({ hasFile }) => hasFile,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  devMode: ({ devMode }) => devMode,
};

/** Webhook deliveries for programs, with the last attempt of each. */
export const deliveryColumns: CsvColumns<DeliveryView> = {
  id: ({ id }) => id,
  webhookId: ({ webhookId }) => webhookId,
  event: ({ event }) => event,
  eventId: ({ eventId }) => eventId,
  subjectIds: ({ subjectIds }) => subjectIds.join(' '),
  sample: ({ sample }) => sample,
  status: ({ status }) => status,
  attemptsCount: ({ attemptsCount }) => attemptsCount,
  lastAttemptAt: ({ attempts }) => attempts.at(-1)?.startedAt ?? null,
  lastStatusCode: ({ attempts }) => attempts.at(-1)?.statusCode ?? null,
  lastError: ({ attempts }) => attempts.at(-1)?.error ?? null,
  lastDurationMs: ({ attempts }) => attempts.at(-1)?.durationMs ?? null,
  nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
  createdAt: ({ createdAt }) => createdAt,
  finishedAt: ({ finishedAt }) => finishedAt,
  devMode: ({ devMode }) => devMode,
};
