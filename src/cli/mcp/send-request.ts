import type { ApiAddress } from '../instance.ts';

/** A request of a tool. */
export interface ToolRequest {
  readonly verb: 'GET' | 'POST';
  /** Below `/v2/`, with the query. */
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** The service's answer, whatever its status. */
export interface Answered {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
}

/** No complete answer of Recebe arrived. A POST may have been carried out. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Sends a request. @throws Unanswered */
export async function sendRequest(
  { url, key }: ApiAddress,
  { verb, path, body, idempotencyKey }: ToolRequest,
  signal: AbortSignal,
): Promise<Answered> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/v2/${path}`, {
      method: verb,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would take the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await boundedText(response);
    return {
      status: response.status,
      json: jsonOf(text, response.status),
      retryAfterSeconds: secondsOf(response),
    };
  } catch (error) {
    throw error instanceof Unanswered ? error : new Unanswered(reasonOf(error));
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) throw new Unanswered('the answer is larger than 8 MB');
  }
  return text + decoder.decode();
}

function jsonOf(text: string, status: number): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && ('data' in json || 'error' in json))
      return json as Readonly<Record<string, unknown>>;
  } catch {
    // The answer is of a proxy, or was cut.
  }
  throw new Unanswered(`the answer with status ${status} is not from Recebe`);
}

/** `Retry-After` in seconds. Recebe sends no date. */
function secondsOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} seconds`;
  if (error.name === 'AbortError') return 'the call was cancelled';
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
