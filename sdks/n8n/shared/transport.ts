import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type IN8nHttpFullResponse,
  NodeApiError,
} from 'n8n-workflow';
import { type ApiAnswer, failureOf } from './api-answer.ts';
import { normalBaseUrl } from './base-url.ts';

/** A request to the API. Its path is without `/v2/`. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface SendOptions {
  /** A POST with the same key is carried out once within 24 hours. */
  readonly idempotencyKey?: string;
  readonly itemIndex?: number;
}

const TIMEOUT_MS = 30_000;
const FIRST_REDIRECT = 300;

/**
 * Sends a request with the node's credential. n8n repeats it if the node retries on fail.
 * @throws NodeApiError with the message of the service.
 */
export async function sendRequest(
  functions: IExecuteFunctions | IHookFunctions,
  { method, path, query, body }: ApiRequest,
  { idempotencyKey, itemIndex }: SendOptions = {},
): Promise<ApiAnswer> {
  const { baseUrl } = await functions.getCredentials<{ baseUrl: string }>('recebeApi', itemIndex);
  const request: IHttpRequestOptions = {
    method,
    url: `${normalBaseUrl(baseUrl)}/v2/${path}`,
    headers: { Accept: 'application/json', ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
    ...(query && { qs: query as IDataObject }),
    ...(body && { body: body as IDataObject }),
    json: true,
    timeout: TIMEOUT_MS,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would turn a POST into a GET, and may lead elsewhere.
    disableFollowRedirect: true,
  };
  const response: IN8nHttpFullResponse = await functions.helpers.httpRequestWithAuthentication.call(
    functions,
    'recebeApi',
    request,
  );
  const { statusCode, body: answer, headers } = response;
  if (statusCode < FIRST_REDIRECT && typeof answer === 'object' && answer !== null)
    return answer as ApiAnswer;
  const failure = failureOf(statusCode, answer, headers['x-request-id']);
  throw new NodeApiError(
    functions.getNode(),
    { status: statusCode, ...failure },
    { ...failure, httpCode: String(statusCode), ...(itemIndex !== undefined && { itemIndex }) },
  );
}
