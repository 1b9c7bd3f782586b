import type { Operation } from '../../../api/frame/route.ts';
import { validated } from '../../../api/frame/validation.ts';
import type { ShownPreview } from '../../../api/subscriptions/preview-view.ts';
import { previewSubscriptionRoute } from '../../../api/subscriptions/routes.ts';
import { facts } from '../../frame/facts.ts';
import { type Html, html } from '../../frame/html.ts';
import { dayText } from '../../i18n/dates.ts';
import { read } from '../frame/operation.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

/** The part of `subscriptions/preview` that says what is intended. */
export type PreviewedAction = 'changePlan' | 'update' | 'cancel';

/** The button that previews a form of a subscription's page. @param name the form's. */
export function previewButton({ say }: Visit, id: string, name: string): { action: string; button: string } {
  return {
    action: `/subscriptions/${id}/${name}/preview`,
    button: say('dashboard.subscriptions.seeTheCharges'),
  };
}

/**
 * What the operation of a form would charge, line by line, as `subscriptions/preview` says it.
 * @param body the operation's, with the id of the subscription.
 * @throws ApiError for every field that the operation itself would refuse.
 */
export async function chargePreview(
  visit: Visit,
  { operation, action, body }: { operation: Operation<unknown>; action: PreviewedAction; body: object },
): Promise<Html> {
  // The operation names a wrong field as the form does; a preview has it one level deeper.
  if (operation.body !== null) validated(operation.body, body);
  const { id, ...terms } = body as { readonly id?: string };
  const preview = await read(visit, previewSubscriptionRoute, { body: { id, [action]: terms } });
  return renderPreview(visit, preview);
}

function renderPreview({ say, locale }: Visit, { charges, credit }: ShownPreview): Html {
  return html`<section class="charge-preview" role="status" tabindex="-1" data-preview>
<h3>${say('dashboard.subscriptions.whatWillBeCharged')}</h3>
${charges.map(
  (charge) => html`<p><strong>${dayText(locale, charge.at)}: ${amount(charge.amount)}</strong></p>
${facts(charge.lines.map((line) => [lineText(line, say), amount(line.amount)] as const))}`,
)}
${charges.length === 0 && html`<p>${say('dashboard.subscriptions.nothingIsCharged')}</p>`}
${credit > 0 && html`<p>${say('dashboard.subscriptions.creditIsLeft', { amount: amount(credit) })}</p>`}
${credit < 0 && html`<p>${say('dashboard.subscriptions.smallAmountIsAdded', { amount: amount(-credit) })}</p>`}
</section>`;
}

function lineText(
  { type, description }: ShownPreview['charges'][number]['lines'][number],
  say: Visit['say'],
): string {
  if (type === 'discount') return say('dashboard.discount');
  if (type === 'credit') return say('dashboard.subscriptions.credit');
  if (type !== 'usage') return description ?? say('dashboard.plan');
  const usage = say('dashboard.subscriptions.usage');
  return description === null ? usage : `${usage}: ${description}`;
}
