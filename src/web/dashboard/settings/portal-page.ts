import { portalSettingsOf, savePortalSettings } from '../../../database/portal-settings.ts';
import {
  MOST_PAUSE_DAYS,
  PORTAL_CANCELLATIONS,
  type PortalCancellation,
  type PortalSettings,
} from '../../../domain/portal-settings.ts';
import { html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { link } from '../frame/components.ts';
import { form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** The form's fields as text. */
interface Typed {
  readonly portalCancellation: string;
  readonly portalUndo: string;
  readonly portalPauseDays: string;
  readonly portalCard: string;
  readonly portalRefund: string;
}

const CANCELLATION_NAMES: Readonly<Record<PortalCancellation, MessageKey>> = {
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
    portalRefund: yesOrNo(settings.asksForRefunds),
  };
}

function yesOrNo(isOn: boolean): 'yes' | 'no' {
  return isOn ? 'yes' : 'no';
}

function render(visit: Visit, typed: Typed, problems: Problems = {}): Reply {
  const { say, devMode } = visit;
  const choice = (name: 'portalUndo' | 'portalCard' | 'portalRefund', label: MessageKey) =>
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
${choice('portalRefund', 'dashboard.settings.portal.refund')}`;
  const intro = say(
    devMode ? 'dashboard.settings.portal.forTheTest' : 'dashboard.settings.portal.forProduction',
  );
  const title = say('dashboard.settings.portal.title');
  const body = html`<p>${intro}</p>
${form(visit, { action: '/settings/portal', fields, submit: say('dashboard.save') })}
<p>${link(visit, '/settings', say('dashboard.settings.portal.allSettings'))}</p>`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title, active: 'settings', body, status });
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
      portalRefund: visit.field('portalRefund'),
    };
    const settings = settingsIn(visit, typed);
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
function settingsIn({ say }: Visit, typed: Typed): PortalSettings | { readonly problems: Problems } {
  const cancellation = PORTAL_CANCELLATIONS.find((each) => each === typed.portalCancellation);
  const days = typed.portalPauseDays === '' ? null : Number(typed.portalPauseDays);
  const isPossible = days === null || (Number.isInteger(days) && days >= 1 && days <= MOST_PAUSE_DAYS);
  const choose = say('dashboard.settings.portal.chooseOne');
  const problems = {
    ...(cancellation === undefined && { portalCancellation: choose }),
    ...(!isChoice(typed.portalUndo) && { portalUndo: choose }),
    ...(!isPossible && {
      portalPauseDays: say('dashboard.settings.portal.writeDays', { most: MOST_PAUSE_DAYS }),
    }),
    ...(!isChoice(typed.portalCard) && { portalCard: choose }),
    ...(!isChoice(typed.portalRefund) && { portalRefund: choose }),
  };
  if (cancellation === undefined || Object.keys(problems).length > 0) return { problems };
  return {
    cancellation,
    undoesCancellation: typed.portalUndo === 'yes',
    longestPauseDays: days,
    changesCard: typed.portalCard === 'yes',
    asksForRefunds: typed.portalRefund === 'yes',
  };
}

function isChoice(text: string): boolean {
  return text === 'yes' || text === 'no';
}

export const portalSettingsPages: readonly DashboardRoute[] = [show, save];
