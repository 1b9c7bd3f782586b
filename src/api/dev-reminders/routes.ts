import { z } from 'zod';
import { daysBetween, saoPauloDateOf } from '../../domain/civil-date.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { writeEvent } from '../../events/record.ts';
import { boletoReminder } from '../../reminders/reminder-events.ts';
import { reminderSettingsOf } from '../../stores/reminder-settings.ts';
import { idText } from '../../wire/fields.ts';
import { notFound, requireDevMode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';
import { requireCharge } from '../transparents/find-charge.ts';

const exampleId = 'bole_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

/** Simulates the morning of a reminder, whatever the store has chosen (contract section 8, our addition): dev mode only. */
const publish = route({
  method: 'POST',
  path: '/dev/reminders/publish',
  summary: 'Publish a reminder of a boleto in dev mode',
  description:
    'Sends `reminder.due` about a boleto as of today, so that you can try the program that sends your messages. It changes no ' +
    'settings, and does not count as a step: due reminders follow on their days. A boleto that is paid or over gets a 404, and one ' +
    'whose customer is deleted or wants no reminders.',
  permission: ['TRANSPARENT:CREATE', 'CHECKOUT:READ', 'CHECKOUT:CREATE'],
  body: z.strictObject({ id: idText(exampleId) }),
  response: z
    .object({ id: z.string().meta({ description: 'The boleto.' }), devMode: z.boolean() })
    .meta({ id: 'PublishedReminder' }),
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT'],
  example: { body: { id: exampleId }, response: { id: exampleId, devMode: true } },
  async handler(request) {
    const { em, key, body, deps, now } = request;
    requireDevMode(key, 'reminders are published in');
    const charge = await requireCharge(em, key, body.id);
    const { dueDate, id, method, status } = charge;
    const isReminded = dueDate !== null && METHOD_TRAITS[method].hasDueDate;
    if (!isReminded || status !== 'PENDING') throw notFound('open boleto');
    const days = daysBetween(dueDate, saoPauloDateOf(now));
    const { language } = await reminderSettingsOf(em, charge);
    const ready = await boletoReminder(em, charge, days, { now, language, publicUrl: deps.publicUrl });
    if (ready === null) throw notFound('open boleto');
    const subject = `${id}/${days}/${now.getTime()}`;
    const deliveries = await writeEvent(em, ready.owner, 'reminder.due', subject, ready.data, now);
    request.afterCommit(() => startDeliveries(deps, deliveries));
    return { id, devMode: true };
  },
});

export const devReminderRoutes: readonly Route[] = [publish];
