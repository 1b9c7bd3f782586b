import { clockOperations } from '../../../api/clock/routes.ts';
import type { AdvanceView, ClockView } from '../../../api/clock/schema.ts';
import { ApiError } from '../../../api/frame/errors.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, facts, link, section, time } from '../frame/components.ts';
import { form, type Problems, selectField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { problemsOf, refusalText } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { redirectingTo } from './redirecting.ts';

const DEV_ONLY = { action: 'sandbox', devModeOnly: true } as const;

/** The clock's time and a form to advance it. */
export async function clockPanel(visit: Visit): Promise<Html> {
  const clock = await read(visit, clockOperations.get);
  return clock.status === 'advancing'
    ? advancingClock(visit, clock)
    : html`${factsOf(visit, clock)}
<p>${link(visit, '/sandbox/clock', visit.say('Avançar…', 'Advance…'))}</p>`;
}

/** How far the clock has advanced, and what stops it. */
function advancingClock(visit: Visit, clock: ClockView): Html {
  const { say } = visit;
  return html`${factsOf(visit, clock)}
<p><a href="${visit.path}">${say('Atualizar', 'Refresh')}</a></p>
${form(visit, {
  action: '/sandbox/clock/cancel',
  submit: say('Parar onde está', 'Stop now'),
  style: 'quiet',
})}`;
}

function factsOf(visit: Visit, { status, now, target, steps, waitsFor }: ClockView): Html {
  const { say } = visit;
  const state =
    status === 'ready'
      ? badge('good', say('Anda', 'Running'))
      : badge('waiting', say('Avançando', 'Advancing'));
  return facts([
    [say('Mostra', 'Shows'), html`${time(visit, now)} ${state}`],
    ...(target === null ? [] : [[say('Vai até', 'Goes to'), time(visit, target)] as const]),
    ...(status === 'ready' ? [] : [[say('Paradas até agora', 'Stops so far'), String(steps)] as const]),
    ...(waitsFor === null ? [] : [[say('Espera por', 'Waits for'), html`<code>${waitsFor}</code>`] as const]),
  ]);
}

const ask = dashboardRoute({
  ...DEV_ONLY,
  method: 'GET',
  path: '/sandbox/clock',
  async handler(visit) {
    const { say } = visit;
    const clock = await read(visit, clockOperations.get);
    const by = visit.query.get('by') ?? '';
    const isReady = clock.status === 'ready';
    const preview = isReady && by !== '' ? await previewOf(visit, by) : null;
    const problems = preview !== null && 'problems' in preview ? preview.problems : {};
    const body = html`${section(
      say('Relógio', 'Clock'),
      isReady
        ? html`${factsOf(visit, clock)}\n${spanForm(visit, by, problems)}`
        : advancingClock(visit, clock),
    )}
${preview !== null && 'expected' in preview && section(say('O que vai acontecer', 'What will happen'), expectedOf(visit, preview))}`;
    return page(visit, {
      title: say('Avançar o relógio', 'Advance the clock'),
      active: 'sandbox',
      body,
      status: Object.keys(problems).length > 0 ? 422 : 200,
    });
  },
});

/** What an advance would do, or why the input is invalid. */
async function previewOf(visit: Visit, by: string): Promise<AdvanceView | { readonly problems: Problems }> {
  try {
    return await read(visit, clockOperations.advance, { body: { by, preview: true } });
  } catch (error) {
    // Someone else has just started to advance it.
    if (error instanceof ApiError && error.code === 'CLOCK_ADVANCING')
      return { problems: { by: refusalText(error, visit.say) } };
    return { problems: problemsOf(error, visit.say) };
  }
}

function spanForm(visit: Visit, by: string, problems: Problems): Html {
  const { say } = visit;
  return html`<form class="filters" method="get" action="${visit.path}">
${selectField({
  name: 'by',
  label: say('Quanto tempo', 'How long'),
  value: by,
  problems,
  options: [
    ['PT1H', say('1 hora', '1 hour')],
    ['P1D', say('1 dia', '1 day')],
    ['P1W', say('1 semana', '1 week')],
    ['P1M', say('1 mês', '1 month')],
    ['P3M', say('3 meses', '3 months')],
    ['P1Y', say('1 ano', '1 year')],
    ['P5Y', say('5 anos', '5 years')],
  ],
})}
<button class="button button--quiet">${say('Ver o que vai acontecer', 'See what will happen')}</button>
</form>`;
}

function expectedOf(visit: Visit, { expected }: AdvanceView): Html {
  const { say } = visit;
  const { target, cycles, expiries } = expected;
  return html`${facts([
    [say('O relógio vai até', 'The clock goes to'), time(visit, target)],
    [say('Ciclos de assinaturas', 'Cycles of subscriptions'), String(cycles)],
    [say('Cobranças e checkouts que expiram', 'Charges and checkouts that expire'), String(expiries)],
  ])}
${form(visit, {
  action: '/sandbox/clock/advance',
  fields: html`<input type="hidden" name="to" value="${target}">`,
  submit: say('Avançar', 'Advance'),
})}`;
}

const advance = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/clock/advance',
  handler: (visit) =>
    redirectingTo(
      visit,
      '/sandbox/clock',
      visit.say('O relógio está avançando.', 'The clock is being advanced.'),
      () =>
        carryOut(visit, clockOperations.advance, {
          body: { to: visit.field('to') },
          subjectId: visit.store.id,
        }),
    ),
});

const cancel = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/clock/cancel',
  handler: (visit) =>
    redirectingTo(
      visit,
      '/sandbox/clock',
      visit.say('O relógio parou onde estava.', 'The clock has stopped.'),
      () => carryOut(visit, clockOperations.cancel, { subjectId: visit.store.id }),
    ),
});

/** The clock of the dev environment: previews, starts and stops an advance. */
export const clockPages: readonly DashboardRoute[] = [ask, advance, cancel];
