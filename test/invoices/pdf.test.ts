import { describe, expect, it } from '@jest/globals';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Invoice, NEW_INVOICE } from '../../src/database/entities/invoice.ts';
import type { InvoiceLine } from '../../src/domain/invoice.ts';
import type { InvoiceDetails } from '../../src/invoices/invoice-details.ts';
import { invoiceDocument } from '../../src/invoices/pdf/invoice-document.ts';
import { PdfRenderer } from '../../src/invoices/pdf/pdf-renderer.ts';
import { renderInvoicePdf } from '../../src/invoices/pdf/render-invoice.ts';
import type { Locale } from '../../src/web/i18n/catalogs.ts';

const AT = new Date('2026-12-04T14:25:31.004Z');
const MOST_BYTES = 100 * 1_024;

const line = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
  type: 'product',
  description: 'Café Ñandú com açúcar',
  productId: null,
  quantity: 2,
  unitPriceCents: 4_990,
  amountCents: 9_980,
  ...changes,
});
const DISCOUNT = line({
  ...{ type: 'discount', description: 'VERAO10', quantity: null, unitPriceCents: null },
  amountCents: -998,
});

function details(changes: Partial<Invoice> = {}): InvoiceDetails {
  const invoice = {
    ...NEW_INVOICE,
    ...{
      id: 'invc_x',
      storeId: 'store_x',
      devMode: false,
      status: 'PAID',
      checkoutId: 'bill_x',
      chargeId: 'card_x',
    },
    ...{ numberYear: 2026, numberInYear: 123, sellerName: 'Padaria São João', sellerTaxId: '11222333000181' },
    ...{
      customerId: null,
      lines: [line(), DISCOUNT],
      amountCents: 8_982,
      createdAt: AT,
      updatedAt: AT,
      paidAt: AT,
    },
    ...changes,
  } as Invoice;
  const payer = { name: 'José Araújo', taxId: '52998224725', email: null };
  return { invoice, payer, paidCents: 8_982, refundedCents: 1_000 };
}

const pdfOf = (given: InvoiceDetails, locale: Locale = 'pt-BR', showsTaxId = true) =>
  renderInvoicePdf(invoiceDocument(given, { locale, showsTaxId }), AT);

async function read(pdf: Buffer) {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, (_, nth) => document.getPage(nth + 1)),
  );
  const texts = await Promise.all(pages.map((page) => page.getTextContent()));
  const text = texts.flatMap(({ items }) => items.map((item) => ('str' in item ? item.str : ''))).join(' ');
  const trees = await Promise.all(pages.map((page) => page.getStructTree()));
  const { info } = await document.getMetadata();
  return { document, text: text.replace(/\s+/g, ' '), trees, info: info as Record<string, unknown> };
}

/** The roles of a structure tree, in the order of reading. */
function rolesOf(node: unknown): string[] {
  const { role, children = [] } = node as { role?: string; children?: unknown[] };
  return [...(role === undefined ? [] : [role]), ...children.flatMap(rolesOf)];
}

describe('the PDF of an invoice', () => {
  it('contains its text, so that it can be read aloud and searched', async () => {
    const { text } = await read(await pdfOf(details()));
    for (const part of [
      'Fatura 2026-000123',
      'Padaria São João',
      '11.222.333/0001-81',
      'José Araújo',
      '529.982.247-25',
      'Café Ñandú com açúcar',
      'Desconto: VERAO10',
      'Total: R$ 89,82',
      'Reembolsado: R$ 10,00',
    ])
      expect(text).toContain(part);
  });

  it('says its title and language, and is marked as tagged', async () => {
    const pdf = await pdfOf(details());
    const { info } = await read(pdf);
    expect(info).toMatchObject({ Title: 'Fatura 2026-000123', Language: 'pt-BR' });
    expect(pdf.toString('latin1')).toContain('/Marked true');
    expect(pdf.toString('latin1')).toContain('/DisplayDocTitle true');
    expect((await read(await pdfOf(details(), 'en'))).info).toMatchObject({
      Title: 'Invoice 2026-000123',
      Language: 'en',
    });
  });

  it('writes headings and a table with header cells in the order of reading', async () => {
    const { trees } = await read(await pdfOf(details()));
    const roles = rolesOf(trees[0]);
    expect(roles.filter((role) => /^H\d$/.test(role))).toEqual(['H1', 'H2', 'H2']);
    expect(roles.filter((role) => role === 'Table')).toHaveLength(1);
    expect(roles.filter((role) => role === 'TH')).toHaveLength(4);
    expect(roles.filter((role) => role === 'TD')).toHaveLength(8);
    expect(roles.indexOf('H1')).toBeLessThan(roles.indexOf('Table'));
  });

  it('embeds a part of its fonts and stays below 100 KB', async () => {
    const pdf = await pdfOf(details());
    const text = pdf.toString('latin1');
    expect(text).toMatch(/\/FontFile2/);
    expect(text).toMatch(/\/FontName \/[A-Z]{6}\+Inter/);
    expect(pdf.length).toBeLessThan(MOST_BYTES);
  });

  it('writes as many pages as the lines need, and stays below 100 KB', async () => {
    const lines = Array.from({ length: 100 }, (_, nth) =>
      line({ description: `Item ${nth + 1}: ${'muito longo '.repeat(8)}` }),
    );
    const pdf = await pdfOf(details({ lines }));
    const { document, text } = await read(pdf);
    expect(document.numPages).toBeGreaterThan(3);
    for (const nth of [1, 50, 100]) expect(text).toContain(`Item ${nth}: muito longo`);
    expect(text).toContain('Total:');
    expect(pdf.length).toBeLessThan(MOST_BYTES);
  });

  it('masks the tax id of the payer for readers who may not see it', async () => {
    const { text } = await read(await pdfOf(details(), 'pt-BR', false));
    expect(text.replaceAll(' ', '')).toContain('529.***.***-**');
    expect(text).not.toContain('982');
  });

  it('warns in dev mode that it is a test', async () => {
    const { text } = await read(await pdfOf(details({ devMode: true })));
    expect(text).toContain('Ambiente de teste');
  });
});

describe('the thread that renders invoices', () => {
  const renderer = new PdfRenderer();
  const document = invoiceDocument(details(), { locale: 'pt-BR', showsTaxId: true });

  it('renders many invoices while the process stays free for others', async () => {
    await renderer.render(document, AT);
    const before = [process.threadCpuUsage(), process.cpuUsage()] as const;
    const files = await Promise.all(Array.from({ length: 10 }, () => renderer.render(document, AT)));
    const [thread, all] = [process.threadCpuUsage(before[0]), process.cpuUsage(before[1])];
    for (const file of files) expect((await read(file)).text).toContain('Fatura 2026-000123');
    expect(thread.user / all.user).toBeLessThan(0.5);
  });

  it('renders the next invoice after one that cannot be rendered', async () => {
    const broken = renderer.render({ ...document, rows: null as never }, AT);
    await expect(broken).rejects.toThrow(/rows/);
    expect((await renderer.render(document, AT)).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
