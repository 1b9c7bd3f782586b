import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownReminders } from '../../src/api/reminders/schema.ts';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../src/domain/reminders.ts';
import { reminderSettingsOf } from '../../src/stores/reminder-settings.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';

let app: MoneyApp;
let api: ApiClient;
let storeId: StoreId;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api, storeId } = await app.anotherStore());
});

const get = async (client = api) => dataOf<ShownReminders>(await client.get('/v2/reminders/get'));
const update = (body: object, client = api) => client.post('/v2/reminders/update', body);
const auditLines = () =>
  app.database.em.fork().find(AuditLineEntity, { storeId, action: 'reminders/update' } as never);

const OFF = {
  devMode: true,
  BOLETO: { channel: 'NONE', steps: [-3, 0, 3] },
  RENEWAL: { channel: 'NONE', steps: [-3] },
  TRIAL_END: { channel: 'NONE', steps: [-3] },
  PAST_DUE: { channel: 'NONE', steps: [1, 4, 7] },
  CARD_EXPIRY: { channel: 'NONE', steps: [-30, -7] },
  language: 'pt',
};

describe('the settings of reminders', () => {
  it('returns the defaults of a store that has not changed them', async () => {
    expect(await get()).toEqual(OFF);
  });

  it('changes only what is sent, and keeps steps in order', async () => {
    const first = await update({ BOLETO: { channel: 'EMAIL', steps: [5, -2, 0] }, language: 'es' });
    expect(dataOf(first)).toEqual({
      ...OFF,
      BOLETO: { channel: 'EMAIL', steps: [-2, 0, 5] },
      language: 'es',
    });
    await update({ PAST_DUE: { channel: 'WEBHOOK' } });
    const changed = {
      ...OFF,
      BOLETO: { channel: 'EMAIL', steps: [-2, 0, 5] },
      PAST_DUE: { channel: 'WEBHOOK', steps: [1, 4, 7] },
      language: 'es',
    };
    expect(await get()).toEqual(changed);
    const production = { storeId, devMode: false };
    expect(await reminderSettingsOf(app.database.em.fork(), production)).toEqual(DEFAULT_REMINDER_SETTINGS);
  });

  it('loses no change of requests that arrive at once', async () => {
    const kinds = ['BOLETO', 'RENEWAL', 'TRIAL_END', 'PAST_DUE', 'CARD_EXPIRY'] as const;
    const answers = await Promise.all(kinds.map((kind) => update({ [kind]: { channel: 'EMAIL' } })));
    expect(answers.map(({ status }) => status)).toEqual(kinds.map(() => 200));
    const settings = await get();
    expect(kinds.map((kind) => settings[kind].channel)).toEqual(kinds.map(() => 'EMAIL'));
  });

  it('writes each change to the audit log', async () => {
    await update({ RENEWAL: { channel: 'EMAIL', steps: [-5, -1] } });
    const [line, ...others] = await auditLines();
    expect(others).toEqual([]);
    expect(line).toMatchObject({ actorKind: 'API_KEY', subjectId: storeId, devMode: true });
    expect(JSON.parse(line?.details ?? '')).toEqual({
      ...{ BOLETO: 'NONE', RENEWAL: 'EMAIL -5, -1', TRIAL_END: 'NONE' },
      ...{ PAST_DUE: 'NONE', CARD_EXPIRY: 'NONE', language: 'pt' },
    });
  });

  it.each([
    [{ BOLETO: { steps: [] } }, 'BOLETO.steps'],
    [{ BOLETO: { steps: [1, 1] } }, 'BOLETO.steps'],
    [{ RENEWAL: { steps: [0] } }, 'RENEWAL.steps[0]'],
    [{ PAST_DUE: { steps: [0, 3] } }, 'PAST_DUE.steps[0]'],
    [{ CARD_EXPIRY: { channel: 'SMS' } }, 'CARD_EXPIRY.channel'],
    [{ TRIAL_END: { hour: 9 } }, 'TRIAL_END.hour'],
    [{ language: 'fr' }, 'language'],
  ])('refuses %j and names the field', async (body, path) => {
    const { status, json } = await update({
      ...body,
      BOLETO: { channel: 'EMAIL', ...('BOLETO' in body && body.BOLETO) },
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ issues: [{ path }] });
    expect(await get()).toEqual(OFF);
    expect(await auditLines()).toEqual([]);
  });

  it('needs a permission of its own for each operation', async () => {
    const reader = await app.clientWith({ storeId, permissions: ['REMINDER:READ', 'STORE:READ'] });
    expect(await get(reader)).toEqual(OFF);
    expect(await update({ language: 'en' }, reader)).toMatchObject({ status: 403 });
    const writer = await app.clientWith({ storeId, permissions: ['REMINDER:UPDATE'] });
    expect(await update({ language: 'en' }, writer)).toMatchObject({ status: 200 });
    expect(await writer.get('/v2/reminders/get')).toMatchObject({ status: 403 });
  });
});
