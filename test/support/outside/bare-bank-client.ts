import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { closed } from '../../../scripts/psp/local-server.ts';
import { CREDENTIALS, PIX_KEY, type Psp } from '../../../scripts/psp/start-psp.ts';

/** A raw answer; `status` is null if the connection broke or timed out. */
export interface BareAnswer {
  readonly status: number | null;
  readonly ended: 'ANSWERED' | 'CUT' | 'HUNG';
  readonly body: unknown;
  readonly retryAfter: string | null;
}

/** Nothing of the adapter: HTTP requests to a bank in a box, whose answers a test reads as they are. */
export class BareBankClient implements AsyncDisposable {
  readonly #psp: Psp;
  readonly #agent: Agent;
  #token: string | null = null;

  constructor(psp: Psp, { timeoutMs = 1_000 }: { readonly timeoutMs?: number } = {}) {
    this.#psp = psp;
    const { certificate: cert, privateKey: key, ca } = psp.account.secrets;
    this.#agent = new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) },
    });
  }

  /** A new token, which later requests use. */
  async askForToken(): Promise<BareAnswer> {
    const { clientId, clientSecret } = CREDENTIALS;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await this.#exchange('POST', String(this.#psp.account.settings.tokenUrl), {
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (answer.body ?? {}) as { access_token?: string };
    if (token !== undefined) this.#token = token;
    return answer;
  }

  /** @param path below the bank's address, with its version. */
  async ask(method: 'GET' | 'PUT' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<BareAnswer> {
    if (this.#token === null) await this.askForToken();
    return this.#exchange(method, `${this.#psp.account.settings.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Issues an immediate charge. */
  issue(txid: string, { amount = '10.00', seconds = 3_600 } = {}): Promise<BareAnswer> {
    const body = { calendario: { expiracao: seconds }, valor: { original: amount }, chave: PIX_KEY };
    return this.ask('PUT', `/v2/cob/${txid}`, body);
  }

  /** Payments received within a day of now. */
  async listPayments(): Promise<readonly unknown[]> {
    const at = (ms: number) => new Date(this.#psp.bank.now().getTime() + ms).toISOString();
    const { body } = await this.ask('GET', `/v2/pix?inicio=${at(-86_400_000)}&fim=${at(86_400_000)}`);
    return (body as { pix: readonly unknown[] }).pix;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange(
    method: 'GET' | 'PUT' | 'POST' | 'PATCH',
    url: string,
    options: { readonly headers: Record<string, string>; readonly body?: string },
  ): Promise<BareAnswer> {
    try {
      const answer = await request(url, { method, dispatcher: this.#agent, ...options });
      const text = await answer.body.text();
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        ended: 'ANSWERED',
        body: readable(text),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      const isTimeout = /TIMEOUT/.test(String((error as { code?: unknown }).code));
      return { status: null, ended: isTimeout ? 'HUNG' : 'CUT', body: null, retryAfter: null };
    }
  }
}

/** The parsed JSON, or the text if it is not JSON. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Registers a server for the bank's notifications. @returns what it was sent, oldest first. */
export async function receiveNotifications(psp: Psp) {
  const received: { readonly pix: readonly Record<string, unknown>[] }[] = [];
  const server = createServer((incoming, response) => {
    void json(incoming).then((body) => {
      received.push(body as (typeof received)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url, createdAt: '', withoutCertificate: true };
  return { received, [Symbol.asyncDispose]: () => closed(server) };
}
