import type { ShownPayment } from '../../../api/payments/schema.ts';
import { METHODS } from '../../../charges/methods/index.ts';
import { type Html, html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

/** The actions that the payment's status and the reader's role allow. */
export function paymentButtons(
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
