import { LANGUAGES } from '../../../domain/language.ts';
import {
  eachReminderKind,
  MOST_STEPS,
  parseSteps,
  REMINDER_CHANNELS,
  REMINDER_KINDS,
  type ReminderChannel,
  type ReminderKind,
  type ReminderSchedule,
  type ReminderSettings,
  reminderDetails,
  STEP_LIMITS,
  scheduleOf,
} from '../../../domain/reminders.ts';
import { requireStore } from '../../../stores/profile.ts';
import { reminderSettingsOf, saveReminderSettings } from '../../../stores/reminder-settings.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { LANGUAGE_NAMES } from './language-names.ts';
import { REMINDER_KIND_NAMES } from './reminder-kind-names.ts';
import { renderReminderPreviews } from './reminders-preview.ts';
import { settingsTabs } from './settings-tabs.ts';

/** The form's fields as text. */
interface Typed {
  readonly schedules: Readonly<Record<ReminderKind, { readonly channel: string; readonly steps: string }>>;
  readonly reminderLanguage: string;
}

interface Words {
  /** The start of the names of its fields. */
  readonly field: string;
  readonly hint: MessageKey;
}

const KINDS: Readonly<Record<ReminderKind, Words>> = {
  BOLETO: { field: 'reminder', hint: 'dashboard.settings.reminders.stepsHint' },
  RENEWAL: { field: 'renewal', hint: 'dashboard.settings.reminders.stepsHint.RENEWAL' },
  TRIAL_END: { field: 'trialEnd', hint: 'dashboard.settings.reminders.stepsHint.TRIAL_END' },
  PAST_DUE: { field: 'pastDue', hint: 'dashboard.settings.reminders.stepsHint.PAST_DUE' },
  CARD_EXPIRY: { field: 'cardExpiry', hint: 'dashboard.settings.reminders.stepsHint.CARD_EXPIRY' },
};

const CHANNEL_NAMES: Readonly<Record<ReminderChannel, MessageKey>> = {
  NONE: 'dashboard.settings.reminders.none',
  EMAIL: 'dashboard.settings.reminders.email',
  WEBHOOK: 'dashboard.settings.reminders.webhook',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/settings/reminders',
  action: 'settings',
  async handler(visit) {
    const settings = await reminderSettingsOf(visit.em, visit.caller);
    return render(visit, typedOf(settings), settings);
  },
});

function typedOf(settings: ReminderSettings): Typed {
  const schedules = eachReminderKind((kind) => {
    const { channel, steps } = scheduleOf(settings, kind);
    return { channel, steps: steps.join(', ') };
  });
  return { schedules, reminderLanguage: settings.language };
}

async function render(
  visit: Visit,
  typed: Typed,
  settings: ReminderSettings,
  problems: Problems = {},
): Promise<Reply> {
  const { say, devMode } = visit;
  const store = await requireStore(visit.em, visit.store.id);
  const fields = html`${REMINDER_KINDS.map((kind) => renderSchedule(visit, kind, typed, problems))}
<p class="field__hint">${say('dashboard.settings.reminders.webhookHint')}</p>
${selectField({
  name: 'reminderLanguage',
  label: say('dashboard.settings.reminders.language'),
  value: typed.reminderLanguage,
  options: LANGUAGES.map((each) => [each, LANGUAGE_NAMES[each]] as const),
  problems,
})}`;
  const intro = say(
    devMode ? 'dashboard.settings.reminders.forTheTest' : 'dashboard.settings.reminders.forProduction',
  );
  const title = say('dashboard.settings.reminders.title');
  const body = html`${settingsTabs(visit)}<p>${intro}</p>
${form(visit, { action: '/settings/reminders', fields, submit: say('dashboard.save') })}
${renderReminderPreviews(visit, store, settings)}`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title, active: 'settings', body, status });
}

/** The channel and the steps of one kind. */
function renderSchedule({ say }: Visit, kind: ReminderKind, { schedules }: Typed, problems: Problems): Html {
  const { field, hint } = KINDS[kind];
  const { channel, steps } = schedules[kind];
  return html`<fieldset class="set"><legend>${say(REMINDER_KIND_NAMES[kind])}</legend>
${selectField({
  name: `${field}Channel`,
  label: say('dashboard.settings.reminders.channelOfKind'),
  value: channel,
  options: REMINDER_CHANNELS.map((each) => [each, say(CHANNEL_NAMES[each])] as const),
  problems,
})}
${textField({
  name: `${field}Steps`,
  label: say('dashboard.settings.reminders.steps'),
  hint: say(hint),
  value: steps,
  maxLength: 60,
  problems,
})}</fieldset>`;
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings/reminders',
  action: 'settings',
  async handler(visit) {
    const typed: Typed = {
      schedules: eachReminderKind((kind) => ({
        channel: visit.field(`${KINDS[kind].field}Channel`),
        steps: visit.field(`${KINDS[kind].field}Steps`),
      })),
      reminderLanguage: visit.field('reminderLanguage'),
    };
    const settings = settingsIn(visit, typed);
    if ('problems' in settings)
      return render(visit, typed, await reminderSettingsOf(visit.em, visit.caller), settings.problems);
    const work = async (em: Visit['em']) => {
      await saveReminderSettings(em, visit.caller, settings, visit.storeNow);
      return visit.store.id;
    };
    await visit.act('settings/reminders', 'of environment', work, reminderDetails(settings));
    return seeOther(visit.link('/settings/reminders'), visit.say('dashboard.saved'));
  },
});

/** The settings that were typed, or what is wrong with them by field. */
function settingsIn(visit: Visit, typed: Typed): ReminderSettings | { readonly problems: Problems } {
  const { say } = visit;
  const read = eachReminderKind((kind) => scheduleIn(visit, kind, typed));
  const language = LANGUAGES.find((each) => each === typed.reminderLanguage);
  const problems: Problems = {
    ...Object.assign({}, ...REMINDER_KINDS.map((kind) => read[kind].problems)),
    ...(language === undefined && { reminderLanguage: say('dashboard.settings.portal.chooseOne') }),
  };
  if (language === undefined || Object.keys(problems).length > 0) return { problems };
  const { BOLETO, ...ofSubscriptions } = eachReminderKind((kind) => read[kind].schedule);
  return { ...BOLETO, ofSubscriptions, language };
}

function scheduleIn(
  { say }: Visit,
  kind: ReminderKind,
  { schedules }: Typed,
): { readonly schedule: ReminderSchedule; readonly problems: Problems } {
  const { field } = KINDS[kind];
  const [from, to] = STEP_LIMITS[kind];
  const channel = REMINDER_CHANNELS.find((each) => each === schedules[kind].channel);
  const steps = parseSteps(schedules[kind].steps, kind);
  const problems = {
    ...(channel === undefined && { [`${field}Channel`]: say('dashboard.settings.portal.chooseOne') }),
    ...(steps === null && {
      [`${field}Steps`]: say('dashboard.settings.reminders.writeSteps', { most: MOST_STEPS, from, to }),
    }),
  };
  return { schedule: { channel: channel ?? 'NONE', steps: steps ?? [] }, problems };
}

export const reminderSettingsPages: readonly DashboardRoute[] = [show, save];
