import { clockOperations } from '../../../api/clock/routes.ts';
import type { ClockView } from '../../../api/clock/schema.ts';
import { facts } from '../../frame/facts.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, linkButton, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { expectedOf, previewOf, targetForms } from './clock-preview.ts';
import { redirectingTo } from './redirecting.ts';

const DEV_ONLY = { action: 'sandbox', devModeOnly: true } as const;

/** The clock's time and a button to advance it. */
export async function clockPanel(visit: Visit): Promise<Html> {
  const clock = await read(visit, clockOperations.get);
  return clock.status === 'advancing'
    ? advancingClock(visit, clock)
    : html`${factsOf(visit, clock)}
<div class="buttons">${linkButton(visit, '/sandbox/clock', visit.say('dashboard.sandbox.advance'))}</div>`;
}

/** How far the clock has advanced, and what stops it. */
function advancingClock(visit: Visit, clock: ClockView): Html {
  const { say } = visit;
  return html`${factsOf(visit, clock)}
<p><a href="${visit.path}">${say('dashboard.sandbox.refresh')}</a></p>
${form(visit, {
  action: '/sandbox/clock/cancel',
  submit: say('dashboard.sandbox.stopNow'),
  style: 'quiet',
})}`;
}

function factsOf(visit: Visit, { status, now, target, steps, waitsFor }: ClockView): Html {
  const { say } = visit;
  const state =
    status === 'ready'
      ? badge('good', say('dashboard.sandbox.running'))
      : badge('waiting', say('dashboard.sandbox.advancing'));
  return facts([
    [say('dashboard.sandbox.shows'), html`${time(visit, now)} ${state}`],
    [say('dashboard.sandbox.realTime'), time(visit, visit.now)],
    ...(target === null ? [] : [[say('dashboard.sandbox.goesTo'), time(visit, target)] as const]),
    ...(status === 'ready' ? [] : [[say('dashboard.sandbox.stopsSoFar'), String(steps)] as const]),
    ...(waitsFor === null
      ? []
      : [[say('dashboard.sandbox.waitsFor'), html`<code>${waitsFor}</code>`] as const]),
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
    const body = html`${section(say('dashboard.sandbox.clock'), isReady ? factsOf(visit, clock) : advancingClock(visit, clock))}
${isReady && section(say('dashboard.sandbox.advance'), targetForms(visit, problems))}
${preview !== null && 'expected' in preview && section(say('dashboard.sandbox.whatWillHappen'), expectedOf(visit, preview))}
${isReady && isAhead && section(say('dashboard.sandbox.realTime'), resetPart(visit))}`;
    return page(visit, {
      title: say('dashboard.testClock'),
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
    button: say('dashboard.sandbox.returnToRealTime'),
    style: 'quiet',
    title: say('dashboard.sandbox.returnTheClockToReal'),
    text: say('dashboard.sandbox.objectsCreatedWhileTheClock'),
    action: '/sandbox/clock/reset',
  });
  return html`<p>${say('dashboard.sandbox.possibleOnlyWhileNothingOpen')}</p>
<div class="buttons">${dialog}</div>`;
}

const advance = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/clock/advance',
  handler: (visit) =>
    redirectingTo(visit, '/sandbox/clock', visit.say('dashboard.sandbox.theClockIsBeingAdvanced'), () =>
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
    redirectingTo(visit, '/sandbox/clock', visit.say('dashboard.sandbox.theClockHasStopped'), () =>
      carryOut(visit, clockOperations.cancel, { subjectId: visit.store.id }),
    ),
});

const reset = dashboardRoute({
  ...DEV_ONLY,
  method: 'POST',
  path: '/sandbox/clock/reset',
  handler: (visit) =>
    redirectingTo(visit, '/sandbox/clock', visit.say('dashboard.sandbox.theClockShowsRealTime'), () =>
      carryOut(visit, clockOperations.reset, { subjectId: visit.store.id }),
    ),
});

/** The clock of the dev environment: previews, starts and stops an advance, and returns to real time. */
export const clockPages: readonly DashboardRoute[] = [ask, advance, cancel, reset];
