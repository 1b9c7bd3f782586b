import { expect, it } from '@jest/globals';
import { contrastOf } from '../../src/domain/accent-color.ts';
import type { CivilDate } from '../../src/domain/civil-date.ts';
import { LANGUAGES } from '../../src/domain/language.ts';
import { renderInvitationMail } from '../../src/mail/invitation-mail.ts';
import { renderInvoiceMail } from '../../src/mail/invoice-mail.ts';
import { renderPayerCodeMail } from '../../src/mail/payer-code-mail.ts';
import { inLanguage } from '../../src/web/frame/language.ts';
import { type MailContent, renderMail } from '../../src/web/frame/mail-layout.ts';
import { renderReminderMail } from '../../src/web/frame/reminder-mail.ts';
import { renderSubscriptionReminderMail } from '../../src/web/frame/subscription-reminder-mail.ts';
import { sayAmount } from '../../src/web/i18n/money.ts';
import { renderReceiptMail } from '../../src/web/receipt/receipt-mail.ts';
import type { ReceiptView } from '../../src/web/receipt/receipt-view.ts';

const LOGO = '0123456789abcdef0123456789abcdef-432x86.png';
const STORE = {
  name: 'Café <Aurora>',
  supportEmail: 'ajuda@example.com',
  logoFile: null,
  accentColor: '#ffd54a',
};
const URL = 'https://pay.example.com';
const RECEIPT = {
  paidAmountCents: 14_990,
  devMode: false,
  url: `${URL}/receipt/1`,
  items: [],
  method: 'BOLETO',
  card: null,
  payerTaxId: null,
} as unknown as ReceiptView;
const CONTENT: MailContent = {
  locale: 'pt-BR',
  store: STORE,
  heading: 'Seu boleto vence hoje',
  amount: sayAmount(14_990),
  lines: [`O boleto de ${sayAmount(14_990)} vence hoje.`, 'Ele pode ser pago até amanhã.'],
  facts: [['Itens', '1 × Torra\n2 × Caneca']],
  links: [
    { text: 'Pagar', url: `${URL}/pay/1?a=1&b=2` },
    { text: 'Tudo', url: `${URL}/portal/1` },
  ],
  notes: ['Dúvidas?', null],
  unsubscribe: { text: 'Parar', url: `${URL}/unsubscribe/1` },
};

it('writes a text that reads in the order of the page, with full addresses', () => {
  expect(renderMail(CONTENT).text).toBe(`O boleto de R$ 149,90 vence hoje.

Ele pode ser pago até amanhã.

Itens: 1 × Torra, 2 × Caneca

Pagar: ${URL}/pay/1?a=1&b=2

Tudo: ${URL}/portal/1

Dúvidas?

Parar: ${URL}/unsubscribe/1
`);
});

it('begins with the first line, which mail programs show beside the subject', () => {
  const { subject, html } = renderMail(CONTENT);
  expect(subject).toBe('Seu boleto vence hoje – Café <Aurora>');
  expect(html.replaceAll(/<head>.*<\/head>|<[^>]+>|\n/gs, '')).toMatch(
    /^O boleto de R\$\u00a0149,90 vence hoje\./,
  );
});

it('loads nothing: its only picture is the logo that it contains', () => {
  const withLogo = renderMail({ ...CONTENT, store: { ...STORE, logoFile: LOGO } });
  expect(withLogo.logoFile).toBe(LOGO);
  expect(withLogo.html.match(/src="[^"]*"/g)).toEqual(['src="cid:store-logo"']);
  for (const { html } of [withLogo, renderMail(CONTENT)])
    expect(html).not.toMatch(/<link|<script|url\(|@import|@font-face/);
  expect(renderMail(CONTENT).html).not.toContain('<img');
});

it('writes its button in the colour of the store, readable in light and dark', () => {
  const { html } = renderMail(CONTENT);
  const [, light = ''] = /class="button" style="[^"]*background:(#[0-9a-f]{6})/.exec(html) ?? [];
  const [, dark = ''] = /\.button\{background:(#[0-9a-f]{6})!important/.exec(html) ?? [];
  const [, onDark = ''] = /\.press\{color:(#[0-9a-f]{6})!important/.exec(html) ?? [];
  expect(light).not.toBe(STORE.accentColor);
  expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(dark, onDark)).toBeGreaterThanOrEqual(4.5);
});

it('escapes the names that a store and its payers chose', () => {
  expect(renderMail(CONTENT).html).toContain('Café &lt;Aurora&gt;');
  expect(renderMail(CONTENT).html).not.toContain('<Aurora>');
});

it('keeps amounts on one line, but writes plain spaces in plain text', () => {
  const heading = `Pague ${sayAmount(14_990)}`;
  const facts = [['Total', sayAmount(14_990)]] as const;
  const { subject, text, html } = renderMail({ ...CONTENT, heading, facts });
  expect(html).toContain('Pague R$\u00a0149,90');
  expect(html).not.toMatch(/R\$ /);
  expect(subject).toContain('Pague R$ 149,90');
  expect(subject + text).not.toContain('\u00a0');
});

it('writes an amount smaller that has no room on a phone', () => {
  const classOf = (cents: number) =>
    /<p class="(\w*[aA]mount)"/.exec(renderMail({ ...CONTENT, amount: sayAmount(cents) }).html)?.[1];
  expect([classOf(123_456_789), classOf(100_000_000_000)]).toEqual(['amount', 'longAmount']);
});

it.each([
  ['2026-11-30T14:00:00Z', 'Você pagou R$ 149,90 a Café <Aurora> em 30/11/2026, 11:00, horário de Brasília.'],
  // What stands for a day of which the time is unknown.
  ['2026-11-30T15:00:00Z', 'Você pagou R$ 149,90 a Café <Aurora> em 30/11/2026.'],
])('names the time zone of a receipt only with a time, %s', (paidAt, line) => {
  const view = { ...RECEIPT, paidAt: new Date(paidAt) };
  expect(renderReceiptMail(view, STORE, URL, null).text).toContain(line);
});

it('writes the amount of an invoice also as text', () => {
  const invoice = { number: '2026/000012', amountCents: 8_900, devMode: false, portalPath: null };
  expect(renderInvoiceMail(invoice, STORE, URL).text).toContain('de R$ 89,00');
});

const LINKS = { portalPath: '/portal/1', unsubscribePath: '/unsubscribe/1' };

it.each(LANGUAGES)('leaves no key and no placeholder in a mail to payers in %s', (language) => {
  const dueDate = '2026-12-05' as CivilDate;
  const about = { ...LINKS, store: STORE, devMode: true, what: 'Torra' };
  const mails = inLanguage(language, () => [
    renderReminderMail(
      { ...about, dueDate, today: dueDate, dueCents: 14_990, lastDay: dueDate, payPath: '/boleto/1' },
      URL,
    ),
    renderSubscriptionReminderMail(
      { ...about, kind: 'PAST_DUE', amountCents: 8_900, date: dueDate, card: null, payPath: '/pay/1' },
      URL,
    ),
    renderInvoiceMail(
      { number: '2026/000012', amountCents: 8_900, devMode: true, portalPath: null },
      STORE,
      URL,
    ),
    renderPayerCodeMail(STORE, { code: '402913', proof: 'presentEmail' }),
  ]);
  for (const { subject, text } of mails) {
    expect(subject).toMatch(/\S+ – Café <Aurora>$/);
    expect(subject + text).not.toMatch(/[{}]|\b(reminder|portal|invoice|mail|receipt)\.\w/);
    expect(text).toContain('ajuda@example.com');
  }
});

it('offers no change of card to a payer who pays by Pix', () => {
  const { text } = inLanguage('en', () =>
    renderSubscriptionReminderMail(
      {
        ...{ ...LINKS, store: STORE, devMode: false, what: 'Torra', kind: 'PAST_DUE' },
        ...{ amountCents: 8_900, date: '2026-12-05' as CivilDate, card: null, payPath: '/pay/1' },
      },
      URL,
    ),
  );
  expect(text).toContain(`See the subscription: ${URL}/portal/1`);
  expect(text).not.toContain('card');
});

it.each([
  ['pt-BR', 'Convite para o painel'],
  ['en', 'Invitation to the dashboard'],
  ['es', 'Invitación al panel'],
  ['fr', 'Convite para o painel'],
])('invites in the language of the inviting member, %s', (language, heading) => {
  const { subject } = renderInvitationMail({ store: STORE, role: 'viewer', url: `${URL}/1`, language });
  expect(subject).toBe(`${heading} – Café <Aurora>`);
});

const PIX_RECEIPT = {
  ...{
    devMode: false,
    paidAmountCents: 100,
    paidAt: new Date('2026-11-30T12:00:00Z'),
    items: [],
    card: null,
  },
  ...{ url: `${URL}/receipt/1`, method: 'PIX', payerTaxId: '529.***.***-**' },
} as unknown as ReceiptView;
const receiptOf = (payerName: string) =>
  inLanguage('en', () => renderReceiptMail({ ...PIX_RECEIPT, payerName }, STORE, URL, null));

it.each(['Ana Souza', 'Aurora S.A.', 'J. P. d’Ávila', 'R.Souza'])(
  'names the payer %s in a mailed receipt',
  (name) => expect(receiptOf(name).text).toContain(`${name}, 529`),
);

it.each(['Ganhe em premio.example.com', 'https://evil', 'escreva a eve@evil', 'WWW.EVIL.COM'])(
  'leaves the payer %s out of a mailed receipt, where it would be a link',
  (name) => {
    const { text, html } = receiptOf(name);
    expect(text + html).not.toContain(name);
    expect(text).toContain('529.***.***-**');
  },
);
