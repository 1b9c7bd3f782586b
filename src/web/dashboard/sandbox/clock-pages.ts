import { clockOperations } from '../../../api/clock/routes.ts';
import type { ClockView } from '../../../api/clock/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, facts, link, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { expectedOf, previewOf, targetForms } from './clock-preview.ts';
import { redirectingTo } from './redirecting.ts';

const DEV_ONLY = { action: 'sandbox', devModeOnly: true } as const;

/** The clock's time and a link to advance it. */
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
    [say('Hora real', 'Real time'), time(visit, visit.now)],
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
    const isReady = clock.status === 'ready';
    const preview = isReady ? await previewOf(visit) : null;
    const problems = preview !== null && 'problems' in preview ? preview.problems : {};
    const isAhead = clock.movedFrom !== null && visit.storeNow > visit.now;
    const body = html`${section(say('Relógio', 'Clock'), isReady ? factsOf(visit, clock) : advancingClock(visit, clock))}
${isReady && section(say('Avançar', 'Advance'), targetForms(visit, problems))}
${preview !== null && 'expected' in preview && section(say('O que vai acontecer', 'What will happen'), expectedOf(visit, preview))}
${isReady && isAhead && section(say('Hora real', 'Real time'), resetPart(visit))}`;
    return page(visit, {
      title: say('Relógio de teste', 'Test clock'),
      active: 'sandbox',
      body,
      status: Object.keys(problems).length > 0 ? 422 : 200,
    });
  },
});

function resetPart(visit: Visit): Html {
  const { say } = visit;
  const dialog = formDialog(visit, {
    name: 'reset',
    button: say('Voltar à hora real', 'Return to real time'),
    style: 'quiet',
    title: say('Voltar o relógio à hora real?', 'Return the clock to real time?'),
    text: say(
      'O que foi criado com o relógio adiantado mantém as suas datas, e fica no alto das listas até lá.',
      'Objects created while the clock was ahead keep their dates, and stay first in lists until then.',
    ),
    action: '/sandbox/clock/reset',
    submit: say('Voltar à hora real', 'Return to real time'),
  });
  return html`<p>${say(
    'Só é possível quando nada em aberto espera pelo relógio: cobranças, checkouts, assinaturas, repasses.',
    'Possible only while nothing open waits for the clock: charges, checkouts, subscriptions, payouts.',
  )}</p>
<div class="buttons">${dialog}</div>`;
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

const reset = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/clock/reset',
  handler: (visit) =>
    redirectingTo(
      visit,
      '/sandbox/clock',
      visit.say('O relógio mostra a hora real.', 'The clock shows real time.'),
      () => carryOut(visit, clockOperations.reset, { subjectId: visit.store.id }),
    ),
});

/** The clock of the dev environment: previews, starts and stops an advance, and returns to real time. */
export const clockPages: readonly DashboardRoute[] = [ask, advance, cancel, reset];
