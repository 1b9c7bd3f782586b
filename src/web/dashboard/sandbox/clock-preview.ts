import { clockOperations } from '../../../api/clock/routes.ts';
import type { AdvanceView } from '../../../api/clock/schema.ts';
import { ApiError } from '../../../api/frame/errors.ts';
import { saoPauloDateOf } from '../../../domain/civil-date.ts';
import { facts } from '../../frame/facts.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { read } from '../frame/operation.ts';
import { problemsOf, refusalText } from '../frame/refusals.ts';
import type { Visit } from '../frame/visit.ts';

/** The spans with a button of their own. */
const USUAL = ['P1D', 'P1W', 'P1M'] as const;

/** Buttons for the usual spans, and forms for others and for a day. All of them only preview. */
export function targetForms(visit: Visit, problems: Problems): Html {
  const { say, query, path } = visit;
  const names = {
    P1D: say('dashboard.sandbox.1Day'),
    P1W: say('dashboard.sandbox.1Week'),
    P1M: say('dashboard.sandbox.1Month'),
  };
  const preview = html`<button class="button button--quiet">${say('dashboard.sandbox.seeWhatWillHappen')}</button>`;
  return html`<div class="buttons">${USUAL.map((span) => html`<a class="button button--quiet" href="${path}?by=${span}">+ ${names[span]}</a>\n`)}</div>
<form class="filters" method="get" action="${path}">
${selectField({
  name: 'by',
  label: say('dashboard.sandbox.howLong'),
  value: query.get('by') ?? '',
  problems,
  options: [
    ['PT1H', say('dashboard.sandbox.1Hour')],
    ...USUAL.map((span) => [span, names[span]] as const),
    ['P3M', say('dashboard.sandbox.3Months')],
    ['P1Y', say('dashboard.sandbox.1Year')],
    ['P5Y', say('dashboard.sandbox.5Years')],
  ],
})}
${preview}
</form>
<form class="filters" method="get" action="${path}">
${textField({
  name: 'to',
  label: say('dashboard.sandbox.toTheEndOfThe'),
  type: 'date',
  value: query.get('to') ?? saoPauloDateOf(visit.storeNow),
  problems,
})}
${preview}
</form>`;
}

/** What the advance in the URL would do, or why it is impossible; null if the URL has none. */
export async function previewOf(visit: Visit): Promise<AdvanceView | { readonly problems: Problems } | null> {
  const { query, say } = visit;
  const [by, to] = [query.get('by') ?? '', query.get('to') ?? ''];
  if (by === '' && to === '') return null;
  try {
    const target = by === '' ? { to } : { by };
    return await read(visit, clockOperations.advance, { body: { ...target, preview: true } });
  } catch (error) {
    // Someone else has just started to advance it.
    if (error instanceof ApiError && error.code === 'CLOCK_ADVANCING')
      return { problems: { by: refusalText(error, say) } };
    const isPast =
      error instanceof ApiError && error.code === 'NOT_ACCEPTABLE' && error.details.rule === undefined;
    return { problems: isPast ? { to: onlyForward(visit) } : problemsOf(error, say) };
  }
}

function onlyForward({ say }: Visit): string {
  return say('dashboard.sandbox.theClockOnlyMovesForward');
}

/** The known effects of an advance, and the button that starts it. */
export function expectedOf(visit: Visit, { expected }: AdvanceView): Html {
  const { say } = visit;
  const { target, cycles, expiries } = expected;
  return html`${facts([
    [say('dashboard.sandbox.theClockGoesTo'), time(visit, target)],
    [say('dashboard.sandbox.cyclesOfSubscriptions'), String(cycles)],
    [say('dashboard.sandbox.chargesAndCheckoutsThatExpire'), String(expiries)],
  ])}
${form(visit, {
  action: '/sandbox/clock/advance',
  fields: html`<input type="hidden" name="to" value="${target}">`,
  submit: say('dashboard.sandbox.advance'),
})}`;
}
