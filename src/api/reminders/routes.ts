import { reminderDetails } from '../../domain/reminders.ts';
import {
  lockReminderSettings,
  reminderSettingsOf,
  saveReminderSettings,
} from '../../stores/reminder-settings.ts';
import { type Route, route } from '../frame/route.ts';
import {
  changedReminders,
  exampleReminders,
  presentReminders,
  remindersView,
  updateRemindersBody,
} from './schema.ts';

const get = route({
  method: 'GET',
  path: '/reminders/get',
  summary: 'How payers are reminded',
  description: 'In the environment of the key. A store sends no reminders until it turns them on.',
  permission: 'REMINDER:READ',
  response: remindersView,
  errors: [],
  example: { response: exampleReminders },
  handler: async ({ em, key }) => presentReminders(key.devMode, await reminderSettingsOf(em, key)),
});

const update = route({
  method: 'POST',
  path: '/reminders/update',
  summary: 'Change how payers are reminded',
  description: `In the environment of the key, and only what is sent: a kind, its \`channel\` or \`steps\`, or \`language\`. Reminders of days before
a store turns them on are not made up for. E-mails need a mail server.`,
  permission: 'REMINDER:UPDATE',
  audited: true,
  body: updateRemindersBody,
  response: remindersView,
  errors: [],
  example: { body: { BOLETO: { channel: 'EMAIL', steps: [-3, 0, 3] } }, response: exampleReminders },
  async handler(request) {
    const { key, body, now } = request;
    return request.transaction(async (tx) => {
      const chosen = changedReminders(await lockReminderSettings(tx, key), body);
      await saveReminderSettings(tx, key, chosen, now);
      await request.recordAction(tx, key.storeId, reminderDetails(chosen));
      return presentReminders(key.devMode, chosen);
    });
  },
});

/** Settings of reminders (our addition). */
export const reminderRoutes: readonly Route[] = [get, update];
