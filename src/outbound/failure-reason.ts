import { errors } from 'undici';
import { ForbiddenAddressError } from './guarded-dispatcher.ts';

/** Reasons by error code. Node and undici give connection errors no better handle. */
export const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout: no connection',
  ETIMEDOUT: 'timeout: no connection',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before the response was complete',
  EPIPE: 'connection closed before the response was complete',
  UND_ERR_SOCKET: 'connection closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'invalid response: headers too large',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  EADDRNOTAVAIL: 'host unreachable',
};

/** Codes of OpenSSL's certificate verification, of Node's TLS module and of the handshake. */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|EPROTO)/;

/**
 * Says in a few words why a connection or an exchange failed, for the merchant's delivery log.
 *
 * Made from error codes only, as error messages may hold the URL and with it the endpoint's secret.
 */
export function failureReason(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return `forbidden address: ${error.message}`;
  const { code, syscall } = firstCause(error);
  // Resolvers use codes of sockets too: ECONNREFUSED is then the name server's refusal.
  if (/^(?:query|getaddrinfo)/.test(syscall)) return `DNS: the host name did not resolve (${code})`;
  if (TLS_CODE.test(code)) return `TLS: ${code}`;
  if (error instanceof errors.HTTPParserError || code.startsWith('UND_ERR_RES_'))
    return 'invalid response: not HTTP/1.1';
  return CONNECTION_REASONS[code] ?? `connection failed${code === '' ? '' : `: ${code}`}`;
}

/**
 * A host with several addresses fails with one error for each; the first is as good as any. Properties are
 * looked for rather than classes, as an error thrown by Node inside another realm (a test runner's) is no
 * instance of this one's `Error`.
 */
function firstCause(error: unknown): { readonly code: string; readonly syscall: string } {
  const { errors: causes, code, syscall } = Object(error) as Partial<Record<string, unknown>>;
  if (Array.isArray(causes) && causes.length > 0) return firstCause(causes[0]);
  return { code: textOf(code), syscall: textOf(syscall) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
