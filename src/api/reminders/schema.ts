import { z } from 'zod';
import { LANGUAGES, languageNamed } from '../../domain/language.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  eachReminderKind,
  MOST_STEPS,
  REMINDER_CHANNELS,
  type ReminderKind,
  type ReminderSchedule,
  type ReminderSettings,
  STEP_LIMITS,
  scheduleOf,
} from '../../domain/reminders.ts';

/** What each kind is about, and the date that its steps count from. */
const KIND_TEXTS: Readonly<Record<ReminderKind, string>> = {
  BOLETO: 'An open boleto. Steps count from its due date.',
  RENEWAL: "A subscription's next charge. Steps count from the day of the charge.",
  TRIAL_END: 'The end of a trial. Steps count from the day of the first charge.',
  PAST_DUE: 'An overdue cycle of a subscription. Steps count from the day on which it was due.',
  CARD_EXPIRY: "A subscription's card that expires. Steps count from the last day on which it is valid.",
};

const CHANNEL_TEXT = '`NONE`: not sent. `EMAIL`: mailed by Recebe. `WEBHOOK`: published as `reminder.due`.';

function stepsOf(kind: ReminderKind) {
  const [earliest, latest] = STEP_LIMITS[kind];
  const error = `must be 1 to ${MOST_STEPS} different integers from ${earliest} to ${latest}, such as ${JSON.stringify(
    scheduleOf(DEFAULT_REMINDER_SETTINGS, kind).steps,
  )}`;
  return z
    .array(z.int({ error }).min(earliest, { error }).max(latest, { error }), { error })
    .min(1, { error })
    .max(MOST_STEPS, { error })
    .refine((steps) => new Set(steps).size === steps.length, { error });
}

function scheduleBody(kind: ReminderKind) {
  const steps = stepsOf(kind).optional().meta({ description: 'Days after the date; negative before it.' });
  return z
    .strictObject({
      channel: z.enum(REMINDER_CHANNELS).optional().meta({ description: CHANNEL_TEXT }),
      steps,
    })
    .optional()
    .meta({ description: KIND_TEXTS[kind] });
}

/** Body of POST `/reminders/update`. */
export const updateRemindersBody = z
  .strictObject({
    BOLETO: scheduleBody('BOLETO'),
    RENEWAL: scheduleBody('RENEWAL'),
    TRIAL_END: scheduleBody('TRIAL_END'),
    PAST_DUE: scheduleBody('PAST_DUE'),
    CARD_EXPIRY: scheduleBody('CARD_EXPIRY'),
    language: z
      .enum(LANGUAGES)
      .optional()
      .meta({ description: 'For payers whose language Recebe does not know.' }),
  })
  .meta({ id: 'UpdateReminders' });
export type UpdateRemindersBody = z.output<typeof updateRemindersBody>;

const scheduleView = z
  .object({
    channel: z.enum(REMINDER_CHANNELS).meta({ description: CHANNEL_TEXT }),
    steps: z
      .array(z.int())
      .meta({ description: 'Days after the date, in order; negative before it. Each is sent once.' }),
  })
  .meta({ id: 'ReminderSchedule' });

const viewOf = (kind: ReminderKind) => scheduleView.meta({ description: KIND_TEXTS[kind] });

/** How the store reminds payers, in the environment of the key *(ours)*. */
export const remindersView = z
  .object({
    devMode: z.boolean(),
    BOLETO: viewOf('BOLETO'),
    RENEWAL: viewOf('RENEWAL'),
    TRIAL_END: viewOf('TRIAL_END'),
    PAST_DUE: viewOf('PAST_DUE'),
    CARD_EXPIRY: viewOf('CARD_EXPIRY'),
    language: z.enum(LANGUAGES).meta({ description: 'For payers whose language Recebe does not know.' }),
  })
  .meta({ id: 'Reminders' });
export type ShownReminders = z.output<typeof remindersView>;

export function presentReminders(devMode: boolean, settings: ReminderSettings): ShownReminders {
  const schedules = eachReminderKind((kind) => {
    const { channel, steps } = scheduleOf(settings, kind);
    return { channel, steps: [...steps] };
  });
  return { devMode, ...schedules, language: languageNamed(settings.language) };
}

/** The settings with what was sent. Steps are kept in order. */
export function changedReminders(before: ReminderSettings, body: UpdateRemindersBody): ReminderSettings {
  const { BOLETO, ...ofSubscriptions } = eachReminderKind((kind): ReminderSchedule => {
    const { channel, steps } = scheduleOf(before, kind);
    const sent = body[kind];
    const wanted = sent?.steps?.toSorted((one, other) => one - other);
    return { channel: sent?.channel ?? channel, steps: wanted ?? steps };
  });
  return { ...BOLETO, ofSubscriptions, language: body.language ?? before.language };
}

export const exampleReminders: ShownReminders = {
  ...presentReminders(true, DEFAULT_REMINDER_SETTINGS),
  BOLETO: { channel: 'EMAIL', steps: [-3, 0, 3] },
};
