import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 500;

/** A payment that a payer has begun on the hosted page of a checkout. */
export interface BegunPayment {
  readonly checkoutId: string;
  readonly chargeId: string;
}

/** A BR Code, from its first field to its checksum. */
const PIX_CODE = /000201[^"<]+6304[0-9A-F]{4}/;
/** The address of a page that is linked. */
const LINK = /href="([^"]+)"/g;

/** A browser on the hosted pages, without JavaScript. It repeats whatever is not answered, as a payer who reloads. */
export class Payer {
  readonly #apiUrls: readonly string[];
  readonly #givesUp: AbortSignal;

  /** @param givesUp aborts when pages are no longer needed. */
  constructor(apiUrls: readonly string[], givesUp: AbortSignal) {
    this.#apiUrls = apiUrls;
    this.#givesUp = givesUp;
  }

  /** Sends the form of a checkout, which begins a payment once. @returns null if the form is refused. */
  async begin(checkoutId: string, typed: Readonly<Record<string, string>>): Promise<BegunPayment | null> {
    const attempt = randomBytes(16).toString('hex');
    const body = new URLSearchParams({ action: 'pay', attempt, ...typed }).toString();
    const { location } = await this.#answered('POST', `/pay/${checkoutId}`, body);
    const [, chargeId] = new RegExp(`^/pay/${checkoutId}/(\\w+)`).exec(location ?? '') ?? [];
    return chargeId === undefined ? null : { checkoutId, chargeId };
  }

  /**
   * Follows a payment until its page leads to the provider or a bank.
   * @param leadsOut whether this is the address of such a page. @returns null if the payment has ended without one.
   */
  async outside(
    { checkoutId, chargeId }: BegunPayment,
    leadsOut: (url: string) => boolean,
  ): Promise<string | null> {
    for (;;) {
      const { text } = await this.#answered('GET', `/pay/${checkoutId}/${chargeId}/confirm`);
      const url = [...text.matchAll(LINK)].map(([, link = '']) => link).find(leadsOut);
      if (url !== undefined) return url;
      if ((await this.status({ checkoutId, chargeId })) !== 'PENDING') return null;
      await sleep(PAUSE_MS);
    }
  }

  /** The PIX code on the page of a payment; null if the payment has ended. */
  async pixCode({ checkoutId, chargeId }: BegunPayment): Promise<string | null> {
    for (;;) {
      const { text } = await this.#answered('GET', `/pay/${checkoutId}/${chargeId}`);
      const [code] = PIX_CODE.exec(text) ?? [];
      if (code !== undefined) return code;
      if ((await this.status({ checkoutId, chargeId })) !== 'PENDING') return null;
      await sleep(PAUSE_MS);
    }
  }

  /** Comes back from the page of the provider or the bank. */
  async comeBack({ checkoutId, chargeId }: BegunPayment): Promise<void> {
    await this.#answered('GET', `/pay/${checkoutId}/${chargeId}/confirmed`);
  }

  /** Waits until the payment has ended. @returns its status. */
  async ended(begun: BegunPayment): Promise<string> {
    for (;;) {
      const status = await this.status(begun);
      if (status !== 'PENDING') return status;
      await sleep(PAUSE_MS);
    }
  }

  async status({ checkoutId, chargeId }: BegunPayment): Promise<string> {
    const { text } = await this.#answered('GET', `/pay/${checkoutId}/${chargeId}/status`);
    return (JSON.parse(text) as { status: string }).status;
  }

  async #answered(method: string, path: string, body?: string) {
    for (;;) {
      if (this.#givesUp.aborted) throw new Error(`${method} ${path}: no answer`);
      const answer = await this.#try(method, path, body);
      if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
      await sleep(PAUSE_MS);
    }
  }

  /** @returns null if no answer came. */
  async #try(method: string, path: string, body: string | undefined) {
    const url = this.#apiUrls[Math.floor(Math.random() * this.#apiUrls.length)] ?? '';
    try {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && {
          body,
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            // The pages' own address; forms of another one are refused.
            Origin: `http://localhost:${new URL(url).port}`,
          },
        }),
      });
      const { status, headers } = response;
      return { status, location: headers.get('location'), text: await response.text() };
    } catch {
      return null;
    }
  }
}
