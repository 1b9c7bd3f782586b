import { parentPort } from 'node:worker_threads';
import type { PdfAnswer, PdfRequest } from './pdf-renderer.ts';
import { renderInvoicePdf } from './render-invoice.ts';

/** The thread that renders invoices: `pdf-renderer.ts` starts it, sends it invoices and ends it. */

parentPort?.on('message', async ({ id, invoice, createdAt }: PdfRequest) => {
  try {
    answer({ id, file: await renderInvoicePdf(invoice, createdAt) });
  } catch (error) {
    answer({ id, error });
  }
});

function answer(given: PdfAnswer): void {
  parentPort?.postMessage(given);
}
