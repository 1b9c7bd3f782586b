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
        submit: say('dashboard.payments.simulateThePayment'),
        style: 'quiet',
      }),
    );
  if (status === 'PENDING' && visit.can('sell') && METHODS[method].hasCode)
    buttons.push(cancelDialog(visit, id));
  if (status === 'PAID' && METHODS[method].refundRefusal === null && visit.can('refund'))
    buttons.push(refundDialog(visit, id, (paidAmount ?? 0) - refundedAmount));
  return buttons.length === 0 ? null : html`${buttons}`;
}

function cancelDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const cancel = say('dashboard.payments.cancelTheCharge');
  return formDialog(visit, {
    name: 'cancel',
    button: cancel,
    title: `${cancel}?`,
    text: say('dashboard.payments.cancelMeans'),
    action: `/payments/${id}/cancel`,
    isDangerous: true,
  });
}

function refundDialog(visit: Visit, id: string, leftCents: number): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'refund');
  const left = amount(leftCents);
  return formDialog(visit, {
    name: 'refund',
    button: say('dashboard.payments.refund'),
    title: say('dashboard.payments.refundThePayer'),
    text: say('dashboard.payments.upToCanBeRefunded', { left }),
    action: `/payments/${id}/refund`,
    fields: html`${fields.text({
      name: 'amount',
      label: say('dashboard.amount'),
      value: left.replace('R$', '').trim(),
      hint: say('dashboard.payments.suchAs10Or49'),
      required: false,
    })}${fields.text({
      name: 'reason',
      label: say('dashboard.payments.reasonOptional'),
      required: false,
      maxLength: 500,
    })}`,
    submit: say('dashboard.payments.refund2'),
    isDangerous: true,
  });
}
