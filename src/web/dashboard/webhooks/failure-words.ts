import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';

/**
 * The text for each reason why an attempt failed. The delivery log has it in English (src/outbound), for programs too. The text in
 * the parentheses is its detail.
 */
const REASONS: readonly (readonly [reason: RegExp, text: MessageKey])[] = [
  [/^timeout: no connection$/, 'dashboard.failure.timeoutNoConnection'],
  [/^timeout: no connection was free or made within (\S+) s$/, 'dashboard.failure.timeoutNoFreeConnection'],
  [/^timeout: no complete response within (\S+) s$/, 'dashboard.failure.timeoutNoResponse'],
  [/^connection refused$/, 'dashboard.failure.connectionRefused'],
  [/^connection closed before the response was complete$/, 'dashboard.failure.connectionClosed'],
  [/^connection failed$/, 'dashboard.failure.connectionFailed'],
  [/^connection failed: (.*)$/, 'dashboard.failure.connectionFailedBecause'],
  [/^host unreachable$/, 'dashboard.failure.hostUnreachable'],
  [/^DNS: the host name did not resolve \((.*)\)$/, 'dashboard.failure.hostNotFound'],
  [/^invalid response: headers too large$/, 'dashboard.failure.headersTooLarge'],
  [/^invalid response: not HTTP\/1\.1$/, 'dashboard.failure.notHttp'],
  [/^invalid response: too many informational responses \(1xx\)$/, 'dashboard.failure.manyInformational'],
  [/^no response$/, 'dashboard.failure.noResponse'],
  [/^redirect: HTTP (\d+) is not followed$/, 'dashboard.failure.redirect'],
  [/^HTTP 410: the endpoint is gone$/, 'dashboard.failure.gone'],
  [/^forbidden address: webhooks are sent over HTTPS only$/, 'dashboard.failure.httpsOnly'],
  [/^forbidden address: the endpoint is not a public address$/, 'dashboard.failure.notPublic'],
  [/^forbidden address: the endpoint's port is not a web server's$/, 'dashboard.failure.notWebPort'],
  [/^forbidden address: the endpoint resolves to no public address$/, 'dashboard.failure.noPublicAddress'],
];

/** Why an attempt at a delivery failed. Reasons without a text, such as `HTTP 500`, are shown unchanged. */
export function failureWords(error: string, say: Say): string {
  for (const [reason, text] of REASONS) {
    const found = reason.exec(error);
    if (found !== null) return say(text, { detail: found[1] ?? '' });
  }
  return error;
}
