import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordAction } from '../../../src/audit-log/record-action.ts';
import { recordCliActions } from '../../../src/cli/operator.ts';
import { personActions } from '../../../src/cli/user-actions.ts';
import { linkOfUser } from '../../../src/cli/users.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { NOTICED_BY_OWNERS } from '../../../src/domain/notice.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import type { Role } from '../../../src/domain/role.ts';
import { NoticeMailer } from '../../../src/mail/notice-mailer.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  codeFor,
  DashboardUser,
  enterBy,
  givePassword,
  hiddenFields,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { type MailServer, startMailServer } from '../../support/outside/mail-server.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { SILENT_LOG } from '../../support/servers/silent-temporal.ts';

const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);
const DAY_MS = 24 * 60 * 60 * 1_000;

let app: TestApp;
let server: MailServer;
let storeId: StoreId;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ secretsKeys: KEYS });
  server = await startMailServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await app.close();
});
beforeEach(async () => {
  await em().execute('delete from notice_mails', [], 'run');
  storeId = (await createTestStore(app.database)).id;
  owner = await signedInAs('owner', 'owner');
});

const em = () => app.database.em.fork();
const email = (name: string) => `${name}-${storeId}@example.com`.toLowerCase();
const at = (path: string, environment = 'dev') => `/dashboard/${storeId}/${environment}${path}`;
async function signedInAs(role: Role, name: string, store = storeId): Promise<DashboardUser> {
  const dashboardUser = await signedIn({ ...app, url: app.api.url }, store, role, email(name));
  await givePassword(app.database);
  return dashboardUser;
}
const idOf = async (name: string) => (await em().findOneOrFail(UserEntity, { email: email(name) })).id;
const submit = (path: string, fields: Record<string, string | string[]> = {}, who = owner) =>
  who.submit(path, path, { password: PASSWORD, ...fields });
/** Who is to be mailed which action, as `owner: team/invite`. */
async function kept(): Promise<string[]> {
  const rows = await em().execute<{ email: string; action: string }[]>(
    `select split_part(u.email, '-', 1) as email, line.action
     from notice_mails mail join audit_lines line on line.id = mail.line_id join users u on u.id = mail.user_id
     order by line.position, u.email`,
  );
  return rows.map((row) => `${row.email}: ${row.action}`);
}
const keptSorted = async () => (await kept()).toSorted((a, b) => (a < b ? -1 : 1));

describe('a flood of one action', () => {
  const record = async (action: string, subjectId: string, createdAt: Date) => {
    const actor = { kind: 'PERSON', userId: await idOf('owner'), role: 'owner', storeId } as const;
    const person = { ...actor, address: '', submission: null };
    await em().transactional((tx) =>
      recordAction(tx, person, { action, subjectId, devMode: null, now: createdAt }),
    );
  };

  it('mails ten lines of an hour, and still mails every other action', async () => {
    const start = Date.now();
    for (let number = 0; number < 15; number += 1)
      await record('settings/update', storeId, new Date(start + number));
    await record('team/invite', 'user_someone', new Date(start + 20));
    expect(await kept()).toEqual([...Array(10).fill('owner: settings/update'), 'owner: team/invite']);
    await record('settings/update', storeId, new Date(start + 3_700_000));
    expect((await kept()).filter((row) => row === 'owner: settings/update')).toHaveLength(11);
  });

  it('shows the newest line of every action, however many others are newer', async () => {
    const start = Date.now();
    await record('team/join', await idOf('owner'), new Date(start));
    for (let number = 1; number <= 12; number += 1)
      await record('webhooks/update', `webh_${number}`, new Date(start + number));
    const { text } = await owner.get(`${at('')}?lang=en`);
    expect(text).toContain(`${email('owner')} joined the team`);
    expect(text.match(/webhook/gi)?.length).toBeGreaterThan(5);
  });

  it('shows more than ten lines if more than ten kinds of actions happened', async () => {
    const start = Date.now();
    await record('team/join', await idOf('owner'), new Date(start));
    const others = NOTICED_BY_OWNERS.filter((action) => action !== 'team/join');
    for (const [number, action] of others.entries())
      await record(action, storeId, new Date(start + 1 + number));
    const { text } = await owner.get(`${at('')}?lang=en`);
    expect(text).toContain(`${email('owner')} joined the team`);
    expect(text).not.toContain('See the audit log for more.');
    await record('webhooks/update', 'webh_other', new Date(start));
    expect((await owner.get(`${at('')}?lang=en`)).text).toContain('See the audit log for more.');
  });

  it('mails each person concerned', async () => {
    await signedInAs('support', 'first');
    await signedInAs('support', 'other');
    const start = Date.now();
    for (let number = 0; number < 12; number += 1)
      await record('team/role', await idOf('first'), new Date(start + number));
    await record('team/role', await idOf('other'), new Date(start + 20));
    const rows = (await kept()).map((row) => row.split(':')[0]);
    const times = (who: string) => rows.filter((row) => row === who).length;
    expect([times('owner'), times('first'), times('other')]).toEqual([10, 10, 1]);
  });
});

describe('owners', () => {
  it('notifies owners of invitations, joins, roles, confirmations and removals', async () => {
    const fields = { email: email('fin'), role: 'finance', password: PASSWORD };
    const { html } = await owner.submit(at('/team'), at('/team/invite'), fields);
    const [link = ''] = /\/dashboard\/enter\/[\w-]+/.exec(html) ?? [];
    await enterBy(new DashboardUser(app.api.url), link, { name: 'Fin', password: PASSWORD });
    const member = at(`/team/${await idOf('fin')}`);
    const second = await signedInAs('owner', 'second');
    await submit(`${member}/confirm`, {}, second);
    await owner.submit(member, `${member}/role`, { role: 'support', password: PASSWORD });
    await submit(`${member}/remove`);
    expect(await kept()).toEqual([
      'owner: team/invite',
      'owner: team/join',
      'fin: team/confirm',
      'owner: team/confirm',
      'second: team/confirm',
      'fin: team/role',
      'owner: team/role',
      'second: team/role',
      'fin: team/remove',
      'owner: team/remove',
      'second: team/remove',
    ]);
    const home = await owner.get(at(''));
    expect(home.text).toContain(`${email('fin')} saiu da equipe.`);
    expect((await owner.get(`${at('')}?lang=en`)).text).toContain('was removed from the team');
  });

  it('notifies a removed owner as well', async () => {
    await signedInAs('owner', 'victim');
    await submit(at(`/team/${await idOf('victim')}/remove`));
    expect(await kept()).toEqual(['owner: team/remove', 'victim: team/remove']);
  });

  it('notifies owners of keys, webhooks and controls in production, not in test', async () => {
    const key = { description: 'Loja', permissions: [...PERMISSIONS] };
    const hook = {
      name: 'Pedidos',
      endpoint: 'https://example.com/hook',
      secret: 'um segredo',
      events: 'checkout.completed',
    };
    for (const environment of ['dev', 'prod']) {
      await submit(at('/keys/new', environment), key);
      await submit(at('/webhooks/new', environment), hook);
      await submit(at('/controls', environment), { maxDayCents: '10,00', requiresSecondFactor: 'no' });
    }
    const [, revoke = ''] = /href="([^"]*\/revoke)"/.exec((await owner.get(at('/keys', 'prod'))).html) ?? [];
    await submit(revoke);
    expect(await kept()).toEqual([
      'owner: keys/create',
      'owner: webhooks/create',
      'owner: stores/payout-controls',
      'owner: keys/revoke',
    ]);
  });

  it('notifies owners of sub-accounts that people create and change in production', async () => {
    for (const environment of ['dev', 'prod']) {
      const fields = { name: 'Ana', taxId: '529.982.247-25', externalId: 'seller-42', password: PASSWORD };
      const list = at('/sub-accounts', environment);
      const { location } = await owner.submit(list, `${list}/new`, fields);
      const change = { name: 'Ana', externalId: 'seller-7', password: PASSWORD };
      await owner.submit(location ?? '', `${location}/change`, change);
    }
    expect(await kept()).toEqual(['owner: sub-accounts/create', 'owner: sub-accounts/update']);
    expect((await owner.get(`${at('')}?lang=en`)).text).toContain('A sub-account, whose money goes to');
  });

  it('notifies owners of new contacts on pages that payers see', async () => {
    await submit(at('/settings'), { name: 'Loja', city: 'SAO PAULO', supportEmail: 'eve@example.com' });
    expect(await kept()).toEqual(['owner: settings/update']);
    expect((await owner.get(`${at('')}?lang=en`)).text).toContain('that payers see were changed');
    await em().execute('delete from notice_mails', [], 'run');
    const done = { action: 'stores/update', subjectId: storeId, devMode: null, now: new Date() };
    await em().transactional((tx) => recordAction(tx, { kind: 'CLI', operator: 'ana', storeId }, done));
    expect(await kept()).toEqual(['owner: stores/update']);
  });

  it("notifies owners of all the person's stores when a second factor changes", async () => {
    const { id: otherId } = await createTestStore(app.database);
    await signedInAs('owner', 'other', otherId);
    await signedInAs('finance', 'fin', otherId);
    const fin = await signedInAs('finance', 'fin');
    const [begin, confirm] = [at('/account/second-factor/begin'), at('/account/second-factor/confirm')];
    const page = await fin.submit(at('/account/second-factor'), begin, { password: PASSWORD });
    const code = await codeFor(app.database, email('fin'), KEYS);
    await fin.post(confirm, { ...hiddenFields(page, confirm), password: PASSWORD, code });
    const notified = ['fin', 'fin', 'other', 'owner'];
    const publishedEventsOf = (action: string) => notified.map((name) => `${name}: ${action}`);
    expect(await keptSorted()).toEqual(publishedEventsOf('account/second-factor'));
    await em().execute('delete from notice_mails', [], 'run');
    const link = await linkOfUser(em(), { email: email('fin') }, 'RESET', new Date());
    await enterBy(new DashboardUser(app.api.url), link, { password: 'outra frase bem comprida' });
    const ofPassword = ['fin: account/password', 'fin: account/password'];
    expect(await keptSorted()).toEqual([...ofPassword, ...publishedEventsOf('account/second-factor/end')]);
  });

  it('notifies owners and the person of access links from the command line', async () => {
    await signedInAs('owner', 'second');
    for (const action of ['team/sign-in-link', 'team/reset-password'])
      await em().transactional(async (tx) => {
        const done = await personActions(tx, action, { email: email('owner') });
        await recordCliActions(tx, 'ana', done, new Date());
      });
    const noticesOf = (action: string) => [`owner: ${action}`, `second: ${action}`];
    expect(await kept()).toEqual([...noticesOf('team/sign-in-link'), ...noticesOf('team/reset-password')]);
  });

  it('notifies owners of changed provider accounts that receive money', async () => {
    const done = { action: 'accounts/rotate', subjectId: 'pacc_1', devMode: false, now: new Date() };
    const actor = { kind: 'CLI', operator: 'ana', storeId } as const;
    await em().transactional((tx) => recordAction(tx, actor, done));
    expect(await kept()).toEqual(['owner: accounts/rotate']);
    expect((await owner.get(at(''))).text).toContain('como a chave dos repasses');
  });

  it('groups repeated actions, so that no other notice is hidden', async () => {
    await signedInAs('finance', 'fin');
    await submit(at(`/team/${await idOf('fin')}/remove`));
    const { id: webhookId } = await insertWebhook(app.database, { storeId, devMode: false });
    const page = at(`/webhooks/${webhookId}`, 'prod');
    for (let round = 0; round < 12; round += 1) {
      await owner.submit(page, `${page}/disable`);
      await submit(`${page}/enable`);
    }
    const home = (await owner.get(at(''))).text;
    expect(home).toContain(`${email('fin')} saiu da equipe.`);
    expect(home.split('Um webhook de produção foi mudado.')).toHaveLength(2);
  });

  it('sends no notice when an endpoint that is off is switched off again', async () => {
    const { id: webhookId } = await insertWebhook(app.database, { storeId, devMode: false });
    const page = at(`/webhooks/${webhookId}`, 'prod');
    const form = hiddenFields(await owner.get(page), `${page}/disable`);
    for (const submission of ['one', 'two']) await owner.post(`${page}/disable`, { ...form, submission });
    expect(await kept()).toEqual(['owner: webhooks/update']);
  });

  it('notifies owners of a deleted webhook', async () => {
    const { id: webhookId } = await insertWebhook(app.database, { storeId, devMode: false });
    const page = at(`/webhooks/${webhookId}`, 'prod');
    await owner.submit(page, `${page}/delete`, { password: PASSWORD });
    expect(await kept()).toEqual(['owner: webhooks/delete']);
  });

  it('shows the notices to owners only', async () => {
    const fin = await signedInAs('finance', 'fin');
    await submit(at(`/team/${await idOf('fin')}/remove`));
    const sup = await signedInAs('support', 'sup');
    expect((await owner.get(at(''))).text).toContain('Segurança nos últimos 7 dias');
    expect((await sup.get(at(''))).text).not.toContain('Segurança');
    expect((await fin.get(at(''))).status).toBe(404);
  });
});

describe('somebody whose password is changed', () => {
  it('mails a changed password to its person, not to owners', async () => {
    const sup = await signedInAs('support', 'sup');
    const fields = { password: PASSWORD, newPassword: 'outra frase bem comprida' };
    await sup.submit(at('/account'), at('/account/password'), fields);
    expect(await kept()).toEqual(['sup: account/password']);
  });

  it('mails a password reset by a link, and records it in each store', async () => {
    const { id: otherId } = await createTestStore(app.database);
    await signedInAs('support', 'sup', otherId);
    await signedInAs('support', 'sup');
    const link = await linkOfUser(em(), { email: email('sup') }, 'RESET', new Date());
    await enterBy(new DashboardUser(app.api.url), link, { password: 'outra frase bem comprida' });
    expect(await kept()).toEqual(['sup: account/password', 'sup: account/password']);
  });
});

describe('a mail to owners', () => {
  const mailer = () =>
    new NoticeMailer(
      app.database,
      app.api.url,
      { smtpUrl: server.smtpUrl, from: 'x@example.com' },
      SILENT_LOG,
    );
  async function sendAt(now: Date, count = 1): Promise<void> {
    const mailers = Array.from({ length: count }, mailer);
    await Promise.all(mailers.map((each) => each.sendDue(now)));
    await Promise.all(mailers.map((each) => each.close()));
  }
  const mailsTo = (name: string) =>
    server.mails
      .map((mail) => mail.replace(/=\r\n/g, ''))
      .filter((mail) => mail.includes(`To: ${email(name)}`));
  const invite = () =>
    owner.submit(at('/team'), at('/team/invite'), {
      email: email('fin'),
      role: 'finance',
      password: PASSWORD,
    });

  it('goes five times a day about an action to an address that nobody has proven', async () => {
    const other = await createTestStore(app.database);
    const [local, ofOther] = [email('local'), email('local').replace('@', '+1@')];
    for (const [address, store] of [
      [local, storeId],
      [ofOther, other.id],
    ] as const) {
      await signedIn({ ...app, url: app.api.url }, store, 'owner', address);
      await em().nativeUpdate(UserEntity, { email: address }, { localStoreId: store });
    }
    const userId = await idOf('owner');
    const now = new Date();
    const record = async (store: StoreId, action: string) => {
      const person = { kind: 'PERSON', userId, role: 'owner', storeId: store, address: '' } as const;
      const done = { action, subjectId: store, devMode: false, now };
      await em().transactional((tx) => recordAction(tx, { ...person, submission: null }, done));
    };
    const send = async () => {
      for (let batch = 0; batch < 5; batch += 1) await sendAt(new Date(now.getTime() + 1_000));
    };
    // Another store with an account of the same mailbox hides none of this store's notices.
    for (let line = 0; line < 8; line += 1) await record(other.id, 'keys/create');
    await send();
    for (const action of ['settings/update', 'webhooks/update', 'keys/create'])
      for (let line = 0; line < 8; line += 1) await record(storeId, action);
    await send();
    const to = (address: string) => server.mails.filter((mail) => mail.includes(`To: ${address}`)).length;
    expect([to(ofOther), to(local), mailsTo('owner').length]).toEqual([5, 15, 24]);
    expect(await kept()).toEqual([]);
  });

  it('says what and who, is sent once by many workers, and only to owners', async () => {
    await invite();
    await sendAt(new Date(), 3);
    const [mail = ''] = mailsTo('owner');
    expect(mailsTo('owner')).toHaveLength(1);
    expect(mail).toContain(email('fin'));
    expect(mail).toContain('foi convidado para a equipe');
    expect(mail).toContain(`${storeId}/prod/audit`);
    expect(mail).not.toContain('/dashboard/enter/');
    expect(mailsTo('fin')).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  it('uses the language of the dashboard of its reader', async () => {
    await owner.get(`${at('')}?lang=es`);
    await invite();
    await sendAt(new Date());
    const [mail = ''] = mailsTo('owner');
    expect(mail).toContain('<html lang=3D"es">');
    expect(mail).not.toMatch(/foi convidado|was invited/);
  });

  it('uses Portuguese and English for somebody whose language is unknown', async () => {
    await em().nativeUpdate(UserEntity, { email: email('owner') }, { language: null });
    await invite();
    await sendAt(new Date());
    const [mail = ''] = mailsTo('owner');
    expect(mail).toMatch(/foi convidado[\s\S]*was invited/);
  });

  it('keeps a notice while the mail server is busy, and drops it after three days', async () => {
    server.refusals[email('owner')] = 451;
    await invite();
    await sendAt(new Date());
    expect(await kept()).toEqual(['owner: team/invite']);
    delete server.refusals[email('owner')];
    await sendAt(new Date(Date.now() + 4 * DAY_MS));
    expect([mailsTo('owner'), await kept()]).toEqual([[], []]);
  });

  it('deletes an old unsent notice when a new one is recorded', async () => {
    await invite();
    const longAgo = new Date(Date.now() - 4 * DAY_MS);
    await em().execute('update notice_mails set created_at = :longAgo', { longAgo }, 'run');
    await submit(at('/keys/new', 'prod'), { description: 'Loja', permissions: [...PERMISSIONS] });
    expect(await kept()).toEqual(['owner: keys/create']);
  });
});
