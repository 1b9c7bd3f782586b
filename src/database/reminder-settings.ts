import type { StoreId } from '../domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS, newestSendingDay, type ReminderSettings } from '../domain/reminders.ts';
import { ReminderSettingsEntity } from './entities/reminder-settings.ts';
import type { Em } from './orm.ts';

/** A store in one environment. */
interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** How the store reminds payers now: {@link DEFAULT_REMINDER_SETTINGS} until someone changes it. */
export async function reminderSettingsOf(em: Em, { storeId, devMode }: Owner): Promise<ReminderSettings> {
  const row = await em.findOne(ReminderSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  if (row === null) return DEFAULT_REMINDER_SETTINGS;
  const { channel, steps, language } = row;
  return { channel, steps, language };
}

/**
 * Sets how the store reminds payers, in the caller's transaction. Steps of earlier days are not made up for when a store begins.
 * @param now the store's time.
 */
export async function saveReminderSettings(
  em: Em,
  { storeId, devMode }: Owner,
  settings: ReminderSettings,
  now: Date,
): Promise<void> {
  const before = await em.findOne(ReminderSettingsEntity, { storeId, devMode }, { disableIdentityMap: true });
  const isOn = before !== null && before.channel !== 'NONE';
  const doneUntil = isOn ? before.doneUntil : newestSendingDay(now);
  await em.upsert(
    ReminderSettingsEntity,
    { storeId, devMode, ...settings, doneUntil, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}
