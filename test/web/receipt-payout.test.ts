import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ShownPayout } from '../../src/api/payouts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import type { PayoutId } from '../../src/domain/ids.ts';
import type { PayoutStatus } from '../../src/domain/payout.ts';
import { buildBrCode } from '../../src/domain/pix.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { credit } from '../support/rows/credit.ts';
import { launchBrowser } from '../support/web/browser.ts';

/** In UTC the next day has begun; in São Paulo it is still Wednesday, 2 December. */
const SENT_AT = new Date('2026-12-03T02:05:09.000Z');
const E2E = 'E99999999202612030205V4T6R2W9ZB5';
const WIDEST_TEXT = 'W'.repeat(500);

let app: TestApp;
let browser: Browser;
let page: Page;
let sent = 0;
let now = new Date('2026-12-02T15:00:00.000Z');

beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: () => undefined } });
  browser = await launchBrowser();
  page = await browser.newPage();
  await credit(app.database, { storeId: app.storeId, devMode: true }, 10_000_000_000);
});
beforeEach(() => {
  sent += 1;
  now = new Date(now.getTime() + 60_000);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** A payout, or a transfer to `pix`, that has come so far. @returns its id and the address of its receipt. */
async function send({
  pix,
  status = 'COMPLETE',
  ...body
}: {
  pix?: object;
  status?: PayoutStatus;
  [field: string]: unknown;
} = {}) {
  const order = { amount: 128_990, externalId: `order-${sent}`, ...body };
  const path = pix === undefined ? '/v2/payouts/create' : '/v2/pix/send';
  const created = await app.api.post(path, { ...order, ...(pix !== undefined && { pix }) });
  const { id } = dataOf<ShownPayout>(created);
  const endToEndIdentifier = status === 'COMPLETE' ? E2E : null;
  const changes = { status, endToEndIdentifier, updatedAt: SENT_AT };
  await app.database.em.fork().nativeUpdate(PayoutEntity, { id: id as PayoutId }, changes);
  return { id, url: `${app.api.url}/receipt/${id}` };
}

/** The values of the receipt by part and label, as a reader finds them. */
async function facts(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const part of await page.locator('section').all()) {
    const title = await part.getByRole('heading').innerText();
    for (const row of await part.locator('dl > div').all()) {
      found[`${title}: ${await row.locator('dt').innerText()}`] = await row.locator('dd').innerText();
    }
  }
  return found;
}

describe('the receipt of a payout', () => {
  it('shows amount, payee, time in São Paulo and end-to-end identifier of a payout', async () => {
    const { id, url } = await send({ description: 'Semana 47', pix: { type: 'CPF', key: '111.444.777-35' } });
    await page.goto(url);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Comprovante de transferência');
    expect(await page.locator('.receipt__amount').innerText()).toBe('R$\u00a01.289,90');
    expect(await page.locator('time').innerText()).toBe('02/12/2026, 23:05:09');
    expect(await facts()).toEqual({
      'Quem recebeu: Chave Pix': 'CPF 111.***.***-**',
      'Quem enviou: Nome': 'Loja Teste',
      'Transferência: Forma de envio': 'Pix',
      'Transferência: Valor enviado': 'R$\u00a01.289,90',
      'Transferência: Descrição': 'Semana 47',
      'Transferência: ID da transação Pix': E2E,
      'Transferência: Identificação do envio': id,
    });
    expect(await page.content()).not.toContain('11144477735');
    expect(await page.getByText(url, { exact: true }).isVisible()).toBe(true);
  });

  it("says that a payout went to the store's own account", async () => {
    const em = app.database.em.fork();
    await em.nativeUpdate(StoreEntity, { id: app.storeId }, { taxId: '12ABC34501DE35' });
    await page.goto((await send()).url);
    await em.nativeUpdate(StoreEntity, { id: app.storeId }, { taxId: null });
    expect(await facts()).toMatchObject({
      'Quem recebeu: Conta': 'Conta da própria loja',
      'Quem enviou: CNPJ': '12.ABC.345/01DE-35',
    });
  });

  const brCode = buildBrCode({
    key: '11144477735',
    merchantName: 'Carla Dias',
    merchantCity: 'Recife',
    amountCents: 128_990,
    txid: 'PEDIDO1042',
  });
  it.each([
    ['CNPJ', '11222333000181', 'CNPJ 11.***.***/0001-**', '11222333000181'],
    ['PHONE', '+5511912345678', '+5511 *****-5678', '91234'],
    ['EMAIL', 'carla.dias@example.com', 'c***@example.com', 'carla'],
    ['BR_CODE', brCode, 'Pix Copia e Cola', '11144477735'],
  ])('shows of a key of type %s no more than its owner needs: %s as %s', async (type, key, shown, hidden) => {
    await page.goto((await send({ pix: { type, key } })).url);
    expect(await facts()).toMatchObject({ 'Quem recebeu: Chave Pix': shown });
    expect(await page.content()).not.toContain(hidden);
  });

  it('shows a random key, which says nothing of its owner, and whom a BR Code names', async () => {
    const key = '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50';
    await page.goto((await send({ pix: { type: 'RANDOM', key } })).url);
    expect(await facts()).toMatchObject({ 'Quem recebeu: Chave Pix': key });
    await page.goto((await send({ externalId: 'by code', pix: { type: 'BR_CODE', key: brCode } })).url);
    expect(await facts()).toMatchObject({ 'Quem recebeu: Nome': 'Carla Dias' });
  });

  it('marks the receipt of a test payout and no other', async () => {
    const { id, url } = await send();
    await page.goto(url);
    const notice = page.getByText('Ambiente de teste — esta transferência não é real');
    expect(await notice.isVisible()).toBe(true);
    await app.database.em.fork().nativeUpdate(PayoutEntity, { id: id as PayoutId }, { devMode: false });
    await page.reload();
    expect(await notice.count()).toBe(0);
  });

  it('shows that a payout is not sent while it waits for an approval', async () => {
    const { id, url } = await send({ status: 'PENDING' });
    await app.database.em.fork().nativeUpdate(PayoutEntity, { id: id as PayoutId }, { approval: 'WAITING' });
    const html = await (await fetch(url)).text();
    expect(html).toContain('Aguarda a aprovação de quem envia: nada foi enviado ainda.');
    expect(html).not.toContain('o banco ainda não confirmou');
  });

  it('shows descriptions as they are, never runs them', async () => {
    const description = `"><script>document.title='owned'</script>'&amp;`;
    await page.goto((await send({ description })).url);
    expect(await facts()).toMatchObject({ 'Transferência: Descrição': description });
    expect(await page.title()).not.toBe('owned');
  });
});

describe('the receipt of a payout that has not arrived', () => {
  it.each([
    ['PENDING', 'Transferência em processamento', /Em processamento/],
    ['FAILED', 'Transferência não concluída', /voltou para o saldo de quem enviou/],
  ] as const)('shows the state of a transfer from the start: %s', async (status, title, state) => {
    const { url } = await send({ status, pix: { type: 'CPF', key: '11144477735' } });
    await page.goto(url);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.getByText(state).isVisible()).toBe(true);
    expect(await page.locator('main').innerText()).not.toMatch(/Comprovante|concluída com|E2E|144\.?777/);
    expect(await facts()).toMatchObject({ 'Para quem: Chave Pix': 'CPF 111.***.***-**' });
  });

  it.each([`tran_${'0'.repeat(26)}`, 'tran_', 'tran_1', `tran_${'0'.repeat(25)}%00`])(
    'returns 404 for a transfer that does not exist: %s',
    async (id) => {
      expect((await app.api.get(`/receipt/${id}`, { key: null })).status).toBe(404);
    },
  );
});

describe('on paper and on phones', () => {
  const longest = () =>
    send({
      amount: 9_000_000_000,
      description: WIDEST_TEXT,
      pix: { type: 'EMAIL', key: `a@${'w'.repeat(71)}.com` },
    });

  it('prints the longest texts on one page and scrolls nothing sideways on a phone', async () => {
    await page.goto((await longest()).url);
    await page.emulateMedia({ media: 'print' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 320, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
