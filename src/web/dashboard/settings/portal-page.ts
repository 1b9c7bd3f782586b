import { plansSold } from '../../../api/products/queries.ts';
import type { Product } from '../../../database/entities/product.ts';
import {
  MOST_OFFERED_PLANS,
  MOST_PAUSE_DAYS,
  PORTAL_CANCELLATIONS,
  type PortalCancellation,
  type PortalSettings,
} from '../../../domain/portal-settings.ts';
import { portalSettingsOf, savePortalSettings } from '../../../stores/portal-settings.ts';
import { checkboxes, type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, perCycle } from '../words.ts';
import { settingsTabs } from './settings-tabs.ts';

/** The form's fields as text. */
interface Typed {
  readonly portalCancellation: string;
  readonly portalUndo: string;
  readonly portalPauseDays: string;
  readonly portalCard: string;
  readonly portalMethod: string;
  readonly portalDetails: string;
  readonly portalEmail: string;
  readonly portalRefund: string;
  readonly portalPlans: readonly string[];
  readonly portalUpgrades: string;
}

/** The page lists so many plans, the newest ones. */
const MOST_LISTED = 100;

export const CANCELLATION_NAMES: Readonly<Record<PortalCancellation, MessageKey>> = {
  NEVER: 'dashboard.settings.portal.never',
  AT_PERIOD_END: 'dashboard.settings.portal.atPeriodEnd',
  NOW: 'dashboard.settings.portal.atPeriodEndOrNow',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/settings/portal',
  action: 'settings',
  async handler(visit) {
    return render(visit, typedOf(await portalSettingsOf(visit.em, visit.caller)));
  },
});

function typedOf(settings: PortalSettings): Typed {
  return {
    portalCancellation: settings.cancellation,
    portalUndo: yesOrNo(settings.undoesCancellation),
    portalPauseDays: String(settings.longestPauseDays ?? ''),
    portalCard: yesOrNo(settings.changesCard),
    portalMethod: yesOrNo(settings.changesMethod),
    portalDetails: yesOrNo(settings.changesDetails),
    portalEmail: yesOrNo(settings.changesEmail),
    portalRefund: yesOrNo(settings.asksForRefunds),
    portalPlans: settings.offeredPlanIds,
    portalUpgrades: yesOrNo(settings.upgradesAtOnce),
  };
}

function yesOrNo(isOn: boolean): 'yes' | 'no' {
  return isOn ? 'yes' : 'no';
}

async function render(visit: Visit, typed: Typed, problems: Problems = {}): Promise<Reply> {
  const { say, devMode } = visit;
  const choice = (
    name: 'portalUndo' | 'portalCard' | 'portalMethod' | 'portalDetails' | 'portalEmail' | 'portalRefund',
    label: MessageKey,
  ) =>
    selectField({
      name,
      label: say(label),
      value: typed[name],
      options: [
        ['yes', say('dashboard.settings.portal.yes')],
        ['no', say('dashboard.settings.portal.no')],
      ],
      problems,
    });
  const fields = html`${selectField({
    name: 'portalCancellation',
    label: say('dashboard.settings.portal.cancellation'),
    value: typed.portalCancellation,
    options: PORTAL_CANCELLATIONS.map((each) => [each, say(CANCELLATION_NAMES[each])] as const),
    problems,
  })}
${choice('portalUndo', 'dashboard.settings.portal.undo')}
${textField({
  name: 'portalPauseDays',
  label: say('dashboard.settings.portal.pauseDays'),
  hint: say('dashboard.settings.portal.pauseDaysHint'),
  value: typed.portalPauseDays,
  required: false,
  maxLength: 3,
  problems,
})}
${choice('portalCard', 'dashboard.settings.portal.card')}
${choice('portalMethod', 'dashboard.settings.portal.method')}
${choice('portalDetails', 'dashboard.settings.portal.details')}
${choice('portalEmail', 'dashboard.settings.portal.email')}
${choice('portalRefund', 'dashboard.settings.portal.refund')}
${await planFields(visit, typed, problems)}`;
  const intro = say(
    devMode ? 'dashboard.settings.portal.forTheTest' : 'dashboard.settings.portal.forProduction',
  );
  const title = say('dashboard.settings.portal.title');
  const body = html`${settingsTabs(visit)}<p>${intro}</p>
${form(visit, { action: '/settings/portal', fields, submit: say('dashboard.save') })}`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title, active: 'settings', body, status });
}

/** The plans that the store sells, and when a more expensive one starts. */
async function planFields(visit: Visit, typed: Typed, problems: Problems): Promise<Html> {
  const { say } = visit;
  const plans = await plansSold(visit.em, visit.caller, MOST_LISTED);
  if (plans.length === 0) return html`<p class="soft">${say('dashboard.settings.portal.noPlans')}</p>`;
  const labelOf = ({ name, priceCents, cycle }: Product) =>
    `${name}, ${amount(priceCents)}${cycle === null ? '' : ` ${perCycle(cycle, say)}`}`;
  const labels = new Map(plans.map((plan) => [plan.id, labelOf(plan)]));
  return html`${checkboxes({
    name: 'portalPlans',
    legend: say('dashboard.settings.portal.plans'),
    hint: say('dashboard.settings.portal.plansHint'),
    options: [...labels.keys()],
    labelOf: (id) => labels.get(id) ?? id,
    chosen: typed.portalPlans,
    problems,
  })}
${selectField({
  name: 'portalUpgrades',
  label: say('dashboard.settings.portal.upgrades'),
  value: typed.portalUpgrades,
  options: [
    ['no', say('dashboard.settings.portal.upgradesLater')],
    ['yes', say('dashboard.settings.portal.upgradesAtOnce')],
  ],
  problems,
})}`;
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings/portal',
  action: 'settings',
  async handler(visit) {
    const typed: Typed = {
      portalCancellation: visit.field('portalCancellation'),
      portalUndo: visit.field('portalUndo'),
      portalPauseDays: visit.field('portalPauseDays'),
      portalCard: visit.field('portalCard'),
      // A page of the earlier release has no such fields.
      portalMethod: visit.form.get('portalMethod') ?? 'no',
      portalDetails: visit.form.get('portalDetails') ?? 'no',
      portalEmail: visit.form.get('portalEmail') ?? 'no',
      portalRefund: visit.field('portalRefund'),
      portalPlans: visit.form.getAll('portalPlans'),
      portalUpgrades: visit.form.get('portalUpgrades') ?? 'no',
    };
    const settings = settingsIn(visit, typed, await plansSold(visit.em, visit.caller, MOST_LISTED));
    if ('problems' in settings) return render(visit, typed, settings.problems);
    const work = async (em: Visit['em']) => {
      await savePortalSettings(em, visit.caller, settings, visit.now);
      return visit.store.id;
    };
    await visit.act('settings/portal', 'of environment', work, { ...settings });
    return seeOther(visit.link('/settings/portal'), visit.say('dashboard.saved'));
  },
});

/** The settings that were typed, or what is wrong with them by field. */
function settingsIn(
  { say }: Visit,
  typed: Typed,
  plans: readonly Product[],
): PortalSettings | { readonly problems: Problems } {
  const cancellation = PORTAL_CANCELLATIONS.find((each) => each === typed.portalCancellation);
  const days = typed.portalPauseDays === '' ? null : Number(typed.portalPauseDays);
  const isPossible = days === null || (Number.isInteger(days) && days >= 1 && days <= MOST_PAUSE_DAYS);
  const choose = say('dashboard.settings.portal.chooseOne');
  const offeredPlanIds = plans.map(({ id }) => id).filter((id) => typed.portalPlans.includes(id));
  const isUnknown = offeredPlanIds.length !== new Set(typed.portalPlans).size;
  const arePlansWrong = isUnknown || offeredPlanIds.length > MOST_OFFERED_PLANS;
  const problems = {
    ...(cancellation === undefined && { portalCancellation: choose }),
    ...(!isChoice(typed.portalUndo) && { portalUndo: choose }),
    ...(!isPossible && {
      portalPauseDays: say('dashboard.settings.portal.writeDays', { most: MOST_PAUSE_DAYS }),
    }),
    ...(!isChoice(typed.portalCard) && { portalCard: choose }),
    ...(!isChoice(typed.portalMethod) && { portalMethod: choose }),
    ...(!isChoice(typed.portalDetails) && { portalDetails: choose }),
    ...(!isChoice(typed.portalEmail) && { portalEmail: choose }),
    ...(!isChoice(typed.portalRefund) && { portalRefund: choose }),
    ...(arePlansWrong && {
      portalPlans: say('dashboard.settings.portal.mostPlans', { most: MOST_OFFERED_PLANS }),
    }),
    ...(!isChoice(typed.portalUpgrades) && { portalUpgrades: choose }),
  };
  if (cancellation === undefined || Object.keys(problems).length > 0) return { problems };
  return {
    cancellation,
    undoesCancellation: typed.portalUndo === 'yes',
    longestPauseDays: days,
    changesCard: typed.portalCard === 'yes',
    changesMethod: typed.portalMethod === 'yes',
    changesDetails: typed.portalDetails === 'yes',
    changesEmail: typed.portalEmail === 'yes',
    asksForRefunds: typed.portalRefund === 'yes',
    offeredPlanIds,
    upgradesAtOnce: typed.portalUpgrades === 'yes',
  };
}

function isChoice(text: string): boolean {
  return text === 'yes' || text === 'no';
}

export const portalSettingsPages: readonly DashboardRoute[] = [show, save];
