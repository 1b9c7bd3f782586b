import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { ChargeEntity } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Database } from '../database/orm.ts';
import {
  END_RECEIPT_MAIL,
  GIVE_UP_RECEIPT_MAIL,
  type ReceiptMail,
  TAKE_RECEIPT_MAILS,
} from '../database/receipt-mails.ts';
import { inLanguage, languageNamed } from '../pages/frame/language.ts';
import { renderReceiptMail } from '../pages/receipt/receipt-mail.ts';
import { loadReceipt } from '../pages/receipt/receipt-view.ts';

/** Where mails are handed in, and from whom they come. */
export interface MailConfig {
  readonly smtpUrl: string;
  readonly from: string;
}

const LOOK_EVERY_MS = 2_000;
const BATCH = 10;
/** Five minutes, twenty, three quarters of an hour: the last one a day and a half after the payment. */
const MAX_ATTEMPTS = 10;
/** Far less than until the next attempt, which another process may make. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Mails receipts as they come due, from any number of workers: each is taken by one. A worker that dies between the
 * server's answer and its record has one sent twice, with the same `Message-ID`.
 */
export class ReceiptMailer {
  readonly #database: Database;
  readonly #publicUrl: string;
  readonly #from: string;
  readonly #log: Logger;
  readonly #transport;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(database: Database, publicUrl: string, { smtpUrl, from }: MailConfig, log: Logger) {
    this.#database = database;
    this.#publicUrl = publicUrl;
    this.#from = from;
    this.#log = log;
    const timeouts = {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    };
    this.#transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 2, ...timeouts });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves when what is being sent has been. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    this.#transport.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        if ((await this.sendDue(new Date())) === BATCH) continue;
      } catch (error) {
        this.#log.warn({ err: error }, 'receipts were not mailed: Postgres is away');
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** @returns how many were taken. */
  async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_RECEIPT_MAILS(this.#database, { now, limit: BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail)));
    return mails.length;
  }

  async #send({ chargeId, language, attempts }: ReceiptMail): Promise<void> {
    const em = this.#database.em.fork();
    const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId });
    const view = await loadReceipt({ database: this.#database, publicUrl: this.#publicUrl }, chargeId);
    // Erased or sent back meanwhile: there is nobody to mail, or nothing to confirm.
    if (charge.payerEmail === null || view === null || view.reversal !== null) {
      await END_RECEIPT_MAIL(em, { chargeId });
      return;
    }
    const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
    const mail = inLanguage(languageNamed(language), () => renderReceiptMail(view, store));
    try {
      await this.#transport.sendMail({
        ...mail,
        from: { name: store.name, address: this.#from },
        to: { name: '', address: charge.payerEmail },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        messageId: `<receipt.${chargeId}@${new URL(this.#publicUrl).hostname}>`,
      });
    } catch (error) {
      return this.#failed(chargeId, attempts, error);
    }
    await END_RECEIPT_MAIL(em, { chargeId });
  }

  /** A refusal for good (RFC 5321, 5yz) is not tried again. Addresses stand in the server's words, and stay out of the log. */
  async #failed(chargeId: ReceiptMail['chargeId'], attempts: number, error: unknown): Promise<void> {
    const { code, responseCode = null } = error as { code?: string; responseCode?: number };
    const isOver = (responseCode !== null && responseCode >= 500) || attempts >= MAX_ATTEMPTS;
    if (isOver) await GIVE_UP_RECEIPT_MAIL(this.#database, { chargeId });
    const told = { chargeId, attempts, code, responseCode };
    this.#log.warn(told, isOver ? 'a receipt could not be mailed' : 'a receipt is mailed later');
  }
}
