import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { withoutBidiControls } from '../domain/bidi.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import type { LogoFile } from '../domain/store-logo.ts';
import { findLogo } from '../stores/logo.ts';
import { LOGO_CID } from '../web/frame/mail-layout.ts';
import { DevMailLimit } from './dev-mail-limit.ts';

/** The mail server and the sender. */
export interface MailConfig {
  readonly smtpUrl: string;
  readonly from: string;
}

const LOOK_EVERY_MS = 2_000;
/** The longest wait of a clock for its mails before it moves on. */
const WAITED_FOR_MS = 5_000;
/** Mails claimed at once. */
export const MAIL_BATCH = 10;
/**
 * The delay grows from 5 to 20 to 45 minutes and so on; the last attempt is a day and a half after the first.
 */
const MAX_ATTEMPTS = 10;
/** Far shorter than the delay before the next attempt, which another process may make. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

/** Fields that every mail has. */
interface MailWords {
  readonly subject: string;
  readonly text: string;
  /** Of the store whose mail shows it. */
  readonly logoFile: LogoFile | null;
  readonly fromName: string;
  readonly id: string;
}

/** The mail server's response to a mail. */
export type MailOutcome = 'sent' | 'later' | 'given up';

/**
 * Sends the due mails of a table. Workers run in parallel, and each row is claimed by one. If a worker dies
 * between the server's response and its record, the mail is sent twice.
 */
export abstract class Mailer {
  protected readonly database: Database;
  protected readonly publicUrl: string;
  readonly #from: string;
  readonly #log: Logger;
  readonly #transport;
  readonly #devMailLimit: DevMailLimit;
  readonly #restMs: (tookMs: number) => number;
  readonly #oneAtATime = pLimit(1);
  #devMails = 0;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  /** @param restMs the pause after a batch with mails of dev mode, which took `tookMs`. */
  constructor(
    database: Database,
    publicUrl: string,
    { smtpUrl, from }: MailConfig,
    log: Logger,
    restMs: (tookMs: number) => number = () => 0,
  ) {
    this.database = database;
    this.publicUrl = publicUrl;
    this.#restMs = restMs;
    this.#from = from;
    this.#log = log;
    this.#devMailLimit = new DevMailLimit(database);
    const timeouts = {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    };
    this.#transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 2, ...timeouts });
  }

  /** Claims and sends due mails, at most {@link MAIL_BATCH}. @returns how many were claimed. */
  abstract sendDue(now: Date): Promise<number>;

  /** Sends the due mails, for a store whose clock waits for them: for some seconds, also if the mail server is slow. */
  async sendForSomeTime(now: Date): Promise<void> {
    const endsAtMs = performance.now() + WAITED_FOR_MS;
    const send = async () => {
      while (performance.now() < endsAtMs && (await this.#sendBatch(now)) === MAIL_BATCH);
    };
    await Promise.race([send(), sleep(WAITED_FOR_MS, undefined, { ref: false })]);
  }

  /**
   * However many clocks wait, one batch of this process is sent at a time, and a pause follows mails of dev mode: a clock makes
   * thousands, which must not slow down payments of other stores.
   */
  #sendBatch(now: Date): Promise<number> {
    return this.#oneAtATime(async () => {
      const [startedMs, before] = [performance.now(), this.#devMails];
      const claimed = await this.sendDue(now);
      if (this.#devMails > before) await this.#pause(this.#restMs(performance.now() - startedMs));
      return claimed;
    });
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves when all running sends have finished. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    this.#transport.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        if ((await this.#sendBatch(new Date())) === MAIL_BATCH) continue;
      } catch (error) {
        this.#log.warn({ err: error }, 'mails not sent: Postgres unreachable');
      }
      await this.#pause(LOOK_EVERY_MS);
    }
  }

  /** Hands a mail to a payer to the server, unless dev mode has sent too many. @param place of the payment. Otherwise like {@link send}. */
  protected async sendToPayer(
    place: StoreEnvironment,
    mail: Parameters<Mailer['send']>[0] & { readonly to: { readonly address: string } },
    logFields: Parameters<Mailer['send']>[1],
  ): Promise<MailOutcome> {
    const { address } = mail.to;
    if (place.devMode) this.#devMails += 1;
    if (await this.#devMailLimit.isOver(place, address)) {
      this.#log.warn(logFields, 'mail of dev mode not sent: too many today');
      return 'given up';
    }
    const outcome = await this.send(mail, logFields);
    if (outcome === 'later') await this.#devMailLimit.uncount(place, address);
    return outcome;
  }

  /**
   * Hands one mail to the server. A permanent refusal (RFC 5321, 5yz) is not retried. The server's message
   * contains addresses, so it stays out of the log.
   * @param fromName the sender's name. @param id of the mail, before the `@`: the same for every attempt.
   * @param logFields ids for the log, and the number of attempts.
   */
  protected async send(
    mail: Omit<SendMailOptions, 'from' | 'messageId' | 'subject' | 'text'> & MailWords,
    logFields: { readonly attempts: number } & Readonly<Record<string, string | number>>,
  ): Promise<MailOutcome> {
    const { fromName, id, subject, text, logoFile, attachments = [], ...given } = mail;
    const from = { name: withoutBidiControls(fromName), address: this.#from };
    try {
      await this.#transport.sendMail({
        ...given,
        attachments: [...attachments, ...(await this.#logoOf(logoFile))],
        // The HTML part has them removed already.
        subject: withoutBidiControls(subject),
        text: withoutBidiControls(text),
        from,
        messageId: `<${id}@${new URL(this.publicUrl).hostname}>`,
      });
      return 'sent';
    } catch (error) {
      const { code, responseCode = null } = error as { code?: string; responseCode?: number };
      const isOver = (responseCode !== null && responseCode >= 500) || logFields.attempts >= MAX_ATTEMPTS;
      const line = { ...logFields, code, responseCode };
      this.#log.warn(line, isOver ? 'mail failed' : 'mail postponed');
      return isOver ? 'given up' : 'later';
    }
  }

  /** A logo that the store has just replaced is not found, and its mail goes without a picture. */
  async #logoOf(file: LogoFile | null): Promise<NonNullable<SendMailOptions['attachments']>> {
    const content = file && (await findLogo(this.database.em.fork(), file));
    if (!content) return [];
    return [{ filename: 'logo.png', content, contentType: 'image/png', cid: LOGO_CID }];
  }
}
