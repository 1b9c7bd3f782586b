import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { logoFileOf } from '../../src/domain/store-logo.ts';
import { DevMailLimit } from '../../src/mail/dev-mail-limit.ts';
import { ReceiptMailer } from '../../src/mail/receipt-mailer.ts';
import { setStoreLogo } from '../../src/stores/logo.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestStore } from '../support/api/app.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { type MailServer, startMailServer } from '../support/outside/mail-server.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer({ later: 451, never: 550 });
  const { smtpUrl } = server;
  app = await createMoneyApp({ config: { mail: { smtpUrl, from: 'recibos@example.com' } } });
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

/** Asks for a PIX on the page, and pays it. @returns what the payment is known by. */
async function pay(payerEmail: string, language = 'pt-BR', api = app.api): Promise<string> {
  const { id } = await buildCheckout(app.api, { methods: ['PIX'] });
  const answer = await fetch(`${api.url}/pay/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: api.url, 'Accept-Language': language },
    body: new URLSearchParams({
      method: 'PIX',
      payerName: 'Ana Souza',
      payerTaxId: '529.982.247-25',
      payerEmail,
    }),
  });
  const chargeId = answer.headers.get('location')?.split('/').at(-1) ?? '';
  const paid = dataOf<{ paymentId: string }>(await app.api.post('/v2/checkouts/simulate-payment', { id }));
  expect(paid.paymentId).toBe(chargeId);
  return chargeId;
}
const mailsOf = (chargeId: string) => server.mails.filter((mail) => mail.includes(`<receipt.${chargeId}@`));
const rowsOf = (chargeId: string) =>
  app.database.em
    .fork()
    .execute<{ attempts: number; next: string }[]>(
      'select attempts, next_attempt_at::text as next from receipt_mails where charge_id = :chargeId',
      { chargeId },
    );

it('mails one receipt in the language of the payer, with the tax id masked', async () => {
  const chargeId = await pay('ana@example.com', 'en-US');
  await eventually(() => expect(mailsOf(chargeId)).toHaveLength(1));
  const [mail = ''] = mailsOf(chargeId);
  expect(mail).toMatch(
    /^From: Loja Teste <recibos@example.com>\r\nTo: ana@example.com\r\nSubject: .*Receipt/m,
  );
  expect(mail).toContain(`/receipt/${chargeId}`);
  const { customerId } = await app.database.em
    .fork()
    .findOneOrFail(ChargeEntity, { id: chargeId as ChargeId });
  // Lines are wrapped (RFC 2045, quoted-printable).
  expect(mail.replaceAll('=\r\n', '')).toContain(`All your payments: ${app.api.url}/portal/${customerId}`);
  expect(mail).toContain('529.***.***-**');
  expect(mail).not.toMatch(/52998224725|529\.982/);
  await eventually(async () => expect(await rowsOf(chargeId)).toEqual([]));
  expect(mailsOf(chargeId)).toHaveLength(1);
});

it('removes bidi controls of the store name from the receipt', async () => {
  const em = app.database.em.fork();
  const { name } = await em.findOneOrFail(StoreEntity, { id: app.storeId }, { disableIdentityMap: true });
  await em.nativeUpdate(StoreEntity, { id: app.storeId }, { name: 'Loja \u202e\u2067Azul' });
  const chargeId = await pay('bia@example.com', 'en-US');
  await eventually(() => expect(mailsOf(chargeId)).toHaveLength(1));
  await em.nativeUpdate(StoreEntity, { id: app.storeId }, { name });
  // A name with controls would be encoded in the headers.
  expect(mailsOf(chargeId)[0]).toMatch(/^From: Loja Azul <recibos@example.com>/m);
  expect(mailsOf(chargeId)[0]).not.toMatch(/=E2=80=AE|=E2=81=A7/);
});

it('sends the logo of the store inside the mail', async () => {
  const file = logoFileOf('0'.repeat(32), { width: 144, height: 40 });
  const image = Buffer.from('a picture');
  const em = app.database.em.fork();
  await setStoreLogo(em, app.storeId, { file, image });
  const chargeId = await pay('carla@example.com');
  await eventually(() => expect(mailsOf(chargeId)).toHaveLength(1));
  await setStoreLogo(em, app.storeId, null);
  const [mail = ''] = mailsOf(chargeId);
  expect(mail.replaceAll('=\r\n', '')).toContain('src=3D"cid:store-logo"');
  expect(mail).toMatch(/Content-Type: image\/png.*Content-Id: <store-logo>/is);
  expect(mail).toContain(image.toString('base64'));
});

it('retries later after a busy mail server, and sends one mail from parallel workers', async () => {
  const chargeId = await pay('later@example.com');
  await eventually(() => expect(server.refused).toContain('later@example.com'));
  expect(mailsOf(chargeId)).toEqual([]);
  delete server.refusals.later;
  const { smtpUrl } = server;
  const mailers = Array.from(
    { length: 3 },
    () => new ReceiptMailer(app.database, app.api.url, { smtpUrl, from: 'recibos@example.com' }, SILENT_LOG),
  );
  const soon = new Date(Date.now() + 6 * 60_000);
  const taken = await Promise.all(mailers.map((mailer) => mailer.sendDue(soon)));
  expect(taken.reduce((sum, count) => sum + count)).toBe(1);
  expect(mailsOf(chargeId)).toHaveLength(1);
  expect(await rowsOf(chargeId)).toEqual([]);
  await Promise.all(mailers.map((mailer) => mailer.close()));
});

it('never retries or logs an address that was refused permanently', async () => {
  const chargeId = await pay('never@example.com');
  await eventually(async () => expect(await rowsOf(chargeId)).toMatchObject([{ next: 'infinity' }]));
  expect(server.refused.filter((address) => address === 'never@example.com')).toHaveLength(1);
  expect(JSON.stringify(app.logged)).not.toContain('never@example.com');
});

it('stores no receipt mail if no mail server is configured', async () => {
  const { id } = await buildCheckout(app.api, { methods: ['PIX'] });
  const { url } = app.apiWithoutTemporal;
  await fetch(`${url}/pay/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams({ method: 'PIX', payerEmail: 'bia@example.com' }),
  });
  const [row] = await app.database.em
    .fork()
    .execute<{ kept: string }[]>('select count(*) as kept from receipt_mails where due_at is null');
  expect(Number(row?.kept)).toBe(0);
});

it('sends no more than a hundred mails a day to an address in dev mode', async () => {
  const limit = new DevMailLimit(app.database);
  const place = { storeId: app.storeId, devMode: true };
  for (let number = 0; number < 100; number += 1)
    expect(await limit.isOver(place, `Flooded+${number}@example.com`)).toBe(false);
  const chargeId = await pay('flooded@example.com');
  await eventually(async () => expect(await rowsOf(chargeId)).toEqual([{ attempts: 1, next: 'infinity' }]));
  expect(mailsOf(chargeId)).toEqual([]);
  expect(await limit.isOver({ ...place, devMode: false }, 'flooded@example.com')).toBe(false);
  const { id: storeId } = await createTestStore(app.database);
  expect(await limit.isOver({ storeId, devMode: true }, 'somebody@example.com')).toBe(false);
});
