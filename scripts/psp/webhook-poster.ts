import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Bank } from './bank.ts';
import type { Certificates } from './certificates.ts';
import type { Faults } from './faults.ts';
import type { BankPayment, BankWebhook } from './state.ts';
import { presentPayment } from './wire.ts';

/** What happens within this time goes into one notification. */
const GATHERING_MS = 20;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;
const REPEATS = 10;
const TIMEOUT_MS = 10_000;

/**
 * Tells the bank's customer of payments, as Bacen's document says: a POST to `{webhookUrl}/pix` that shows the bank's
 * certificate and may name several payments. What is not taken is told again some times, and then never.
 */
export class WebhookPoster {
  readonly #bank: Bank;
  readonly #faults: Faults;
  readonly #withCertificate: Agent;
  readonly #withoutCertificate: Agent;
  readonly #gathered = new Map<string, BankPayment[]>();
  readonly #closing = new AbortController();
  /** What was posted, oldest first: how often, to where, and what was answered. */
  readonly posted: { readonly url: string; readonly payments: number; readonly status: number | null }[] = [];

  constructor(bank: Bank, faults: Faults, { server }: Certificates) {
    this.#bank = bank;
    this.#faults = faults;
    // Whose certificate the customer's server shows is the customer's matter here.
    const shown = { cert: server.certificate, key: server.key, rejectUnauthorized: false };
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    this.#withCertificate = new Agent({ ...timeouts, connect: shown });
    this.#withoutCertificate = new Agent({ ...timeouts, connect: { rejectUnauthorized: false } });
  }

  /** Payments of keys that have a webhook are told soon. */
  gather(payments: readonly BankPayment[]): void {
    for (const payment of payments) {
      const waiting = this.#gathered.get(payment.key);
      if (waiting !== undefined) waiting.push(payment);
      else {
        this.#gathered.set(payment.key, [payment]);
        setTimeout(() => void this.#flush(payment.key), GATHERING_MS);
      }
    }
  }

  /** Whether the customer's server takes a call of the kind; Efí makes two before it registers a webhook. */
  async isTaken(webhook: BankWebhook): Promise<boolean> {
    const test = { evento: 'teste_webhook', data_criacao: this.#bank.now().toISOString() };
    return isSuccess(await this.#post(webhook.url, test, webhook.withoutCertificate));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#withCertificate.destroy(), this.#withoutCertificate.destroy()]);
  }

  async #flush(key: string): Promise<void> {
    const payments = this.#gathered.get(key) ?? [];
    this.#gathered.delete(key);
    const webhook = this.#bank.state.webhooks[key];
    if (webhook === undefined || this.#faults.take('LOSE_WEBHOOKS', 'webhook') !== null) return;
    const times = this.#faults.take('REPEAT_WEBHOOKS', 'webhook') === null ? 1 : REPEATS;
    const pix = payments.map(presentPayment);
    await Promise.all(Array.from({ length: times }, () => this.#tell(webhook, pix)));
  }

  async #tell({ url, withoutCertificate }: BankWebhook, pix: readonly unknown[]): Promise<void> {
    // Efí's way of having nothing appended.
    const target = /[?&]ignorar=/.test(url) ? url : `${url}/pix`;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closing.signal.aborted; attempt++) {
      const status = await this.#post(target, { pix }, withoutCertificate);
      this.posted.push({ url: target, payments: pix.length, status });
      if (isSuccess(status)) return;
      const pauseMs = FIRST_PAUSE_MS * 2 ** attempt;
      await sleep(pauseMs, null, { signal: this.#closing.signal, ref: false }).catch(() => null);
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
