import { listMovements } from '../../../api/balance/routes.ts';
import type { ShownMovement } from '../../../api/balance/schema.ts';
import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import { listPayouts } from '../../../api/payouts/routes.ts';
import type { ShownPayout, ShownTransfer } from '../../../api/payouts/schema.ts';
import { listTransfers } from '../../../api/pix/routes.ts';
import { namedWebhooks } from '../../../webhooks/webhook-names.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { type MovementLabel, movementLabels } from '../balance/movement-labels.ts';
import { ACCOUNTS, MOVEMENTS } from '../balance/movement-words.ts';
import { payoutFailureWords, payoutStatusName } from '../balance/payout-status.ts';
import { failureWords } from '../webhooks/failure-words.ts';
import { type Column, sheet } from './sheet.ts';

const CREATED = ['createdFrom', 'createdTo'] as const;

const SENT: readonly Column<Omit<ShownPayout, 'kind'>>[] = [
  { heading: 'dashboard.exports.sent.heading', value: ({ createdAt }) => ({ at: createdAt }) },
  { heading: 'dashboard.amount', value: ({ amount }) => ({ cents: amount }) },
  { heading: 'dashboard.fee', value: ({ platformFee }) => ({ cents: platformFee }) },
  { heading: 'dashboard.cameBack', value: ({ returnedAmount }) => ({ cents: returnedAmount }) },
  { heading: 'dashboard.status', value: ({ status }, say) => payoutStatusName(status, say) },
  {
    heading: 'dashboard.exports.whyItFailed',
    value: ({ reason }, say) => reason && payoutFailureWords(reason, say),
  },
  { heading: 'dashboard.description', value: ({ description }) => description },
  { heading: 'dashboard.yourId', value: ({ externalId }) => externalId },
  { heading: 'dashboard.exports.id', value: ({ id }) => id },
  { heading: 'dashboard.exports.pixId', value: ({ endToEndIdentifier }) => endToEndIdentifier },
];

export const payoutsSheet = sheet<ShownPayout, ShownPayout>({
  id: 'payouts',
  name: 'dashboard.payoutsToTheStoresAccount',
  file: 'dashboard.exports.payouts',
  operation: listPayouts,
  days: CREATED,
  dated: 'dashboard.exports.created',
  rows: async (_, items) => items,
  columns: () => SENT,
});

export const transfersSheet = sheet<ShownTransfer, ShownTransfer>({
  id: 'transfers',
  name: 'dashboard.transfersToPixKeys',
  file: 'dashboard.exports.transfers',
  operation: listTransfers,
  days: CREATED,
  dated: 'dashboard.exports.created2',
  rows: async (_, items) => items,
  columns: (visit) => [
    ...SENT,
    ...(visit.can('payout-targets:read')
      ? [{ heading: 'dashboard.pixKey', value: ({ pix }) => pix.key } satisfies Column<ShownTransfer>]
      : []),
  ],
});

interface StatementRow extends MovementLabel {
  readonly movement: ShownMovement;
}

const STATEMENT_COLUMNS: readonly Column<StatementRow>[] = [
  { heading: 'dashboard.when', value: ({ movement }) => ({ at: movement.createdAt }) },
  {
    heading: 'dashboard.exports.statementColumns.heading',
    value: ({ movement }, say) => say(ACCOUNTS[movement.account]),
  },
  { heading: 'dashboard.movement', value: ({ movement }, say) => say(MOVEMENTS[movement.kind]) },
  { heading: 'dashboard.who', value: ({ who }) => who },
  { heading: 'dashboard.what', value: ({ what }) => what },
  { heading: 'dashboard.amount', value: ({ movement }) => ({ cents: movement.amount }) },
  { heading: 'dashboard.fee', value: ({ movement }) => ({ cents: movement.platformFee }) },
  { heading: 'dashboard.balanceAfter', value: ({ movement }) => ({ cents: movement.balanceAfter }) },
  {
    heading: 'dashboard.exports.idOfThePaymentOr',
    value: ({ movement: { paymentId, payoutId, transferId } }) => paymentId ?? payoutId ?? transferId,
  },
];

export const statementSheet = sheet({
  id: 'statement',
  name: 'dashboard.exports.statement',
  file: 'dashboard.exports.statement2',
  operation: listMovements,
  days: ['from', 'to'],
  dated: 'dashboard.exports.booked',
  async rows(visit, items): Promise<readonly StatementRow[]> {
    const labels = await movementLabels(visit, items);
    return items.map((movement, index) => ({
      ...(labels[index] ?? { who: null, what: null, path: null }),
      movement,
    }));
  },
  columns: () => STATEMENT_COLUMNS,
});

interface DeliveryRow {
  readonly delivery: DeliveryView;
  readonly webhook: string | null;
}

const STATUSES: Readonly<Record<DeliveryView['status'], MessageKey>> = {
  PENDING: 'dashboard.sending',
  DELIVERED: 'dashboard.delivered',
  FAILED: 'dashboard.failed',
};

const DELIVERY_COLUMNS: readonly Column<DeliveryRow>[] = [
  {
    heading: 'dashboard.exports.deliveryColumns.heading',
    value: ({ delivery }) => ({ at: delivery.createdAt }),
  },
  { heading: 'dashboard.webhook', value: ({ webhook }) => webhook },
  { heading: 'dashboard.event', value: ({ delivery }) => delivery.event },
  { heading: 'dashboard.status', value: ({ delivery }, say) => say(STATUSES[delivery.status]) },
  { heading: 'dashboard.attempts', value: ({ delivery }) => delivery.attemptsCount },
  {
    heading: 'dashboard.lastResponse',
    value: ({ delivery: { attempts } }) => attempts.at(-1)?.statusCode ?? null,
  },
  {
    heading: 'dashboard.exports.lastError',
    value: ({ delivery: { attempts } }, say) => {
      const error = attempts.at(-1)?.error ?? null;
      return error && failureWords(error, say);
    },
  },
  { heading: 'dashboard.exports.finishedAt', value: ({ delivery }) => ({ at: delivery.finishedAt }) },
  { heading: 'dashboard.about', value: ({ delivery }) => delivery.subjectIds.join(' ') },
  { heading: 'dashboard.exports.deliveryId', value: ({ delivery }) => delivery.id },
];

export const deliveriesSheet = sheet({
  id: 'deliveries',
  name: 'dashboard.exports.webhookDeliveries',
  file: 'dashboard.exports.deliveries',
  operation: deliveryOperations.list,
  days: ['from', 'to'],
  dated: 'dashboard.exports.created2',
  async rows({ em, caller }, items): Promise<readonly DeliveryRow[]> {
    const webhooks = await namedWebhooks(em, caller);
    return items.map((delivery) => ({ delivery, webhook: webhooks.get(delivery.webhookId)?.name ?? null }));
  },
  columns: () => DELIVERY_COLUMNS,
});
