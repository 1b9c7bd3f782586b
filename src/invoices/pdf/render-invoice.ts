import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { InvoiceDocument } from './invoice-document.ts';

const FONTS = '@expo-google-fonts/inter';
const fontOf = (file: string) => readFileSync(createRequire(import.meta.url).resolve(`${FONTS}/${file}`));
/** Of each only the used characters are embedded. */
const REGULAR = fontOf('400Regular/Inter_400Regular.ttf');
const BOLD = fontOf('600SemiBold/Inter_600SemiBold.ttf');

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN;
const GAP = 6;
const TEXT = '#1a1a1a';
const QUIET = '#555555';
/** The columns of the table: where each begins, how wide it is. */
const COLUMNS = [
  { x: 0, width: 248, align: 'left' },
  { x: 256, width: 50, align: 'right' },
  { x: 314, width: 80, align: 'right' },
  { x: 402, width: WIDTH - 402, align: 'right' },
] as const;

/** The library's types do not know it. */
const UA = 'PDF/UA' as never;

type Pdf = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

/**
 * An invoice as a tagged PDF (ISO 14289, PDF/UA): title, language, a table with header cells, and fonts of which the used characters are
 * embedded, so that screen readers and searches find its text.
 */
export function renderInvoicePdf(invoice: InvoiceDocument, createdAt: Date): Promise<Buffer> {
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin: MARGIN, pdfVersion: '1.7', subset: UA, tagged: true },
    ...{ lang: invoice.locale, displayTitle: true },
    info: { Title: invoice.title, CreationDate: createdAt, ModDate: createdAt },
  });
  const done = bytesOf(pdf);
  pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD).fillColor(TEXT);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  write(pdf, root, invoice);
  root.end();
  pdf.end();
  return done;
}

function bytesOf(pdf: Pdf): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  pdf.on('end', () => resolve(Buffer.concat(parts)));
  pdf.on('error', reject);
  return promise;
}

function write(
  pdf: Pdf,
  root: Element,
  { title, notice, facts, parties, heads, rows, totals }: InvoiceDocument,
) {
  if (notice !== null) paragraph(pdf, root, 'P', () => pdf.font('bold').fontSize(10).text(notice).moveDown());
  paragraph(pdf, root, 'H1', () => pdf.font('bold').fontSize(20).text(title).moveDown(0.5));
  for (const [label, value] of facts) labelled(pdf, root, label, value);
  for (const { heading, lines } of parties) {
    pdf.moveDown();
    paragraph(pdf, root, 'H2', () => pdf.font('bold').fontSize(12).text(heading, { width: WIDTH }));
    for (const line of lines)
      paragraph(pdf, root, 'P', () => pdf.font('regular').fontSize(10).text(line, { width: WIDTH }));
  }
  pdf.moveDown();
  const table = pdf.struct('Table');
  root.add(table);
  row(pdf, table, heads, { cell: 'TH', font: 'bold' });
  for (const cells of rows) row(pdf, table, cells, { cell: 'TD', font: 'regular' });
  table.end();
  pdf.moveDown();
  for (const [nth, [label, value]] of totals.entries())
    labelled(pdf, root, label, value, nth === 0 ? 'bold' : 'regular');
}

function paragraph(pdf: Pdf, parent: Element, type: string, draw: () => void): void {
  parent.add(pdf.struct(type, {}, draw));
}

function labelled(pdf: Pdf, parent: Element, label: string, value: string, font = 'regular'): void {
  const text = `${label}: ${value}`;
  paragraph(pdf, parent, 'P', () => pdf.font(font).fontSize(10).text(text, MARGIN, pdf.y, { width: WIDTH }));
}

interface RowStyle {
  readonly cell: 'TH' | 'TD';
  readonly font: 'regular' | 'bold';
}

/** A row never begins on one page and ends on the next one. */
function row(pdf: Pdf, table: Element, cells: readonly string[], { cell, font }: RowStyle): void {
  pdf.font(font).fontSize(10);
  const heights = cells.map((text, nth) =>
    pdf.heightOfString(text || ' ', { width: COLUMNS[nth]?.width ?? 0 }),
  );
  const height = Math.max(...heights) + GAP;
  if (pdf.y + height > BOTTOM) pdf.addPage();
  const top = pdf.y;
  const element = pdf.struct('TR');
  table.add(element);
  for (const [nth, text] of cells.entries()) {
    const { x, width, align } = COLUMNS[nth] ?? COLUMNS[0];
    const draw = () => {
      pdf
        .font(font)
        .fontSize(10)
        .text(text, MARGIN + x, top + GAP / 2, { width, align });
    };
    const scope = cell === 'TH' ? { scope: 'Column' } : {};
    element.add(pdf.struct(cell, scope as object, draw));
  }
  element.end();
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf
    .moveTo(MARGIN, top + height)
    .lineTo(MARGIN + WIDTH, top + height)
    .lineWidth(0.5)
    .strokeColor(cell === 'TH' ? QUIET : '#cccccc')
    .stroke();
  pdf.endMarkedContent();
  pdf.x = MARGIN;
  pdf.y = top + height;
}
