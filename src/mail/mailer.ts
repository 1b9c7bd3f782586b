import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { withoutBidiControls } from '../domain/bidi.ts';

/** Where mails are handed in, and from whom they come. */
export interface MailConfig {
  readonly smtpUrl: string;
  readonly from: string;
}

const LOOK_EVERY_MS = 2_000;
/** Taken at once. */
export const MAIL_BATCH = 10;
/** Five minutes, twenty, three quarters of an hour: the last one a day and a half after the first. */
const MAX_ATTEMPTS = 10;
/** Far less than until the next attempt, which another process may make. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

/** What every mail has. */
interface MailWords {
  readonly subject: string;
  readonly text: string;
  readonly fromName: string;
  readonly id: string;
}

/** How the mail server took a mail. */
export type MailOutcome = 'sent' | 'later' | 'given up';

/**
 * Mails what has come due in a table, from any number of workers: each row is taken by one. A worker that dies between the
 * server's answer and its record has one sent twice.
 */
export abstract class Mailer {
  protected readonly database: Database;
  protected readonly publicUrl: string;
  readonly #from: string;
  readonly #log: Logger;
  readonly #transport;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(database: Database, publicUrl: string, { smtpUrl, from }: MailConfig, log: Logger) {
    this.database = database;
    this.publicUrl = publicUrl;
    this.#from = from;
    this.#log = log;
    const timeouts = {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    };
    this.#transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 2, ...timeouts });
  }

  /** Takes what is due, {@link MAIL_BATCH} at most, and sends it. @returns how many were taken. */
  abstract sendDue(now: Date): Promise<number>;

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
        if ((await this.sendDue(new Date())) === MAIL_BATCH) continue;
      } catch (error) {
        this.#log.warn({ err: error }, 'mails were not sent: Postgres is away');
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /**
   * Hands one mail in. A refusal for good (RFC 5321, 5yz) is not tried again. Addresses stand in the server's words, and
   * stay out of the log.
   * @param fromName who writes. @param id of the mail, before the `@`: the same each time it is tried.
   * @param told the ids for the log, and how often it was tried.
   */
  protected async send(
    mail: Omit<SendMailOptions, 'from' | 'messageId' | 'subject' | 'text'> & MailWords,
    told: { readonly attempts: number } & Readonly<Record<string, string | number>>,
  ): Promise<MailOutcome> {
    const { fromName, id, subject, text, ...given } = mail;
    const from = { name: withoutBidiControls(fromName), address: this.#from };
    try {
      await this.#transport.sendMail({
        ...given,
        // HTML has lost them already.
        subject: withoutBidiControls(subject),
        text: withoutBidiControls(text),
        from,
        messageId: `<${id}@${new URL(this.publicUrl).hostname}>`,
      });
      return 'sent';
    } catch (error) {
      const { code, responseCode = null } = error as { code?: string; responseCode?: number };
      const isOver = (responseCode !== null && responseCode >= 500) || told.attempts >= MAX_ATTEMPTS;
      const line = { ...told, code, responseCode };
      this.#log.warn(line, isOver ? 'a mail could not be sent' : 'a mail is sent later');
      return isOver ? 'given up' : 'later';
    }
  }
}
