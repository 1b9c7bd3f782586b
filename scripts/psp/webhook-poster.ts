import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Bank } from './bank.ts';
import type { Certificates } from './certificates.ts';
import { perhapsMalformed } from './faults/listing.ts';
import type { Faults } from './faults.ts';
import type { BankPayment, BankWebhook } from './state.ts';
import { presentPayment } from './wire.ts';

/** How fast notifications follow what happens. */
export interface Pace {
  /** What happens within this time goes into one notification. */
  readonly gatheringMs: number;
  /** Before the second attempt; each further pause is twice as long. */
  readonly firstPauseMs: number;
  /** A notification that goes out after the next one goes out by itself after this time. */
  readonly heldBackMs: number;
}
const USUAL_PACE: Pace = { gatheringMs: 20, firstPauseMs: 250, heldBackMs: 2_000 };
const ATTEMPTS = 6;
const LOOK_FOR_REPEATS_EVERY_MS = 250;
const TIMEOUT_MS = 10_000;

/**
 * Notifies the bank's customer of payments, as Bacen's document says: a POST to `{webhookUrl}/pix` that shows the bank's
 * certificate and may name several payments. It repeats unacknowledged notifications a few times.
 */
export class WebhookPoster {
  readonly #bank: Bank;
  readonly #faults: Faults;
  readonly #withCertificate: Agent;
  readonly #withoutCertificate: Agent;
  readonly #gathered = new Map<string, BankPayment[]>();
  readonly #closing = new AbortController();
  readonly #pace: Pace;
  readonly #underWay = new Set<Promise<void>>();
  readonly #repeats: NodeJS.Timeout;
  /** Notifications that wait until another one was sent. */
  #heldBack: (() => Promise<void>)[] = [];
  /** Payments that are notified repeatedly, by the bank's clock. */
  #repeated: {
    readonly payment: BankPayment;
    readonly everyMs: number;
    readonly untilMs: number;
    nextMs: number;
  }[] = [];
  /** What was posted, oldest first: how often, to where, and what was answered. */
  readonly posted: { readonly url: string; readonly payments: number; readonly status: number | null }[] = [];

  constructor(bank: Bank, faults: Faults, { server }: Certificates, pace = USUAL_PACE) {
    this.#pace = pace;
    this.#bank = bank;
    this.#faults = faults;
    // Whose certificate the customer's server shows is the customer's matter here.
    const shown = { cert: server.certificate, key: server.key, rejectUnauthorized: false };
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    this.#withCertificate = new Agent({ ...timeouts, connect: shown });
    this.#withoutCertificate = new Agent({ ...timeouts, connect: { rejectUnauthorized: false } });
    this.#repeats = setInterval(() => this.repeatDue(), LOOK_FOR_REPEATS_EVERY_MS).unref();
  }

  /** Queues notifications for payments of keys with a webhook. */
  gather(payments: readonly BankPayment[]): void {
    for (const payment of payments) {
      const waiting = this.#gathered.get(payment.key);
      if (waiting !== undefined) waiting.push(payment);
      else {
        this.#gathered.set(payment.key, [payment]);
        this.#track(this.#flush(payment.key));
      }
    }
  }

  /** Whether the customer's server takes a call of the kind; Efí makes two before it registers a webhook. */
  async isTaken(webhook: BankWebhook): Promise<boolean> {
    const test = { evento: 'teste_webhook', data_criacao: this.#bank.now().toISOString() };
    return isSuccess(await this.#post(webhook.url, test, webhook.withoutCertificate));
  }

  /** Tells once more of what is repeated for hours and due by now, as it stands now. */
  repeatDue(): void {
    const nowMs = this.#bank.now().getTime();
    for (const each of this.#repeated) {
      if (each.nextMs > nowMs) continue;
      // Once, however far the clock has moved.
      each.nextMs = nowMs + each.everyMs;
      this.#track(this.#send(each.payment.key, [each.payment]));
    }
    this.#repeated = this.#repeated.filter(({ untilMs }) => untilMs > nowMs);
  }

  /** Resolves once nothing is on its way or waits for another attempt. */
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

  async #flush(key: string): Promise<void> {
    await this.#pause(this.#pace.gatheringMs);
    const payments = this.#gathered.get(key) ?? [];
    this.#gathered.delete(key);
    const faults = this.#faults;
    if (faults.take('LOSE_WEBHOOKS', 'webhook') !== null) return;
    const delay = faults.take('DELAY', 'webhook');
    if (delay !== null) await this.#pause(delay.ms);
    this.#repeatForHours(payments);
    if (faults.take('REORDER_WEBHOOKS', 'webhook') !== null) {
      this.#heldBack.push(() => this.#send(key, payments));
      return this.#track(this.#pause(this.#pace.heldBackMs).then(() => this.#releaseHeldBack()));
    }
    await this.#send(key, payments);
    await this.#releaseHeldBack();
  }

  async #releaseHeldBack(): Promise<void> {
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const send of heldBack.reverse()) await send();
  }

  #repeatForHours(payments: readonly BankPayment[]): void {
    const fault = this.#faults.take('REPEAT_WEBHOOKS_FOR', 'webhook');
    if (fault === null) return;
    const nowMs = this.#bank.now().getTime();
    const everyMs = fault.everySeconds * 1_000;
    const untilMs = nowMs + fault.hours * 3_600_000;
    for (const payment of payments)
      this.#repeated.push({ payment, everyMs, untilMs, nextMs: nowMs + everyMs });
  }

  async #send(key: string, payments: readonly BankPayment[]): Promise<void> {
    const webhook = this.#bank.state.webhooks[key];
    if (webhook === undefined) return;
    const times = this.#faults.take('REPEAT_WEBHOOKS', 'webhook')?.copies ?? 1;
    const pix = perhapsMalformed(this.#faults, 'webhook', payments.map(presentPayment));
    await Promise.all(Array.from({ length: times }, () => this.#deliver(webhook, pix)));
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, null, { signal: this.#closing.signal, ref: false }).catch(() => null);
  }

  async #deliver({ url, withoutCertificate }: BankWebhook, pix: readonly unknown[]): Promise<void> {
    // Efí's way of having nothing appended.
    const target = /[?&]ignorar=/.test(url) ? url : `${url}/pix`;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closing.signal.aborted; attempt++) {
      const status = await this.#post(target, { pix }, withoutCertificate);
      this.posted.push({ url: target, payments: pix.length, status });
      if (isSuccess(status)) return;
      await this.#pause(this.#pace.firstPauseMs * 2 ** attempt);
    }
  }

  /** @returns the status, or null where nobody answered. */
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
