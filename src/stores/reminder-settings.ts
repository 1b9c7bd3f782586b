import { ReminderSettingsEntity, type ReminderSettingsRow } from '../database/entities/reminder-settings.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  newestSendingDay,
  type ReminderSettings,
  sendsReminders,
} from '../domain/reminders.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** How the store reminds payers now: {@link DEFAULT_REMINDER_SETTINGS} until someone changes it. */
export async function reminderSettingsOf(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
): Promise<ReminderSettings> {
  const row = await em.findOne(ReminderSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  return row === null ? DEFAULT_REMINDER_SETTINGS : settingsIn(row);
}

/** The settings in a store's row: the default of each kind that it does not have. */
export function settingsIn({
  channel,
  steps,
  ofSubscriptions,
  language,
}: ReminderSettingsRow): ReminderSettings {
  const all = { ...DEFAULT_REMINDER_SETTINGS.ofSubscriptions, ...ofSubscriptions };
  return { channel, steps, ofSubscriptions: all, language };
}

const LOCK = statement<{ key: string }>(
  'lock settings of reminders',
  () => 'select pg_advisory_xact_lock(hashtextextended(:key, 0))',
);

function lock(em: Em, { storeId, devMode }: StoreEnvironment): Promise<unknown> {
  return LOCK(em, { key: `reminder-settings/${storeId}/${devMode}` });
}

/**
 * How the store reminds payers now, until the caller's transaction ends: nobody else changes it meanwhile, also if the store has no
 * row yet.
 */
export async function lockReminderSettings(em: Em, owner: StoreEnvironment): Promise<ReminderSettings> {
  await lock(em, owner);
  return reminderSettingsOf(em, owner);
}

/**
 * Sets how the store reminds payers, in the caller's transaction. Steps of earlier days are not made up for when a store begins.
 * @param now the store's time.
 */
export async function saveReminderSettings(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  settings: ReminderSettings,
  now: Date,
): Promise<void> {
  await lock(em, { storeId, devMode });
  const before = await em.findOne(ReminderSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  const isOn = before !== null && sendsReminders(settingsIn(before));
  const doneUntil = isOn ? before.doneUntil : newestSendingDay(now);
  await em.upsert(
    ReminderSettingsEntity,
    { storeId, devMode, ...settings, doneUntil, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
