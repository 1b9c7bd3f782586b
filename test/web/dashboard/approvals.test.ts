import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { type Payout, PayoutEntity } from '../../../src/database/entities/payout.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { payoutControlsOf } from '../../../src/payouts/payout-controls.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  hiddenFields,
  secondFactorOf,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { payeeCode } from '../../support/outside/payee-codes.ts';
import { credit } from '../../support/rows/credit.ts';
import { setControls } from '../../support/rows/payout-controls.ts';

const PASSWORD = 'uma frase bem comprida';
const KEYS = new SecretsKeys([Buffer.alloc(32, 7).toString('base64')]);

let app: TestApp;
/** Ids of payouts whose workflow was started. */
let started: string[] = [];
let owner: DashboardUser;
let finance: DashboardUser;
let other: DashboardUser;
/** Codes of finance's second factor that are still good. */
let codes: string[];

beforeAll(async () => {
  const starter = { startSoon: ({ id }: { id: string }) => void started.push(id) };
  app = await createTestApp({ secretsKeys: KEYS, starter });
  const fixture = { url: app.api.url, database: app.database };
  [owner, finance, other] = [
    await signedIn(fixture, app.storeId, 'owner'),
    await signedIn(fixture, app.storeId, 'finance'),
    await signedIn(fixture, app.storeId, 'finance', 'other@example.com'),
  ];
  await em().nativeUpdate(UserEntity, {}, { passwordHash: await hashPassword(PASSWORD) });
  codes = [...(await secondFactorOf(app.database, 'finance@example.com', KEYS)).recoveryCodes];
  await credit(app.database, { storeId: app.storeId, devMode: true }, 10_000_000);
});
beforeEach(async () => {
  started = [];
  // Finance sends more transfers in this file than one person may in 15 minutes.
  await em().execute('delete from anonymous_traffic');
  await control({});
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const at = (path: string, environment = 'dev') => `/dashboard/${app.storeId}/${environment}${path}`;
const control = (controls: Parameters<typeof setControls>[2], devMode = true) =>
  setControls(app.database, { storeId: app.storeId, devMode }, controls);
const controlsOf = (devMode = true) => payoutControlsOf(em(), { storeId: app.storeId, devMode });
const linesOf = (subjectId: string) => em().find(AuditLineEntity, { subjectId }, { orderBy: { id: 'asc' } });
/** The page that a form leads to: the next one, or the form again if it was refused. */
const pageAfter = async (who: DashboardUser, sent: Awaited<ReturnType<DashboardUser['post']>>) =>
  sent.location === null ? sent : who.get(sent.location);

let transfers = 0;
async function transferForm(who: DashboardUser, fields: Record<string, string> = {}, environment = 'dev') {
  transfers += 1;
  const order = { amount: '150,00', type: 'EMAIL', key: 'ana@example.com', externalId: `t-${transfers}` };
  const sent = { ...order, password: PASSWORD, ...fields };
  return who.submit(at('/new-transfer', environment), at('/transfers', environment), sent);
}
const last = async () => (await em().findOneOrFail(PayoutEntity, { externalId: `t-${transfers}` })) as Payout;
/** A transfer sent by finance that waits for approval. */
async function waiting(): Promise<Payout> {
  await control({ approvalAboveCents: 10_000 });
  await transferForm(finance);
  return last();
}
const decide = (who: DashboardUser, { id }: Payout, decision: string, fields: Record<string, string> = {}) =>
  who.submit(at(`/approvals/${id}`), at(`/approvals/${id}`), { decision, password: PASSWORD, ...fields });

describe('the form that sends money', () => {
  it('shows before and after sending that a transfer waits, why and until when', async () => {
    await control({ approvalAboveCents: 10_000, newPayeeWaitHours: 24 });
    const form = await finance.get(at('/new-transfer'));
    expect(form.text).toContain('Acima de R$ 100,00, só sai quando outra pessoa aprova.');
    expect(form.text).toContain('Para uma chave Pix nova, espera 24 horas');
    const list = await pageAfter(finance, await transferForm(finance));
    expect(list.text).toContain(
      'Nada saiu ainda: o envio espera pela aprovação de outra pessoa (valor alto, chave Pix nova)',
    );
    expect(list.text).toContain('Aguarda aprovação');
    expect(list.html).toContain(at(`/approvals/${(await last()).id}`));
    expect((await finance.get(at(''))).text).toContain('espera por uma segunda pessoa');
    expect(started).toEqual([]);
    await em().nativeUpdate(PayoutEntity, {}, { approval: 'REJECTED' });
    expect((await finance.get(at(''))).text).not.toContain('espera por uma segunda pessoa');
  });

  it('keeps the txid of a BR Code, and shows it to the approver', async () => {
    await control({ approvalAboveCents: 10_000 });
    await transferForm(finance, { type: 'BR_CODE', key: payeeCode({ amountCents: 15_000 }) });
    const transfer = await last();
    expect(transfer).toMatchObject({ approval: 'WAITING', payeeTxid: 'PEDIDO1042' });
    const page = await owner.get(at(`/approvals/${transfer.id}`));
    expect(page.text).toContain('ana@example.com (txid PEDIDO1042)');
  });

  it.each([
    ['por envio', { maxPayoutCents: 14_999 }],
    ['diário desta loja', { maxDayCents: 14_999 }],
    ['diário para esta chave', { maxPayeeDayCents: 14_999 }],
  ])('names the limit that refuses it: %s', async (limit, controls) => {
    await em().nativeUpdate(PayoutEntity, {}, { status: 'FAILED' });
    await control(controls);
    const refused = await transferForm(finance);
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(limit) });
    expect(refused.text).toContain('No máximo R$ 149,99');
    expect(refused.html).toContain('value="150,00"');
    expect(started).toEqual([]);
  });

  it('keeps what was typed when a payout to the store’s own account is over a limit', async () => {
    await control({ maxPayoutCents: 14_999 });
    const fields = { amount: '150,00', externalId: 'own-1', password: PASSWORD };
    const refused = await finance.submit(at('/new-payout'), at('/payouts'), fields);
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('por envio') });
    expect(refused.html).toContain('value="own-1"');
  });
});

describe('approvals', () => {
  it("refuses approval by the sender, accepts another person's, and records both", async () => {
    const payout = await waiting();
    const own = await finance.get(at(`/approvals/${payout.id}`));
    expect(own.text).toContain('outra pessoa precisa aprová-lo');
    expect(own.html).not.toContain('value="approve"');
    const forced = await pageAfter(finance, await decide(finance, payout, 'approve'));
    expect(forced.text).toContain('Quem criou o envio não pode aprová-lo');
    expect(started).toEqual([]);

    const page = await other.get(at(`/approvals/${payout.id}`));
    expect(page.text).toContain('ana@example.com');
    expect(page.text).toContain('finance@example.com');
    expect(await decide(other, payout, 'approve', { password: 'outra frase comprida' })).toMatchObject({
      status: 422,
    });
    expect(started).toEqual([]);
    const done = await pageAfter(other, await decide(other, payout, 'approve'));
    expect(done.text).toContain('Aprovado: o dinheiro está a caminho.');
    expect(started).toEqual([payout.id]);
    expect(await linesOf(payout.id)).toMatchObject([
      { action: 'pix/send', actorKind: 'PERSON', role: 'finance' },
      { action: 'pix/approve', actorKind: 'PERSON', role: 'finance', devMode: true },
    ]);
    expect((await other.get(at(`/approvals/${payout.id}`))).text).toContain('Decidido por other@example.com');
  });

  it('refuses approval by the person whose API key sent the payout', async () => {
    await control({ approvalAboveCents: 10_000 });
    const { id: creatorId } = await em().findOneOrFail(UserEntity, { email: 'other@example.com' });
    await em().execute('update api_keys set creator_id = :creatorId', { creatorId });
    transfers += 1;
    const body = {
      amount: 15_000,
      externalId: `t-${transfers}`,
      pix: { type: 'EMAIL', key: 'ana@example.com' },
    };
    await app.api.post('/v2/pix/send', body);
    expect((await other.get(at(`/approvals/${(await last()).id}`))).html).not.toContain('value="approve"');
    const forced = await pageAfter(other, await decide(other, await last(), 'approve'));
    expect(forced.text).toContain('Quem criou o envio não pode aprová-lo');
  });

  it('keeps the first of two concurrent decisions, ten times', async () => {
    for (let round = 0; round < 10; round++) {
      started = [];
      const payout = await waiting();
      const path = at(`/approvals/${payout.id}`);
      // Both have the page open, so both can decide.
      const opened = async (user: DashboardUser) => hiddenFields(await user.get(path), path);
      const [ofOwner, ofOther] = [await opened(owner), await opened(other)];
      const answers = await Promise.all([
        owner.post(path, { ...ofOwner, decision: 'approve', password: PASSWORD }),
        other.post(path, { ...ofOther, decision: 'reject', password: PASSWORD }),
      ]);
      const isDone = ({ location }: { location: string | null }) => location === at('/approvals');
      expect(answers.filter(isDone)).toHaveLength(1);
      const { approval } = (await em().findOneOrFail(PayoutEntity, { id: payout.id })) as Payout;
      expect(approval).toBe(answers.map(isDone).indexOf(true) === 0 ? 'APPROVED' : 'REJECTED');
      expect(started).toEqual([payout.id]);
      expect((await owner.get(at(`/approvals/${payout.id}`))).html).not.toContain('name="decision"');
      expect(await linesOf(payout.id)).toHaveLength(2);
    }
  });

  it('refuses approval from a page opened before another person decided', async () => {
    const payout = await waiting();
    const path = at(`/approvals/${payout.id}`);
    const hidden = hiddenFields(await other.get(path), path);
    await decide(owner, payout, 'reject');
    const late = await pageAfter(
      other,
      await other.post(path, { ...hidden, decision: 'approve', password: PASSWORD }),
    );
    expect(late.text).toContain('Não aguarda mais');
    expect(await last()).toMatchObject({ approval: 'REJECTED' });
  });

  it('refuses a late approval, but lets the creator reject the payout', async () => {
    const payout = await waiting();
    await em().nativeUpdate(PayoutEntity, { id: payout.id }, { approvalDueAt: new Date(Date.now() - 1_000) });
    const late = await pageAfter(other, await decide(other, payout, 'approve'));
    expect(late.text).toContain('Já foi aprovado, recusado ou encerrado.');
    expect(started).toEqual([]);
    await decide(finance, payout, 'reject');
    expect(await last()).toMatchObject({ approval: 'REJECTED' });
    expect((await linesOf(payout.id)).map(({ action }) => action)).toEqual(['pix/send', 'pix/reject']);
  });

  it('returns 404 in another environment and for a payout that needed no approval', async () => {
    const payout = await waiting();
    expect((await other.get(at(`/approvals/${payout.id}`, 'prod'))).status).toBe(404);
    await control({});
    await transferForm(finance);
    expect((await other.get(at(`/approvals/${(await last()).id}`))).status).toBe(404);
  });
});

describe('a code of the second factor', () => {
  it('requires a code from the sender if controls say so, and accepts each code once', async () => {
    await control({ requiresSecondFactor: true });
    expect((await finance.get(at('/new-payout'))).html).toContain('name="code"');
    const [code = '', next = ''] = codes.splice(0, 2);
    expect(await transferForm(finance)).toMatchObject({ status: 422 });
    expect(await transferForm(finance, { code: '000000' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('O código não está certo'),
    });
    // A wrong password uses up no code.
    expect(await transferForm(finance, { code, password: 'outra frase comprida' })).toMatchObject({
      status: 422,
    });
    expect(started).toEqual([]);
    expect(await transferForm(finance, { code })).toMatchObject({ status: 303 });
    expect(started).toHaveLength(1);
    expect(await transferForm(finance, { code })).toMatchObject({ status: 422 });
    expect(await transferForm(finance, { code: next })).toMatchObject({ status: 303 });
  });

  it('requires a code from the approver and leads people without one to set it up', async () => {
    const payout = await waiting();
    await control({ requiresSecondFactor: true });
    const page = await other.get(at(`/approvals/${payout.id}`));
    expect(page.text).toContain('Isto pede um segundo fator, e você ainda não tem um.');
    expect(page.html).toContain(at('/account'));
    expect(page.html).not.toContain('field__problem');
    const refused = await decide(other, payout, 'approve', { code: '000000' });
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.html.split('Isto pede um segundo fator')).toHaveLength(2);
    expect(refused.html).toContain('class="field__problem"');
    expect(started).toEqual([]);
    const [code = ''] = codes.splice(0, 1);
    expect(await decide(finance, payout, 'reject', { code })).toMatchObject({ status: 303 });
  });

  it('requires a code only in environments whose controls say so', async () => {
    await control({ requiresSecondFactor: true }, false);
    expect((await finance.get(at('/new-transfer', 'prod'))).html).toContain('name="code"');
    expect((await finance.get(at('/new-transfer'))).html).not.toContain('name="code"');
    expect(await transferForm(finance, {}, 'prod')).toMatchObject({ status: 422 });
    await control({}, false);
  });
});

describe('the page of the controls', () => {
  const save = (who: DashboardUser, fields: Record<string, string>) =>
    who.submit(at('/controls'), at('/controls'), { password: PASSWORD, ...fields });
  const linesOfControls = () =>
    em().find(AuditLineEntity, { action: 'stores/payout-controls' }, { orderBy: { id: 'asc' } });

  it('saves what an owner types, with a line in the audit log that names the changes', async () => {
    const fields = { maxDayCents: '50.000,00', approvalAboveCents: '0,00', newPayeeWaitHours: '24' };
    const saved = await pageAfter(owner, await save(owner, fields));
    expect(saved.text).toContain('Salvo.');
    expect(saved.html).toContain('value="50.000,00"');
    expect(await controlsOf()).toMatchObject({
      maxPayoutCents: null,
      maxDayCents: 5_000_000,
      approvalAboveCents: 0,
      newPayeeWaitHours: 24,
    });
    const [line] = await linesOfControls();
    expect(line).toMatchObject({ actorKind: 'PERSON', role: 'owner', devMode: true });
    expect(JSON.parse(line?.details ?? '')).toEqual({
      maxDayCents: 5_000_000,
      approvalAboveCents: 0,
      newPayeeWaitHours: 24,
    });
    await save(owner, {});
    expect(await controlsOf()).toMatchObject({ maxDayCents: null, newPayeeWaitHours: null });
  });

  it.each([
    [{ maxPayoutCents: '0,00' }, 'Escreva um valor como 5.000,00'],
    [{ maxDayCents: 'mil' }, 'Escreva um valor em reais'],
    [{ newPayeeWaitHours: '169' }, 'Escreva de 1 a 168 horas'],
    [{ newPayeeWaitHours: '1.5' }, 'Escreva de 1 a 168 horas'],
    [{ requiresSecondFactor: 'yes' }, 'Ligue primeiro o seu, em Sua conta.'],
    [{ password: 'outra frase comprida' }, 'A senha não está certa.'],
  ])('refuses %p and saves nothing', async (fields, words) => {
    const refused = await save(owner, { maxPayeeDayCents: '7,00', ...fields });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(words) });
    expect(refused.html).toContain('value="7,00"');
    expect(await controlsOf()).toMatchObject({ maxPayeeDayCents: null, requiresSecondFactor: false });
  });

  it('keeps changes that someone else saved after the form was opened', async () => {
    await control({ maxDayCents: 100 });
    const seen = 'off/off/off/off/off/off/false';
    const late = await pageAfter(owner, await save(owner, { seen, maxDayCents: '' }));
    expect(late.text).toContain('Alguém mudou os controles enquanto isso.');
    expect(await controlsOf()).toMatchObject({ maxDayCents: 100 });
  });

  it('returns 403 for the controls to anyone but an owner', async () => {
    expect((await finance.get(at('/controls'))).status).toBe(403);
    expect((await finance.get(at('/controls/second-factor'))).status).toBe(403);
  });
});
