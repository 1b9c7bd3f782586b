import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Bank } from './bank.ts';
import type { Certificates } from './certificates.ts';
import { perhapsMalformed } from './faults/listing.ts';
import type { Faults } from './faults.ts';
import type { Instruction, Mandate } from './mandates/state.ts';
import { presentNews } from './mandates/wire.ts';
import type { BankPayment, BankWebhook } from './state.ts';
import { presentPayment } from './wire.ts';

/** The delays of notifications. */
export interface Pace {
  /** Events within this time share one notification. */
  readonly gatheringMs: number;
  /** The pause before the second attempt. Each further pause is twice as long. */
  readonly firstPauseMs: number;
  /** A notification that a fault delays until after the next one is sent after this time if no other follows. */
  readonly heldBackMs: number;
}
const USUAL_PACE: Pace = { gatheringMs: 20, firstPauseMs: 250, heldBackMs: 2_000 };
const ATTEMPTS = 6;
const LOOK_FOR_REPEATS_EVERY_MS = 250;
const TIMEOUT_MS = 10_000;

/** A change of which the bank's customer is notified. */
interface News {
  /** `rec`, `cobr`, or `pix/` and a key. Changes of one topic within a moment share one notification. */
  readonly topic: string;
  /** The webhook; undefined if no address is registered. */
  readonly webhook: () => BankWebhook | undefined;
  /** The content at the time of sending. */
  readonly shown: () => Record<string, unknown>;
}

/** The path of a notification below the registered address, and its only field. */
interface Form {
  readonly path: string;
  readonly field: string;
}
const FORMS: Readonly<Partial<Record<string, Form>>> = {
  rec: { path: '/rec', field: 'recs' },
  cobr: { path: '/cobr', field: 'cobsr' },
};

/**
 * Notifies the bank's customer of payments, as Bacen's document says: a POST to `{webhookUrl}/pix` that shows the bank's
 * certificate and may name several payments. Notifications of mandates go to `/rec`, and of debit instructions to `/cobr`.
 * Unacknowledged notifications are repeated a few times.
 */
export class WebhookPoster {
  readonly #bank: Bank;
  readonly #faults: Faults;
  readonly #withCertificate: Agent;
  readonly #withoutCertificate: Agent;
  readonly #gathered = new Map<string, News[]>();
  readonly #closing = new AbortController();
  readonly #pace: Pace;
  readonly #underWay = new Set<Promise<void>>();
  readonly #repeats: NodeJS.Timeout;
  /** Notifications that a fault holds back until another one was sent. */
  #heldBack: (() => Promise<void>)[] = [];
  /** Notifications that a fault repeats, by the bank's clock. */
  #repeated: {
    readonly news: News;
    readonly everyMs: number;
    readonly untilMs: number;
    nextMs: number;
  }[] = [];
  /** Every attempt, oldest first: the address, the number of payments, and the status. */
  readonly posted: { readonly url: string; readonly payments: number; readonly status: number | null }[] = [];

  constructor(bank: Bank, faults: Faults, { server }: Certificates, pace = USUAL_PACE) {
    this.#pace = pace;
    this.#bank = bank;
    this.#faults = faults;
    // The bank does not verify the certificate of the customer's server.
    const shown = { cert: server.certificate, key: server.key, rejectUnauthorized: false };
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    this.#withCertificate = new Agent({ ...timeouts, connect: shown });
    this.#withoutCertificate = new Agent({ ...timeouts, connect: { rejectUnauthorized: false } });
    this.#repeats = setInterval(() => this.repeatDue(), LOOK_FOR_REPEATS_EVERY_MS).unref();
  }

  /** Queues notifications for payments of keys with a webhook. */
  gather(payments: readonly BankPayment[]): void {
    for (const payment of payments)
      this.#gather({
        topic: `pix/${payment.key}`,
        webhook: () => this.#bank.state.webhooks[payment.key],
        shown: () => presentPayment(payment),
      });
  }

  /** Queues a notification of a mandate or a debit instruction that has changed, if there is a webhook for it. */
  gatherNews(changed: Mandate | Instruction): void {
    const topic = 'txid' in changed ? 'cobr' : 'rec';
    this.#gather({
      topic,
      webhook: () => this.#bank.state.newsWebhooks?.[topic],
      shown: () => presentNews(changed, this.#bank),
    });
  }

  #gather(news: News): void {
    const waiting = this.#gathered.get(news.topic);
    if (waiting !== undefined) return void waiting.push(news);
    this.#gathered.set(news.topic, [news]);
    this.#track(this.#flush(news.topic));
  }

  /** Whether the customer's server accepts this kind of call. Efí makes two calls before it registers a webhook. */
  async isTaken(webhook: BankWebhook): Promise<boolean> {
    const test = { evento: 'teste_webhook', data_criacao: this.#bank.now().toISOString() };
    return isSuccess(await this.#post(webhook.url, test, webhook.withoutCertificate));
  }

  /**
   * Sends the repeated notifications that are due again, each with its current content. The faults order such repeats for
   * hours.
   */
  repeatDue(): void {
    const nowMs = this.#bank.now().getTime();
    for (const each of this.#repeated) {
      if (each.nextMs > nowMs) continue;
      // Once, however far the clock has moved.
      each.nextMs = nowMs + each.everyMs;
      this.#track(this.#send([each.news]));
    }
    this.#repeated = this.#repeated.filter(({ untilMs }) => untilMs > nowMs);
  }

  /** Resolves when no notification is being sent or waits for another attempt. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async close(): Promise<void> {
    clearInterval(this.#repeats);
    this.#closing.abort();
    await Promise.all([this.#withCertificate.destroy(), this.#withoutCertificate.destroy()]);
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  async #flush(topic: string): Promise<void> {
    await this.#pause(this.#pace.gatheringMs);
    const gathered = this.#gathered.get(topic) ?? [];
    this.#gathered.delete(topic);
    const faults = this.#faults;
    if (faults.take('LOSE_WEBHOOKS', 'webhook') !== null) return;
    const delay = faults.take('DELAY', 'webhook');
    if (delay !== null) await this.#pause(delay.ms);
    this.#repeatForHours(gathered);
    if (faults.take('REORDER_WEBHOOKS', 'webhook') !== null) {
      this.#heldBack.push(() => this.#send(gathered));
      return this.#track(this.#pause(this.#pace.heldBackMs).then(() => this.#releaseHeldBack()));
    }
    await this.#send(gathered);
    await this.#releaseHeldBack();
  }

  async #releaseHeldBack(): Promise<void> {
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const send of heldBack.reverse()) await send();
  }

  #repeatForHours(gathered: readonly News[]): void {
    const fault = this.#faults.take('REPEAT_WEBHOOKS_FOR', 'webhook');
    if (fault === null) return;
    const nowMs = this.#bank.now().getTime();
    const everyMs = fault.everySeconds * 1_000;
    const untilMs = nowMs + fault.hours * 3_600_000;
    for (const news of gathered) this.#repeated.push({ news, everyMs, untilMs, nextMs: nowMs + everyMs });
  }

  /** @param gathered all of one topic. */
  async #send(gathered: readonly News[]): Promise<void> {
    const [first] = gathered;
    const webhook = first?.webhook();
    if (first === undefined || webhook === undefined) return;
    const times = this.#faults.take('REPEAT_WEBHOOKS', 'webhook')?.copies ?? 1;
    const shown = gathered.map((news) => news.shown());
    const items = perhapsMalformed(this.#faults, 'webhook', shown);
    const form = FORMS[first.topic] ?? { path: '/pix', field: 'pix' };
    await Promise.all(Array.from({ length: times }, () => this.#deliver(webhook, form, items)));
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, null, { signal: this.#closing.signal, ref: false }).catch(() => null);
  }

  async #deliver(
    { url, withoutCertificate }: BankWebhook,
    { path, field }: Form,
    items: readonly unknown[],
  ): Promise<void> {
    // At Efí, this parameter means that no path is appended.
    const target = /[?&]ignorar=/.test(url) ? url : `${url}${path}`;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closing.signal.aborted; attempt++) {
      const status = await this.#post(target, { [field]: items }, withoutCertificate);
      this.posted.push({ url: target, payments: field === 'pix' ? items.length : 0, status });
      if (isSuccess(status)) return;
      await this.#pause(this.#pace.firstPauseMs * 2 ** attempt);
    }
  }

  /** @returns the status, or null if no answer came. */
  async #post(url: string, body: unknown, withoutCertificate: boolean): Promise<number | null> {
    try {
      const { statusCode, body: answer } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: withoutCertificate ? this.#withoutCertificate : this.#withCertificate,
      });
      await answer.dump();
      return statusCode;
    } catch {
      return null;
    }
  }
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
