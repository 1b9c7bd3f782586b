import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from './invoice-document.ts';

export interface PdfRequest {
  readonly id: number;
  readonly invoice: InvoiceDocument;
  readonly createdAt: Date;
}

export type PdfAnswer =
  | { readonly id: number; readonly file: Uint8Array }
  | { readonly id: number; readonly error: unknown };

/** The thread and its fonts stay for a minute after the last invoice. */
const IDLE_MS = 60_000;

/**
 * Renders invoices one after the other in a thread of its own. Each takes 40 to 80 ms of a core: ten a second would delay payments, which
 * the same process accepts, by seconds. The thread starts with the first invoice and ends when nobody asks for one.
 */
export class PdfRenderer {
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<Buffer>>();

  /** @throws Error if the invoice cannot be rendered, or the thread has ended. */
  render(invoice: InvoiceDocument, createdAt: Date): Promise<Buffer> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Buffer>();
    this.#waiting.set(id, waiting);
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id, invoice, createdAt } satisfies PdfRequest);
    return waiting.promise;
  }

  #start(): Worker {
    // The options of this process, such as a watch on its parent, are not the thread's.
    const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { execArgv: [] });
    thread.on('message', (answer: PdfAnswer) => this.#settle(answer));
    thread.on('error', (error) => this.#failed(thread, error));
    thread.on('exit', () => this.#failed(thread, new Error('the thread that renders invoices has ended')));
    // After the listeners, because each of them keeps the process running again.
    thread.unref();
    return thread;
  }

  #settle(answer: PdfAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('file' in answer) waiting?.resolve(Buffer.from(answer.file));
    else waiting?.reject(answer.error);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }

  /** The next invoice starts a new thread. */
  #failed(thread: Worker, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const id of this.#waiting.keys()) this.#settle({ id, error });
  }
}
