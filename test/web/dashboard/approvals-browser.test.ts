import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { PayoutEntity } from '../../../src/database/entities/payout.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import { hashPassword } from '../../../src/identity/password.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { signedIn } from '../../support/dashboard/dashboard-user.ts';
import { faultsOf, openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { credit } from '../../support/rows/credit.ts';
import { launchBrowser } from '../../support/web/browser.ts';

const PASSWORD = 'uma frase bem comprida';

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await app.database.em.fork().nativeUpdate(UserEntity, {}, { passwordHash: await hashPassword(PASSWORD) });
  await credit(app.database, { storeId: app.storeId, devMode: true }, 10_000_000);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** The narrowest phone that pages are made for. */
const NARROW = { width: 320, colorScheme: 'light' } as const;

it.each([...SCREENS, NARROW])(
  'sets controls and approves a payout on a screen of $width pixels',
  async (screen) => {
    await app.database.em.fork().nativeUpdate(PayoutEntity, {}, { approval: 'REJECTED' });
    const { page, home, complaints } = await openTab(browser, app, 'owner', screen);
    const wrong: string[] = [];
    const look = async () => wrong.push(...(await faultsOf(page, screen)));
    await page.goto(`${home}/controls`);
    await page.getByLabel('Máximo por dia', { exact: true }).fill('mil');
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Escreva um valor em reais').waitFor();
    await look();
    await page.getByLabel('Máximo por dia', { exact: true }).fill('50.000,00');
    await page.getByLabel('Aprovação de outra pessoa acima de').fill('100,00');
    await page.getByLabel('Espera de uma chave Pix nova').fill('24');
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Salvo.').waitFor();
    await look();
    await page.getByRole('link', { name: 'Mudar' }).click();
    await look();

    const pix = { type: 'EMAIL', key: 'um-endereco-bastante-comprido@fornecedor.example.com' };
    const externalId = `t-${screen.width}`;
    await app.api.post('/v2/pix/send', { amount: 1_234_500, externalId, pix });
    await page.goto(`${home}/new-transfer`);
    await look();
    await page.goto(home);
    await page.getByRole('link', { name: 'Decidir' }).waitFor();
    await look();
    await page.goto(`${home}/payouts?kind=transfers`);
    await look();
    await page.goto(`${home}/approvals`);
    await look();
    await page.locator('td a').first().click();
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Escolha aprovar ou rejeitar.').waitFor();
    await look();
    await page.getByLabel('Decisão').selectOption({ label: 'Aprovar e enviar' });
    await page.getByLabel('Sua senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Aprovado: o dinheiro está a caminho.').waitFor();
    await look();
    expect(wrong).toEqual([]);
    // A refused form gets a 422, which the browser logs.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  },
);
