import { REST } from '@abacatepay/rest';
import type { TestApp } from '../../../test/support/api/app.ts';
import type { Answer, Sent } from './case.ts';

/** The addresses of the service. */
export interface Services {
  /** The service with its default settings. */
  readonly usual: TestApp;
  /** The service with ERROR_COMPATIBILITY and without private endpoints, on the same database. */
  readonly compatible: TestApp;
}

/** How a request was sent. */
export type Way = '@abacatepay/rest' | 'HTTP';

/** The client waits for this long; by default it gives up after five seconds, and a busy machine may need more. */
const TIMEOUT_MS = 60_000;

/**
 * Sends a request with AbacatePay's published client. Only its base URL and its time-out are changed. A request without a key
 * uses plain HTTP, because the client refuses to send it.
 * @throws Error if the client changes the body of the answer.
 */
export async function replay(services: Services, sent: Sent): Promise<Answer & { readonly way: Way }> {
  const { version = 2, method, path, body, as = 'shop' } = sent;
  const { usual, compatible } = services;
  const { url } = (as === 'shop' || as === 'nobody' ? usual : compatible).api;
  if (as === 'nobody') return { ...(await plain(`${url}/v${version}${path}`)), way: 'HTTP' };
  const secret =
    as === 'reader' ? (await compatible.clientWith({ permissions: ['STORE:READ'] })).key : usual.api.key;
  const rest = new REST({ base: `${url}/v`, version, secret, timeout: TIMEOUT_MS });
  const given = body === undefined ? {} : { body };
  const answer = await recorded(() => (method === 'GET' ? rest.get(path) : rest.post(path, given)));
  return { ...answer, way: '@abacatepay/rest' };
}

async function plain(address: string): Promise<Answer> {
  const response = await fetch(address);
  return { status: response.status, body: await response.json() };
}

/** The raw answer, after a comparison with the answer that the client returned. */
async function recorded(call: () => Promise<unknown>): Promise<Answer> {
  const { fetch } = globalThis;
  const answers: Promise<Answer>[] = [];
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const copy = response.clone();
    answers.push(copy.json().then((body) => ({ status: copy.status, body })));
    return response;
  };
  try {
    const read = await call().catch((error: Error) => error);
    const answer = await answers.at(-1);
    if (answer === undefined) throw new Error(`no request was sent: ${read}`);
    requireSame(answer, read);
    return answer;
  } finally {
    globalThis.fetch = fetch;
  }
}

function requireSame({ body }: Answer, read: unknown): void {
  const { data, error } = body as { readonly data: unknown; readonly error: string | null };
  const isSame =
    read instanceof Error
      ? error !== null && read.message.includes(error)
      : error === null && JSON.stringify(read) === JSON.stringify(data);
  if (!isSame) throw new Error(`the client reads ${read instanceof Error ? read.message : 'something else'}`);
}
