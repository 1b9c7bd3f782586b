import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UserEntity } from '../../src/database/entities/user.ts';
import { InvitationMailer } from '../../src/mail/invitation-mailer.ts';
import { createTestStore } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import {
  DashboardUser,
  enterBy,
  givePassword,
  PASSWORD,
  type Page,
  signedIn,
} from '../support/dashboard/dashboard-user.ts';
import { decodedMail, type MailServer, startMailServer } from '../support/outside/mail-server.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

const FROM = 'equipe@example.com';

let app: MoneyApp;
let server: MailServer;
let owner: DashboardUser;
beforeAll(async () => {
  server = await startMailServer({ later: 451, never: 550 });
  app = await createMoneyApp({ config: { mail: { smtpUrl: server.smtpUrl, from: FROM } } });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await givePassword(app.database);
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const em = () => app.database.em.fork();
const invite = (email: string, fields: Record<string, string> = {}) =>
  owner.submit(at('/team'), at('/team/invite'), { email, role: 'finance', password: PASSWORD, ...fields });
const mailsTo = (email: string) =>
  server.mails.map(decodedMail).filter((mail) => mail.includes(`To: ${email}`));
const linkIn = (mail: string) => /\/dashboard\/enter\/[\w-]+/.exec(mail)?.[0] ?? '';

async function unsent() {
  return em().execute<{ attempts: number; next: string; role: string }[]>(
    'select attempts, next_attempt_at::text as next, role from invitation_mails',
  );
}

/** A mailer of another worker, at a time of the test's choice. */
async function sendAt(at: Date, count = 1): Promise<number> {
  const mailers = Array.from(
    { length: count },
    () =>
      new InvitationMailer(app.database, app.api.url, { smtpUrl: server.smtpUrl, from: FROM }, SILENT_LOG),
  );
  const taken = await Promise.all(mailers.map((mailer) => mailer.sendDue(at)));
  await Promise.all(mailers.map((mailer) => mailer.close()));
  return taken.reduce((sum, each) => sum + each);
}

it('mails the invited person a link to join, and shows it on no page', async () => {
  const answer = await invite('ana@example.com');
  expect(answer).toMatchObject({ status: 303, location: at('/team') });
  const team = await owner.get(at('/team'));
  expect(team.text).toContain('O convite vai por e-mail a ana@example.com.');
  expect(team.html).not.toContain('/dashboard/enter/');
  const [mail = ''] = await eventually(() => {
    const mails = mailsTo('ana@example.com');
    expect(mails).toHaveLength(1);
    return mails;
  });
  expect(mail).toMatch(/^From: Loja Teste <equipe@example.com>\r\nTo: ana@example.com\r\n/m);
  expect(mail).toContain('Subject: Convite para o painel – Loja Teste');
  expect(mail).toContain('financeiro');
  const { id } = await em().findOneOrFail(UserEntity, { email: 'ana@example.com' });
  expect(mail).toMatch(/^Message-ID:\s+<invitation\.invt_/m);
  expect(mail).not.toContain(id);
  const ana = new DashboardUser(app.api.url);
  const entered = await enterBy(ana, linkIn(mail), { name: 'Ana', password: PASSWORD });
  expect(entered).toMatchObject({ status: 303 });
  expect((await ana.get(at('/new-payout'))).status).toBe(200);
  await eventually(async () => expect(await unsent()).toEqual([]));
  expect(mailsTo('ana@example.com')).toHaveLength(1);
  const rows = await kept();
  expect(JSON.stringify([rows, app.logged])).not.toContain(linkIn(mail).split('/').at(-1));
});

/** Rows of links and invitation mails. */
async function kept() {
  return em().execute('select * from one_time_links left join invitation_mails using (user_id)');
}

it('retries later after a busy mail server, and sends one mail from parallel workers', async () => {
  await invite('later@example.com');
  await eventually(() => expect(server.refused).toContain('later@example.com'));
  expect((await owner.get(at('/team'))).text).toContain('A caminho');
  delete server.refusals.later;
  expect(await sendAt(new Date(Date.now() + 6 * 60_000), 3)).toBe(1);
  expect(mailsTo('later@example.com')).toHaveLength(1);
  expect(await unsent()).toEqual([]);
});

it('shows the inviter that an address was refused, and offers a link instead', async () => {
  await invite('never@example.com');
  await eventually(async () => expect(await unsent()).toMatchObject([{ next: 'infinity' }]));
  expect((await owner.get(at('/team'))).text).toContain('Não foi aceito');
  expect(JSON.stringify(app.logged)).not.toContain('never@example.com');
  const shown = await invite('never@example.com', { by: 'link' });
  const never = new DashboardUser(app.api.url);
  expect(await enterBy(never, linkIn(shown.html), { name: 'Nova', password: PASSWORD })).toMatchObject({
    status: 303,
  });
});

it('sends no invitation to someone removed from the team before it was mailed', async () => {
  server.refusals.gone = 451;
  await invite('gone@example.com');
  await eventually(() => expect(server.refused).toContain('gone@example.com'));
  const shown = await invite('gone@example.com', { by: 'link' });
  await enterBy(new DashboardUser(app.api.url), linkIn(shown.html), { name: 'Gil', password: PASSWORD });
  const local = { email: 'gone@example.com', localStoreId: app.storeId };
  const { id } = await em().findOneOrFail(UserEntity, local);
  await owner.submit(at(`/team/${id}/remove`), at(`/team/${id}/remove`), { password: PASSWORD });
  delete server.refusals.gone;
  await sendAt(new Date(Date.now() + 6 * 60_000));
  expect(mailsTo('gone@example.com')).toEqual([]);
});

it('mails from the command line, and prints the link with --link or without SMTP', async () => {
  const { database } = app;
  const env = { DATABASE_URL: database.config.get('clientUrl') ?? '', PUBLIC_URL: app.api.url };
  const mail = { SMTP_URL: server.smtpUrl, SMTP_FROM: FROM };
  const command = `users invite --store ${app.storeId} --email bia@example.com --role support`;
  for (const [line, given] of [
    [command, env],
    [`${command} --link`, { ...env, ...mail }],
  ] as const)
    expect(await run(line, given)).toMatchObject({
      code: 0,
      out: expect.stringContaining('/dashboard/enter/'),
    });
  const mailed = await run(command, { ...env, ...mail });
  expect(mailed).toMatchObject({ code: 0, out: expect.not.stringContaining('/dashboard/enter/') });
  await eventually(() => expect(mailsTo('bia@example.com')).toHaveLength(1));
});

it('limits a store to fifty mailed invitations a day, but not invitations by link', async () => {
  const fixture = { url: app.api.url, database: app.database };
  const other = await createTestStore(app.database);
  const thief = await signedIn(fixture, other.id, 'owner', 'thief@example.com');
  await givePassword(app.database);
  const team = `/dashboard/${other.id}/dev/team`;
  const inviteOne = (index: number, fields: Record<string, string> = {}) =>
    thief.submit(team, `${team}/invite`, {
      email: `refused-never-${index}@example.com`,
      role: 'support',
      password: PASSWORD,
      ...fields,
    });
  const answers: Page[] = [];
  // More passwords of one session at once would count as guesses.
  for (let first = 0; first < 55; first += 5)
    answers.push(...(await Promise.all([0, 1, 2, 3, 4].map((index) => inviteOne(first + index)))));
  expect(Map.groupBy(answers, ({ status }) => status).get(303)).toHaveLength(50);
  expect(Map.groupBy(answers, ({ status }) => status).get(429)).toHaveLength(5);
  const rows = await em().execute('select user_id from invitation_mails where store_id = :id', {
    id: other.id,
  });
  expect(rows.length).toBeLessThanOrEqual(50);
  expect(await inviteOne(99, { by: 'link' })).toMatchObject({ status: 200 });
  expect(await invite('still@example.com')).toMatchObject({ status: 303 });
});
