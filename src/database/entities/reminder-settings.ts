import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { StoreId } from '../../domain/ids.ts';
import type { ReminderChannel, ReminderSettings } from '../../domain/reminders.ts';

/** How a store reminds payers in an environment. A store that never changed it has no row. */
export const ReminderSettingsEntity = defineEntity({
  name: 'ReminderSettings',
  tableName: 'reminder_settings',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    channel: p.text().$type<ReminderChannel>(),
    steps: p.json().columnType('json').$type<readonly number[]>(),
    /** The kinds that the store has set. */
    ofSubscriptions: p
      .json()
      .columnType('json')
      .$type<Partial<ReminderSettings['ofSubscriptions']>>()
      .defaultRaw(`'{}'`),
    language: p.text(),
    /** The newest day whose reminders are written. What a store had open before it wanted reminders is left out. */
    doneUntil: p.text().$type<CivilDate>(),
    updatedAt: p.datetime(),
  },
});
export type ReminderSettingsRow = InferEntity<typeof ReminderSettingsEntity>;
