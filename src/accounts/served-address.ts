const TIMEOUT_MS = 5_000;
const UNTRUSTED_CERTIFICATE = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/**
 * Checks that the running service accepts an account's notifications at this address. Another process may have other settings than
 * the service, and the bank would then notify an address that nobody serves.
 * @param address contains the account's secret, which no message shows.
 * @param body a notification of nothing.
 * @returns why it does not accept notifications; null if it does.
 */
export async function unservedReason(address: string, body: string): Promise<string | null> {
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(address, { method: 'POST', body, headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status === 200 ? null : `the answer was ${answer.status}`;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    const code = String(cause?.code ?? '');
    return UNTRUSTED_CERTIFICATE.test(code)
      ? `this machine does not trust its certificate: ${code}`
      : 'no response';
  }
}
