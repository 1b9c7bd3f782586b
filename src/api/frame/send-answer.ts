import type { CsvAnswer } from './csv.ts';
import type { MadeAnswer } from './make-answer.ts';
import { nextPageLink } from './next-page-link.ts';
import type { SentFile } from './route.ts';
import type { ApiContext } from './state.ts';

/** Sends a document that browsers show, such as a PDF. */
export function sendDocument(ctx: ApiContext, { name, type, body }: SentFile): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.set('Content-Disposition', `inline; filename="${name}"`);
  ctx.body = body;
}

/** Sends an answer in JSON. The parts of a list are kept for versions with another envelope. */
export function sendAnswer(ctx: ApiContext, answer: MadeAnswer): void {
  if (answer.replayed) ctx.set('Idempotent-Replayed', 'true');
  if (answer.list) ctx.state.list = answer.list;
  ctx.status = answer.status;
  ctx.type = 'application/json';
  ctx.body = answer.body;
}

/**
 * Sends a file named after the list. If the list continues, `Link` points to the next rows (RFC 8288).
 */
export function sendCsv(ctx: ApiContext, { body, next }: CsvAnswer, publicUrl: string): void {
  const [name = 'list'] = ctx.path.split('/').slice(-2);
  ctx.status = 200;
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (next !== null) ctx.set('Link', nextPageLink(ctx, publicUrl, next));
  ctx.body = body;
}
