import { describe, expect, it } from '@jest/globals';
import { CONNECTION_REASONS, failureReason } from '../../../src/outbound/failure-reason.ts';
import { createDispatcher } from '../../../src/outbound/guarded-dispatcher.ts';
import { postResult } from '../../../src/outbound/post-result.ts';
import { sayIn } from '../../../src/web/dashboard/frame/locale.ts';
import { failureWords } from '../../../src/web/dashboard/webhooks/failure-words.ts';
import { postWebhook } from '../../../src/webhooks/post-webhook.ts';
import { startWebhookSink } from '../../support/outside/webhook-sink.ts';

const PORTUGUESE = sayIn('pt-BR');

/** What an endpoint's answer is judged to be. */
function judged(statusCode: number | null): string {
  const { error } = postResult({ statusCode, durationMs: 1, bodyStart: new Uint8Array(), breakage: null });
  return error ?? '';
}

const REASONS = [
  ...Object.keys(CONNECTION_REASONS).map((code) => failureReason({ code })),
  failureReason({}),
  failureReason({ code: 'EWEIRD' }),
  failureReason({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
  failureReason({ code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' }),
  ...[null, 302, 410].map(judged),
  'timeout: no connection was free or made within 30 s',
  'invalid response: too many informational responses (1xx)',
];

describe('the reason of a failed delivery in Portuguese', () => {
  it.each([...new Set(REASONS)])('translates the reason "%s"', (reason) => {
    const words = failureWords(reason, PORTUGUESE);
    expect(words).not.toBe(reason);
    expect(words).not.toMatch(/\$1|\b(the|is|was|not|failed|connection|response|host)\b/);
    expect(failureWords(reason, sayIn('en'))).toBe(reason);
  });

  it('translates timeouts and refused addresses as well', async () => {
    await using sink = await startWebhookSink();
    const silent = sink.endpoint(() => new Promise<number>(() => {}));
    const guarded = createDispatcher({ allowPrivateEndpoints: false });
    const open = createDispatcher({ allowPrivateEndpoints: true });
    const post = async ({ dispatcher }: typeof open, url: string) => {
      const given = { url, body: '{}', headers: {}, dispatcher, userAgent: 'test', timeoutMs: 500 };
      return (await postWebhook(given)).error ?? '';
    };
    try {
      const errors = await Promise.all([
        post(open, silent.url),
        ...[
          'http://example.com/',
          'https://127.0.0.1/',
          'https://93.184.216.34:22/',
          'https://localhost/',
        ].map((url) => post(guarded, url)),
      ]);
      for (const error of errors) expect(failureWords(error, PORTUGUESE)).not.toBe(error);
    } finally {
      await Promise.all([guarded.close(), open.close()]);
    }
  });

  it('keeps error codes in the text, and shows unknown errors unchanged', () => {
    expect(failureWords('TLS: CERT_HAS_EXPIRED', PORTUGUESE)).toBe('TLS: CERT_HAS_EXPIRED');
    expect(failureWords('HTTP 500', PORTUGUESE)).toBe('HTTP 500');
    expect(failureWords(failureReason({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), PORTUGUESE)).toContain(
      'ENOTFOUND',
    );
  });
});
