import { chargeWorkflowId } from '../../../../workflows/charge.contract.ts';
import { notFound } from '../../../api/frame/errors.ts';
import { presentPayment } from '../../../api/payments/presenter.ts';
import { readPayments } from '../../../api/payments/read-payments.ts';
import type { ShownPayment } from '../../../api/payments/schema.ts';
import { METHODS } from '../../../charges/methods/index.ts';
import { wasPaid } from '../../../domain/charge.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyChip, facts, link, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { listening, livePart } from '../frame/live.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { customerNames } from '../lists/customer-names.ts';
import { amount, kindName, methodName, paymentBadge } from '../words.ts';
import { answersOf } from './answers.ts';
import { readPaymentTimeline } from './payment-timeline.ts';
import { timelineOf } from './timeline.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';
import { workflowFacts } from './workflow-facts.ts';

/** One payment: its details, its timeline and its actions. */
export const paymentDetail = dashboardRoute({
  method: 'GET',
  path: '/payments/:id',
  action: 'read',
  async handler(visit) {
    const { em, caller, say, deps, params } = visit;
    const listen = await listening(visit);
    const [row] = await readPayments(em, caller, [params.id as ChargeId]);
    if (row === undefined) throw notFound('Payment');
    const shown = presentPayment(row, { publicUrl: deps.publicUrl, showsPayer: true });
    const [paymentTimeline, workflow, names] = await Promise.all([
      readPaymentTimeline(em, row.charge),
      workflowFacts(visit, chargeWorkflowId(row.charge.id)),
      customerNames(visit, [shown.customerId]),
    ]);
    const customerName = names.get(shown.customerId ?? '') ?? null;
    const formatter = timelineFormatterOf(visit);
    const answers = answersOf(paymentTimeline, formatter).map(
      ({ tone, text }) => html`<div class="answer answer--${tone}"><p>${text}</p></div>\n`,
    );
    const happened = section(
      say('O que aconteceu', 'What happened'),
      timeline(visit, timelineOf(paymentTimeline, formatter)),
    );
    const body = html`${listen(shown.id, shown.checkoutId, shown.subscriptionId)}${livePart('answers', html`${answers}`)}
${livePart('actions', actions(visit, shown))}
${livePart('happened', happened)}
${section(say('Dados', 'Details'), details(visit, { ...shown, customerName }, workflow))}`;
    const title = `${methodName(shown.method, say)} · ${amount(shown.paidAmount ?? shown.amount)}`;
    return page(visit, {
      title,
      active: 'payments',
      body,
      actions: livePart('status', paymentBadge(shown, say)),
    });
  },
});

function timelineFormatterOf({ say, locale, now }: Visit): TimelineFormatter {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return { say, now, when: (at) => format.format(at) };
}

/** A timeline whose marks show what succeeded and what failed. */
export function timeline(visit: Visit, entries: readonly TimelineEntry[]): Html {
  const rows = entries.map(
    ({ at, tone, text, path }) =>
      html`<li class="timeline__${tone}">${time(visit, at)}<span>${path === null ? text : link(visit, path, text)}</span></li>\n`,
  );
  return html`<ol class="timeline">
${rows}</ol>`;
}

function details(
  visit: Visit,
  shown: ShownPayment & { readonly customerName: string | null },
  workflow: readonly (readonly [string, Html | string])[],
): Html {
  const { say } = visit;
  const rows: (readonly [string, Html | string] | null)[] = [
    ['Id', copyChip(visit, shown.id)],
    [say('Tipo', 'Kind'), kindName(shown.kind, say)],
    shown.externalId === null ? null : [say('Seu id', 'Your id'), shown.externalId],
    shown.description === null ? null : [say('Descrição', 'Description'), shown.description],
    shown.customerId === null
      ? null
      : [
          say('Cliente', 'Customer'),
          link(visit, `/customers/${shown.customerId}`, shown.customerName ?? shown.customerId),
        ],
    shown.checkoutId === null
      ? null
      : [say('Checkout', 'Checkout'), link(visit, `/checkouts/${shown.checkoutId}`, shown.checkoutId)],
    shown.subscriptionId === null
      ? null
      : [
          say('Assinatura', 'Subscription'),
          link(visit, `/subscriptions/${shown.subscriptionId}`, shown.subscriptionId),
        ],
    [say('Valor', 'Amount'), amount(shown.amount)],
    shown.discount === 0 ? null : [say('Desconto', 'Discount'), amount(shown.discount)],
    // Nothing was kept of a payment that was not made.
    wasPaid(shown.status) ? [say('Tarifa', 'Fee'), amount(shown.platformFee)] : null,
    shown.refundedAmount === 0 ? null : [say('Devolvido', 'Refunded'), amount(shown.refundedAmount)],
    shown.card?.lastFour
      ? [
          say('Cartão', 'Card'),
          `${shown.card.brand ?? ''} ${shown.card.lastFour} · ${shown.installmentsCount ?? 1}×`,
        ]
      : null,
    shown.endToEndIdentifier === null ? null : ['EndToEndId', shown.endToEndIdentifier],
    shown.receiptUrl === null
      ? null
      : [say('Comprovante', 'Receipt'), html`<a href="${shown.receiptUrl}">${say('Abrir', 'Open')}</a>`],
    ...workflow,
  ];
  return facts(rows.filter((row) => row !== null));
}

/** The actions that the payment's status and the reader's role allow. */
function actions(
  visit: Visit,
  { id, status, method, paidAmount, refundedAmount }: ShownPayment,
): Html | null {
  const { say } = visit;
  const buttons: Html[] = [];
  if (status === 'PENDING' && visit.devMode && METHODS[method].decidedBy !== 'ISSUER' && visit.can('sandbox'))
    buttons.push(
      form(visit, {
        action: `/payments/${id}/simulate`,
        submit: say('Simular pagamento', 'Simulate the payment'),
        style: 'quiet',
      }),
    );
  if (status === 'PENDING' && visit.can('sell') && METHODS[method].hasCode)
    buttons.push(
      form(visit, { action: `/payments/${id}/cancel`, submit: say('Cancelar', 'Cancel'), style: 'danger' }),
    );
  if (status === 'PAID' && METHODS[method].refundRefusal === null && visit.can('refund'))
    buttons.push(refundDialog(visit, id, (paidAmount ?? 0) - refundedAmount));
  return buttons.length === 0 ? null : html`<div class="buttons">${buttons}</div>`;
}

function refundDialog(visit: Visit, id: string, leftCents: number): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'refund');
  const left = amount(leftCents);
  return formDialog(visit, {
    name: 'refund',
    button: say('Reembolsar', 'Refund'),
    style: 'quiet',
    title: say('Devolver a quem pagou?', 'Refund the payer?'),
    text: say(
      `Até ${left} podem ser devolvidos. A tarifa volta na mesma proporção. Não dá para desfazer.`,
      `Up to ${left} can be refunded. The fee is refunded in proportion. This cannot be undone.`,
    ),
    action: `/payments/${id}/refund`,
    fields: html`${fields.text({
      name: 'amount',
      label: say('Valor', 'Amount'),
      value: left.replace('R$', '').trim(),
      hint: say('Como 10 ou 49,90. Vazio: tudo', 'Such as 10 or 49,90. Empty: all of it'),
      required: false,
    })}${fields.text({
      name: 'reason',
      label: say('Motivo (opcional)', 'Reason (optional)'),
      required: false,
      maxLength: 500,
    })}`,
    submit: say('Devolver', 'Refund'),
    isDangerous: true,
  });
}
