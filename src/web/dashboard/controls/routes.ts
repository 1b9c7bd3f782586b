import type { PayoutControls } from '../../../domain/payout-controls.ts';
import { requireSecondFactorOfEverybody } from '../../../identity/store-second-factor.ts';
import {
  lockPayoutControls,
  payoutControlsOf,
  savePayoutControls,
} from '../../../payouts/payout-controls.ts';
import { holdAuthority } from '../frame/money-wait.ts';
import {
  type DashboardRoute,
  dashboardRoute,
  Refusal,
  type Reply,
  refused,
  seeOther,
} from '../frame/route.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { CONTROL_NAMES, controlsIn, typedIn } from './controls-form.ts';
import { fingerprintOf, renderControls } from './controls-page.ts';
import { renderEverybody } from './everybody-page.ts';

const show = dashboardRoute({
  method: 'GET',
  path: '/controls',
  action: 'payout-controls',
  handler: (visit) => renderControls(visit),
});

/** Someone else has changed the controls since the form was rendered. Saving it would silently undo that change. */
class ChangedMeanwhile extends Error {}

const save = dashboardRoute({
  method: 'POST',
  path: '/controls',
  action: 'payout-controls',
  async handler(visit) {
    const { say, user, caller, em } = visit;
    const typed = typedIn(visit);
    const after = controlsIn(visit, typed);
    if ('problems' in after) return renderControls(visit, { typed, problems: after.problems });
    const before = await payoutControlsOf(em, caller);
    if (fingerprintOf(before) !== visit.field('seen')) return changedMeanwhile(visit);
    if (after.requiresSecondFactor && !user.hasSecondFactor) {
      const own = say('dashboard.controls.firstSwitchYoursOnUnder');
      return renderControls(visit, { typed, problems: { requiresSecondFactor: own } });
    }
    const needsCode = user.hasSecondFactor || before.requiresSecondFactor;
    const wrong = await stepUpProblem(visit, { needsCode });
    if (wrong !== null) return renderControls(visit, { typed, problems: wrong });
    try {
      await replace(visit, before, after);
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return changedMeanwhile(visit);
      throw error;
    }
    return seeOther(visit.link('/controls'), say('dashboard.saved'));
  },
});

/** @throws ChangedMeanwhile */
async function replace(visit: Visit, before: PayoutControls, after: PayoutControls): Promise<void> {
  const changed = CONTROL_NAMES.filter((name) => before[name] !== after[name]);
  const details = Object.fromEntries(changed.map((name) => [name, after[name]]));
  const work = async (em: Visit['em']) => {
    await holdAuthority(em, visit, 'payout-controls', 'of environment');
    if (fingerprintOf(await lockPayoutControls(em, visit.caller)) !== fingerprintOf(before))
      throw new ChangedMeanwhile();
    await savePayoutControls(em, visit.caller, after, visit.now);
    return visit.store.id;
  };
  await visit.act('stores/payout-controls', 'of environment', work, details);
}

function changedMeanwhile(visit: Visit): Reply {
  const why = visit.say('dashboard.controls.someoneElseChangedTheControls');
  return refused(visit.link('/controls'), why);
}

const showEverybody = dashboardRoute({
  method: 'GET',
  path: '/controls/second-factor',
  action: 'payout-controls',
  handler: (visit) => renderEverybody(visit),
});

const requireOfEverybody = dashboardRoute({
  method: 'POST',
  path: '/controls/second-factor',
  action: 'payout-controls',
  async handler(visit) {
    const { say, store, user } = visit;
    const isRequired = visit.field('required') === 'yes';
    const wrong = await stepUpProblem(visit, { needsCode: true });
    if (wrong !== null) return renderEverybody(visit, wrong, 422);
    const work = async (em: Visit['em']) => {
      await holdAuthority(em, visit, 'payout-controls', 'of store');
      if (!(await requireSecondFactorOfEverybody(em, store.id, { by: user.id, isRequired })))
        throw new Refusal(422, 'dashboard.controls.firstSwitchYourSecondFactor');
      return store.id;
    };
    await visit.act('stores/second-factor', 'of store', work, { isRequired });
    const done = isRequired
      ? say('dashboard.controls.theSecondFactorIsNow')
      : say('dashboard.controls.theSecondFactorIsNo');
    return seeOther(visit.link('/controls'), done);
  },
});

/** The limits on outgoing money, and who needs a second factor. */
export const controlPages: readonly DashboardRoute[] = [show, save, showEverybody, requireOfEverybody];
