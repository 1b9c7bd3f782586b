import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { civilDate } from '../../src/domain/civil-date.ts';
import { renderBoletoPage } from '../../src/web/boleto/boleto-page.ts';
import { inLanguage } from '../../src/web/frame/language.ts';
import { insertCheckout } from '../support/rows/checkout-rows.ts';
import { buildBoletoPageView } from '../support/web/boleto-page-view.ts';
import { CHECKOUT_PAGES } from '../support/web/checkout-states.ts';
import { createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';
import { SUBSCRIBER_PAGES } from '../support/web/subscriber-states.ts';

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp();
});
afterAll(() => app.close());

const open = (path: string, language: string) =>
  app.api.call(path, { key: null, headers: { 'Accept-Language': language } });

describe('what payers open', () => {
  it.each([
    ['en-US,en;q=0.9,pt;q=0.8', 'en', 'Get Pix code for R$\u00a0100,00'],
    ['es-AR,es;q=0.9', 'es', 'Generar Pix de R$\u00a0100,00'],
    ['pt-PT', 'pt-BR', 'Gerar Pix de R$\u00a0100,00'],
    ['de, en;q=0.5', 'en', 'Get Pix code for R$\u00a0100,00'],
    ['ja', 'pt-BR', 'Gerar Pix de R$\u00a0100,00'],
    ['*', 'pt-BR', 'Gerar Pix de R$\u00a0100,00'],
  ])('answers %s with a page in %s', async (asked, lang, button) => {
    const { id } = await insertCheckout(app);
    const { text, headers } = await open(`/pay/${id}`, asked);
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).toContain(button);
    expect(headers.get('vary')).toContain('Accept-Language');
  });

  it('shows errors and 404 pages in the same language', async () => {
    const { id } = await insertCheckout(app);
    const english = { 'Accept-Language': 'en' };
    const refused = await app.send(`/pay/${id}`, payFormOf({ method: 'PIX', payerEmail: 'ana@' }), english);
    expect(refused.text).toContain('Check the e-mail address');
    expect((await open('/pay/bill_0', 'es')).text).toContain('Página de pago no encontrada');
  });

  it('mixes no Portuguese into an English page in any state', async () => {
    // The store's own texts keep their language.
    const OWN =
      /(?:item__name|up-sell__title|up-sell__name)[^>]*>[^<]*|og:description"[^>]*|<dt>\d+ × [^<]*/g;
    // Banks read the slip.
    const SLIP = /<article class="slip[\s\S]*<\/article>/;
    const portuguese = /[>"][^<>"]*\b(?:você|não|pagamento|cartão|código|assinatura|para|foi|é)\b[^<>"]*/i;
    const found = new Set<string>();
    for (const make of Object.values({ ...CHECKOUT_PAGES, ...SUBSCRIBER_PAGES })) {
      const { path } = await make(app);
      const { text } = await open(path, 'en');
      found.add(portuguese.exec(text.replace(SLIP, '').replace(OWN, ''))?.[0] ?? '');
    }
    expect([...found]).toEqual(['']);
  });
});

describe('a boleto', () => {
  const english = (view: Parameters<typeof buildBoletoPageView>[0]) =>
    inLanguage('en', () => renderBoletoPage(buildBoletoPageView(view)));
  const late = { today: civilDate('2026-11-22') };

  it("explains a boleto in the reader's language and keeps its slip in Portuguese", () => {
    const page = english(late);
    const [summary = '', slip = ''] = page.split('<article class="slip" lang="pt-BR"');
    for (const text of [
      'It was due on 10 Nov 2026, 12 days ago.',
      'Interest of 12 days',
      'stays in Portuguese, as banks read it',
    ])
      expect(summary).toContain(text);
    for (const text of ['Ficha de Compensação', 'Beneficiário', 'Nosso Número', 'cobrar multa de 2,00%'])
      expect(slip).toContain(text);
    expect(slip).not.toMatch(/\b(?:fine|interest|days|Pay)\b/);
  });

  it.each([
    [{}, 'Due on <strong>Tuesday, 10 Nov 2026</strong>'],
    [{ today: civilDate('2026-11-10') }, 'Due today, <strong>Tuesday'],
    [late, 'It can be paid until'],
    [{ payerName: null }, 'After that: a fine of 2,00% and interest of 1,00% a month'],
    [{ status: 'PAID', paid: { on: civilDate('2026-11-09'), amountCents: 100 } }, 'Paid on 9 Nov 2026'],
    [{ status: 'EXPIRED' }, 'It could be paid until'],
    [{ status: 'CANCELLED' }, 'Do not pay this boleto'],
    [{ status: 'UNDER_DISPUTE' }, 'Do not pay again'],
    [{ status: 'REFUNDED' }, 'ask Papelaria Aurora Ltda. for a new boleto'],
    [{ status: 'FAILED' }, 'could not be registered'],
  ] as const)('describes a boleto with %j in English', (view, text) => {
    expect(english(view)).toContain(text);
  });
});
