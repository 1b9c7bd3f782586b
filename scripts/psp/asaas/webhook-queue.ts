import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Faults } from '../box-faults.ts';
import type { BoxEvent } from './books.ts';

/** After so many failures in a row Asaas stops the queue (docs.asaas.com, "How to reactivate an interrupted queue"). */
const MOST_FAILURES = 15;
/** Asaas' pauses grow from seconds to hours. The box uses short ones. */
const PAUSE_MS = 50;
const TIMEOUT_MS = 10_000;

export interface BoxWebhook {
  readonly id: string;
  url: string;
  authToken: string | null;
  enabled: boolean;
  interrupted: boolean;
  events: readonly string[];
  [field: string]: unknown;
}

interface Waiting {
  readonly body: string;
  readonly name: string;
}

/** Notifies the account's webhooks. Only status 200 counts as received; 15 failures in a row stop a queue. */
export class WebhookQueue {
  readonly webhooks = new Map<string, BoxWebhook>();
  /** What was posted, oldest first. */
  readonly posted: { readonly webhook: string; readonly event: string; readonly status: number | null }[] =
    [];
  /** How often a queue was stopped. */
  stops = 0;
  readonly #faults: Faults;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #failures = new Map<string, number>();
  readonly #sending = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #held: (() => void) | null = null;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  save(id: string | null, given: Readonly<Record<string, unknown>>): BoxWebhook {
    const own = id ?? randomUUID();
    const known = this.webhooks.get(own);
    const usual = { url: '', authToken: null, enabled: true, interrupted: false, events: [] };
    const webhook = { ...usual, ...known, ...given, id: own } as BoxWebhook;
    this.webhooks.set(own, webhook);
    if (!webhook.interrupted) this.#failures.set(own, 0);
    this.#send(own);
    return webhook;
  }

  notify(event: BoxEvent): void {
    const lost = this.#faults.take('webhook', ['LOSE_WEBHOOKS', 'REPEAT_WEBHOOKS', 'REORDER_WEBHOOKS']);
    if (lost?.kind === 'LOSE_WEBHOOKS') return;
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      dateCreated: new Date().toISOString(),
      ...event,
    });
    const copies = lost?.kind === 'REPEAT_WEBHOOKS' ? lost.copies : 1;
    const put = () => {
      for (const { id, events } of this.webhooks.values()) {
        if (!events.includes(event.event)) continue;
        const queue = this.#waiting.get(id) ?? [];
        for (let copy = 0; copy < copies; copy += 1) queue.push({ body, name: event.event });
        this.#waiting.set(id, queue);
        this.#send(id);
      }
    };
    const held = this.#held;
    this.#held = lost?.kind === 'REORDER_WEBHOOKS' ? put : null;
    if (this.#held === null) put();
    held?.();
  }

  /** How many events wait for a webhook. */
  waitingFor(id: string): number {
    return this.#waiting.get(id)?.length ?? 0;
  }

  /** Resolves when no notification is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending.values());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
  }

  #send(id: string): void {
    if (this.#sending.has(id)) return;
    const work = this.#sendAll(id).finally(() => this.#sending.delete(id));
    this.#sending.set(id, work);
  }

  async #sendAll(id: string): Promise<void> {
    for (;;) {
      // Gathers what is being put in the same turn.
      await Promise.resolve();
      const webhook = this.webhooks.get(id);
      const next = this.#waiting.get(id)?.[0];
      if (next === undefined || !webhook?.enabled || webhook.interrupted || this.#closing.signal.aborted)
        return;
      const status = await this.#post(webhook, next.body);
      this.posted.push({ webhook: id, event: next.name, status });
      if (status === 200) {
        this.#waiting.get(id)?.shift();
        this.#failures.set(id, 0);
        continue;
      }
      const failures = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, failures);
      if (failures >= MOST_FAILURES) {
        webhook.interrupted = true;
        this.stops += 1;
      }
      await sleep(PAUSE_MS, null, { signal: this.#closing.signal, ref: false }).catch(() => null);
    }
  }

  async #post({ url, authToken }: BoxWebhook, body: string): Promise<number | null> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authToken !== null && { 'asaas-access-token': authToken }),
        },
        body,
        headersTimeout: TIMEOUT_MS,
        signal: this.#closing.signal,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch {
      return null;
    }
  }
}
