import { errors } from 'undici';
import { ForbiddenAddressError } from './guarded-dispatcher.ts';

/** Reasons by error code, the only stable property of connection errors in Node and undici. */
export const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout: no connection',
  ETIMEDOUT: 'timeout: no connection',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before the response was complete',
  EPIPE: 'connection closed before the response was complete',
  UND_ERR_SOCKET: 'connection closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'invalid response: headers too large',
  RESPONSE_FRAMING: 'invalid response: headers too large',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  EADDRNOTAVAIL: 'host unreachable',
};

/** Codes of OpenSSL's certificate verification, Node's TLS module and the handshake. */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|EPROTO)/;

/**
 * A short reason why a connection or exchange failed, for the merchant's delivery log.
 *
 * Uses error codes only, because error messages may contain the URL and thus the endpoint's secret.
 */
export function failureReason(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return `forbidden address: ${error.message}`;
  const { code, syscall } = firstCause(error);
  // Resolvers reuse codes of sockets: ECONNREFUSED then means that the name server refused.
  if (/^(?:query|getaddrinfo)/.test(syscall)) return `DNS: the host name did not resolve (${code})`;
  if (TLS_CODE.test(code)) return `TLS: ${code}`;
  if (error instanceof errors.HTTPParserError || code.startsWith('UND_ERR_RES_'))
    return 'invalid response: not HTTP/1.1';
  return CONNECTION_REASONS[code] ?? `connection failed${code === '' ? '' : `: ${code}`}`;
}

/**
 * A host with several addresses fails with one error per address; the first one is enough. Checks properties
 * instead of classes, because an error from another realm (such as a test runner's) is no instance of this
 * realm's `Error`.
 */
function firstCause(error: unknown): { readonly code: string; readonly syscall: string } {
  const { errors: causes, code, syscall } = Object(error) as Partial<Record<string, unknown>>;
  if (Array.isArray(causes) && causes.length > 0) return firstCause(causes[0]);
  return { code: textOf(code), syscall: textOf(syscall) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
