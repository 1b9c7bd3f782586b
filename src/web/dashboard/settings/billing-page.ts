import {
  type BillingSettings,
  DUNNING_ENDS,
  type DunningEnd,
  MISSED_CYCLES,
  type MissedCycles,
} from '../../../domain/billing-settings.ts';
import { MANDATE_ENDS, type MandateEnd } from '../../../domain/mandate.ts';
import { billingSettingsOf, saveBillingSettings } from '../../../stores/billing-settings.ts';
import { type Problems, selectField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { settingsTabs } from './settings-tabs.ts';

/** The form's fields as text. */
interface Typed {
  readonly billingDunningEnd: string;
  readonly billingMissedCycles: string;
  readonly billingMailsInvoices: string;
  readonly billingMailsConsents: string;
  readonly billingMandateEnd: string;
}

export const DUNNING_END_NAMES: Readonly<Record<DunningEnd, MessageKey>> = {
  CANCEL: 'dashboard.settings.billing.cancel',
  PAUSE: 'dashboard.settings.billing.pause',
  KEEP_PAST_DUE: 'dashboard.settings.billing.keepPastDue',
};

export const MISSED_CYCLES_NAMES: Readonly<Record<MissedCycles, MessageKey>> = {
  SKIP: 'dashboard.settings.billing.skip',
  CHARGE: 'dashboard.settings.billing.charge',
};

const MAIL_CHOICES = ['yes', 'no'] as const;
const MAIL_CHOICE_NAMES = {
  yes: 'dashboard.settings.billing.mailsInvoices.yes',
  no: 'dashboard.settings.billing.mailsInvoices.no',
} as const satisfies Record<(typeof MAIL_CHOICES)[number], MessageKey>;
const CONSENT_CHOICE_NAMES = {
  yes: 'dashboard.settings.billing.mailsConsents.yes',
  no: 'dashboard.settings.billing.mailsConsents.no',
} as const satisfies Record<(typeof MAIL_CHOICES)[number], MessageKey>;

export const MANDATE_END_NAMES: Readonly<Record<MandateEnd, MessageKey>> = {
  CANCEL: 'dashboard.settings.billing.cancel',
  CODE: 'dashboard.settings.billing.mandateEnd.code',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/settings/billing',
  action: 'settings',
  async handler(visit) {
    const settings = await billingSettingsOf(visit.em, visit.caller);
    const { dunningEnd, missedCycles, mailsInvoices, mailsConsents, mandateEnd } = settings;
    return render(visit, {
      billingDunningEnd: dunningEnd,
      billingMissedCycles: missedCycles,
      billingMailsInvoices: mailsInvoices ? 'yes' : 'no',
      billingMailsConsents: mailsConsents ? 'yes' : 'no',
      billingMandateEnd: mandateEnd,
    });
  },
});

function render(visit: Visit, typed: Typed, problems: Problems = {}): Reply {
  const { say, devMode } = visit;
  const fields = html`${selectField({
    name: 'billingDunningEnd',
    label: say('dashboard.settings.billing.dunningEnd'),
    value: typed.billingDunningEnd,
    options: DUNNING_ENDS.map((each) => [each, say(DUNNING_END_NAMES[each])] as const),
    problems,
  })}
${selectField({
  name: 'billingMissedCycles',
  label: say('dashboard.settings.billing.missedCycles'),
  value: typed.billingMissedCycles,
  options: MISSED_CYCLES.map((each) => [each, say(MISSED_CYCLES_NAMES[each])] as const),
  problems,
})}
${selectField({
  name: 'billingMailsInvoices',
  label: say('dashboard.settings.billing.mailsInvoices'),
  value: typed.billingMailsInvoices,
  options: MAIL_CHOICES.map((each) => [each, say(MAIL_CHOICE_NAMES[each])] as const),
  problems,
})}
${selectField({
  name: 'billingMailsConsents',
  label: say('dashboard.settings.billing.mailsConsents'),
  value: typed.billingMailsConsents,
  options: MAIL_CHOICES.map((each) => [each, say(CONSENT_CHOICE_NAMES[each])] as const),
  problems,
})}
${selectField({
  name: 'billingMandateEnd',
  label: say('dashboard.settings.billing.mandateEnd'),
  value: typed.billingMandateEnd,
  options: MANDATE_ENDS.map((each) => [each, say(MANDATE_END_NAMES[each])] as const),
  problems,
})}`;
  const intro = say(
    devMode ? 'dashboard.settings.billing.forTheTest' : 'dashboard.settings.billing.forProduction',
  );
  const title = say('dashboard.settings.billing.title');
  const body = html`${settingsTabs(visit)}<p>${intro}</p>
${form(visit, { action: '/settings/billing', fields, submit: say('dashboard.save') })}`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title, active: 'settings', body, status });
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings/billing',
  action: 'settings',
  async handler(visit) {
    const typed: Typed = {
      billingDunningEnd: visit.field('billingDunningEnd'),
      billingMissedCycles: visit.field('billingMissedCycles'),
      billingMailsInvoices: visit.field('billingMailsInvoices'),
      billingMailsConsents: visit.field('billingMailsConsents'),
      billingMandateEnd: visit.field('billingMandateEnd'),
    };
    const settings = settingsIn(visit, typed);
    if ('problems' in settings) return render(visit, typed, settings.problems);
    const work = async (em: Visit['em']) => {
      await saveBillingSettings(em, visit.caller, settings, visit.now);
      return visit.store.id;
    };
    await visit.act('settings/billing', 'of environment', work, { ...settings });
    return seeOther(visit.link('/settings/billing'), visit.say('dashboard.saved'));
  },
});

/** The settings that were typed, or what is wrong with them by field. */
function settingsIn({ say }: Visit, typed: Typed): BillingSettings | { readonly problems: Problems } {
  const dunningEnd = DUNNING_ENDS.find((each) => each === typed.billingDunningEnd);
  const missedCycles = MISSED_CYCLES.find((each) => each === typed.billingMissedCycles);
  const invoices = MAIL_CHOICES.find((each) => each === typed.billingMailsInvoices);
  const consents = MAIL_CHOICES.find((each) => each === typed.billingMailsConsents);
  const mandateEnd = MANDATE_ENDS.find((each) => each === typed.billingMandateEnd);
  if (
    dunningEnd !== undefined &&
    missedCycles !== undefined &&
    invoices !== undefined &&
    consents !== undefined &&
    mandateEnd !== undefined
  ) {
    const mails = { mailsInvoices: invoices === 'yes', mailsConsents: consents === 'yes' };
    return { dunningEnd, missedCycles, ...mails, mandateEnd };
  }
  const choose = say('dashboard.settings.portal.chooseOne');
  const problems = {
    ...(dunningEnd === undefined && { billingDunningEnd: choose }),
    ...(missedCycles === undefined && { billingMissedCycles: choose }),
    ...(invoices === undefined && { billingMailsInvoices: choose }),
    ...(consents === undefined && { billingMailsConsents: choose }),
    ...(mandateEnd === undefined && { billingMandateEnd: choose }),
  };
  return { problems };
}

export const billingSettingsPages: readonly DashboardRoute[] = [show, save];
