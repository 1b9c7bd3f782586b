import { StoreEntity } from '../../../database/entities/store.ts';
import { reminderSettingsOf, saveReminderSettings } from '../../../database/reminder-settings.ts';
import {
  MOST_STEPS,
  parseSteps,
  REMINDER_CHANNELS,
  type ReminderChannel,
  type ReminderSettings,
} from '../../../domain/reminders.ts';
import { html } from '../../frame/html.ts';
import { LANGUAGES } from '../../frame/language.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { link } from '../frame/components.ts';
import { form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { LANGUAGE_NAMES } from './language-names.ts';
import { renderReminderPreviews } from './reminders-preview.ts';

/** The form's fields as text. */
interface Typed {
  readonly reminderChannel: string;
  readonly reminderSteps: string;
  readonly reminderLanguage: string;
}

const CHANNEL_NAMES: Readonly<Record<ReminderChannel, MessageKey>> = {
  NONE: 'dashboard.settings.reminders.none',
  EMAIL: 'dashboard.settings.reminders.email',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/settings/reminders',
  action: 'settings',
  async handler(visit) {
    const settings = await reminderSettingsOf(visit.em, visit.caller);
    return render(visit, typedOf(settings), settings.steps);
  },
});

function typedOf({ channel, steps, language }: ReminderSettings): Typed {
  return { reminderChannel: channel, reminderSteps: steps.join(', '), reminderLanguage: language };
}

async function render(
  visit: Visit,
  typed: Typed,
  steps: readonly number[],
  problems: Problems = {},
): Promise<Reply> {
  const { say, devMode } = visit;
  const store = await visit.em.findOneOrFail(
    StoreEntity,
    { id: visit.store.id },
    { disableIdentityMap: true },
  );
  const fields = html`${selectField({
    name: 'reminderChannel',
    label: say('dashboard.settings.reminders.channel'),
    value: typed.reminderChannel,
    options: REMINDER_CHANNELS.map((each) => [each, say(CHANNEL_NAMES[each])] as const),
    problems,
  })}
${textField({
  name: 'reminderSteps',
  label: say('dashboard.settings.reminders.steps'),
  hint: say('dashboard.settings.reminders.stepsHint'),
  value: typed.reminderSteps,
  maxLength: 60,
  problems,
})}
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
  const body = html`<p>${intro}</p>
${form(visit, { action: '/settings/reminders', fields, submit: say('dashboard.save') })}
${renderReminderPreviews(visit, store, steps)}
<p>${link(visit, '/settings', say('dashboard.settings.portal.allSettings'))}</p>`;
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title, active: 'settings', body, status });
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings/reminders',
  action: 'settings',
  async handler(visit) {
    const typed: Typed = {
      reminderChannel: visit.field('reminderChannel'),
      reminderSteps: visit.field('reminderSteps'),
      reminderLanguage: visit.field('reminderLanguage'),
    };
    const settings = settingsIn(visit, typed);
    if ('problems' in settings) {
      const { steps } = await reminderSettingsOf(visit.em, visit.caller);
      return render(visit, typed, steps, settings.problems);
    }
    const work = async (em: Visit['em']) => {
      await saveReminderSettings(em, visit.caller, settings, visit.storeNow);
      return visit.store.id;
    };
    const { channel, steps, language } = settings;
    const details = { channel, steps: steps.join(', '), language };
    await visit.act('settings/reminders', 'of environment', work, details);
    return seeOther(visit.link('/settings/reminders'), visit.say('dashboard.saved'));
  },
});

/** The settings that were typed, or what is wrong with them by field. */
function settingsIn({ say }: Visit, typed: Typed): ReminderSettings | { readonly problems: Problems } {
  const channel = REMINDER_CHANNELS.find((each) => each === typed.reminderChannel);
  const steps = parseSteps(typed.reminderSteps);
  const language = LANGUAGES.find((each) => each === typed.reminderLanguage);
  if (channel !== undefined && steps !== null && language !== undefined) return { channel, steps, language };
  const choose = say('dashboard.settings.portal.chooseOne');
  const problems = {
    ...(channel === undefined && { reminderChannel: choose }),
    ...(steps === null && {
      reminderSteps: say('dashboard.settings.reminders.writeSteps', { most: MOST_STEPS }),
    }),
    ...(language === undefined && { reminderLanguage: choose }),
  };
  return { problems };
}

export const reminderSettingsPages: readonly DashboardRoute[] = [show, save];
