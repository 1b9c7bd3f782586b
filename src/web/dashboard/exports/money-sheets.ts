import { listMovements } from '../../../api/balance/routes.ts';
import type { ShownMovement } from '../../../api/balance/schema.ts';
import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import { listPayouts } from '../../../api/payouts/routes.ts';
import type { ShownPayout, ShownTransfer } from '../../../api/payouts/schema.ts';
import { listTransfers } from '../../../api/pix/routes.ts';
import { webhookNames } from '../../../webhooks/webhook-names.ts';
import { type MovementLabel, movementLabels } from '../balance/movement-labels.ts';
import { ACCOUNTS, MOVEMENTS } from '../balance/movement-words.ts';
import { payoutStatusName } from '../balance/payout-status.ts';
import { type Column, sheet } from './sheet.ts';

const CREATED = ['createdFrom', 'createdTo'] as const;

const SENT: readonly Column<Omit<ShownPayout, 'kind'>>[] = [
  { heading: ['Criado em', 'Created at'], value: ({ createdAt }) => ({ at: createdAt }) },
  { heading: ['Valor', 'Amount'], value: ({ amount }) => ({ cents: amount }) },
  { heading: ['Taxa', 'Fee'], value: ({ platformFee }) => ({ cents: platformFee }) },
  { heading: ['Devolvido', 'Came back'], value: ({ returnedAmount }) => ({ cents: returnedAmount }) },
  { heading: ['Situação', 'Status'], value: ({ status }, say) => payoutStatusName(status, say) },
  { heading: ['Motivo da falha', 'Why it failed'], value: ({ reason }) => reason },
  { heading: ['Descrição', 'Description'], value: ({ description }) => description },
  { heading: ['Seu id', 'Your id'], value: ({ externalId }) => externalId },
  { heading: ['Id', 'Id'], value: ({ id }) => id },
  { heading: ['Id do Pix', 'Pix id'], value: ({ endToEndIdentifier }) => endToEndIdentifier },
];

export const payoutsSheet = sheet<ShownPayout, ShownPayout>({
  id: 'payouts',
  name: ['Repasses para a conta da loja', 'Payouts to the store’s account'],
  file: ['repasses', 'payouts'],
  operation: listPayouts,
  days: CREATED,
  dated: ['criados', 'created'],
  rows: async (_, items) => items,
  columns: () => SENT,
});

export const transfersSheet = sheet<ShownTransfer, ShownTransfer>({
  id: 'transfers',
  name: ['Transferências para chaves Pix', 'Transfers to Pix keys'],
  file: ['transferencias', 'transfers'],
  operation: listTransfers,
  days: CREATED,
  dated: ['criadas', 'created'],
  rows: async (_, items) => items,
  columns: (visit) => [
    ...SENT,
    ...(visit.can('payout-targets:read')
      ? [{ heading: ['Chave Pix', 'Pix key'], value: ({ pix }) => pix.key } satisfies Column<ShownTransfer>]
      : []),
  ],
});

interface StatementRow extends MovementLabel {
  readonly movement: ShownMovement;
}

const STATEMENT_COLUMNS: readonly Column<StatementRow>[] = [
  { heading: ['Quando', 'When'], value: ({ movement }) => ({ at: movement.createdAt }) },
  { heading: ['Saldo', 'Balance'], value: ({ movement }, say) => say(...ACCOUNTS[movement.account]) },
  { heading: ['Movimento', 'Movement'], value: ({ movement }, say) => say(...MOVEMENTS[movement.kind]) },
  { heading: ['Quem', 'Who'], value: ({ who }) => who },
  { heading: ['O quê', 'What'], value: ({ what }) => what },
  { heading: ['Valor', 'Amount'], value: ({ movement }) => ({ cents: movement.amount }) },
  { heading: ['Taxa', 'Fee'], value: ({ movement }) => ({ cents: movement.platformFee }) },
  { heading: ['Saldo depois', 'Balance after'], value: ({ movement }) => ({ cents: movement.balanceAfter }) },
  {
    heading: ['Id do pagamento ou repasse', 'Id of the payment or payout'],
    value: ({ movement: { paymentId, payoutId, transferId } }) => paymentId ?? payoutId ?? transferId,
  },
];

export const statementSheet = sheet({
  id: 'statement',
  name: ['Extrato: cada mudança do saldo', 'Statement: each change of the balance'],
  file: ['extrato', 'statement'],
  operation: listMovements,
  days: ['from', 'to'],
  dated: ['lançados', 'booked'],
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

const STATUSES: Readonly<Record<DeliveryView['status'], readonly [string, string]>> = {
  PENDING: ['Enviando', 'Sending'],
  DELIVERED: ['Entregue', 'Delivered'],
  FAILED: ['Falhou', 'Failed'],
};

const DELIVERY_COLUMNS: readonly Column<DeliveryRow>[] = [
  { heading: ['Criada em', 'Created at'], value: ({ delivery }) => ({ at: delivery.createdAt }) },
  { heading: ['Webhook', 'Webhook'], value: ({ webhook }) => webhook },
  { heading: ['Evento', 'Event'], value: ({ delivery }) => delivery.event },
  { heading: ['Situação', 'Status'], value: ({ delivery }, say) => say(...STATUSES[delivery.status]) },
  { heading: ['Tentativas', 'Attempts'], value: ({ delivery }) => delivery.attemptsCount },
  {
    heading: ['Última resposta', 'Last response'],
    value: ({ delivery: { attempts } }) => attempts.at(-1)?.statusCode ?? null,
  },
  {
    heading: ['Último erro', 'Last error'],
    value: ({ delivery: { attempts } }) => attempts.at(-1)?.error ?? null,
  },
  { heading: ['Terminou em', 'Finished at'], value: ({ delivery }) => ({ at: delivery.finishedAt }) },
  { heading: ['Sobre', 'About'], value: ({ delivery }) => delivery.subjectIds.join(' ') },
  { heading: ['Id da entrega', 'Delivery id'], value: ({ delivery }) => delivery.id },
];

export const deliveriesSheet = sheet({
  id: 'deliveries',
  name: ['Entregas de webhooks', 'Webhook deliveries'],
  file: ['entregas', 'deliveries'],
  operation: deliveryOperations.list,
  days: ['from', 'to'],
  dated: ['criadas', 'created'],
  async rows({ em, caller }, items): Promise<readonly DeliveryRow[]> {
    const names = await webhookNames(em, caller);
    return items.map((delivery) => ({ delivery, webhook: names.get(delivery.webhookId) ?? null }));
  },
  columns: () => DELIVERY_COLUMNS,
});
