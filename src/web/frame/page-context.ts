import type { DefaultContext, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { CheckoutDeps, PayerUpdates } from '../../checkouts/payment-deps.ts';
import { isPostgresAway } from '../../database/away.ts';
import type { MandateId } from '../../domain/ids.ts';
import { LANGUAGES, languageNamed } from '../../domain/language.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';
import type { CountedRequest, TrafficLimiter } from '../../http/traffic-limiter.ts';
import type { SandboxPayments } from '../../notifications/sandbox-payments.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SandboxPayerAnswers } from '../../providers/sandbox/sandbox-mandates.ts';
import type { SecretsKeys } from '../../secrets/secrets-keys.ts';
import { inLanguage } from './language.ts';
import { NOTICES, type Notice, renderNoticePage } from './notice-page.ts';
import { AWAY_SECONDS, mayRetry } from './retry.ts';

/** Set by earlier middleware for the pages, and by pages for the request's log line. */
export interface PageState {
  requestId: string;
  log: Logger;
  route?: string;
}

export type PageContext = ParameterizedContext<PageState, DefaultContext>;

/** Ends a request with a notice for the payer. Nothing has been changed. */
export class NoticeError extends Error {
  readonly status: number;
  readonly notice: Notice;
  /** Seconds until a retry may succeed; null if unknown. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, notice: Notice, retryAfterSeconds: number | null = null) {
    super(notice.title);
    this.name = 'NoticeError';
    this.status = status;
    this.notice = notice;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Always responds in HTML, in the language that the browser requests, because the reader is a payer.
 *
 * @param route the path's pattern, for the log: anyone who knows the path can read the page.
 */
export function servePage(ctx: PageContext, route: string, work: () => Promise<void>): Promise<void> {
  ctx.state.route = route;
  ctx.vary('Accept-Language');
  return orNotice(ctx, work);
}

/** Responds to an error with a page in the language that the browser requests. */
export function orNotice(ctx: PageContext, work: () => Promise<void>): Promise<void> {
  const language = languageNamed(String(ctx.acceptsLanguages(...LANGUAGES)));
  return inLanguage(language, () => work().catch((error) => sendNotice(ctx, noticeOf(ctx, error))));
}

/** What a page says about an error. */
function noticeOf(ctx: PageContext, error: unknown): NoticeError {
  if (error instanceof NoticeError) return error;
  if (isPostgresAway(error) || error instanceof ProviderError) {
    ctx.state.log.warn({ err: error }, 'Postgres or the provider did not answer');
    return new NoticeError(503, NOTICES.away, AWAY_SECONDS);
  }
  ctx.state.log.error({ err: error }, 'page failed');
  return new NoticeError(500, NOTICES.failed);
}

function sendNotice(ctx: PageContext, { status, notice, retryAfterSeconds: seconds }: NoticeError): void {
  if (seconds !== null) ctx.set('Retry-After', String(seconds));
  ctx.set('Cache-Control', 'no-store');
  ctx.vary('Accept-Language');
  const retry = mayRetry(status) ? { seconds, isForm: ctx.method === 'POST' } : null;
  const failedRequestId = status === 500 ? ctx.state.requestId : null;
  sendHtml(ctx, status, renderNoticePage(notice, { retry, failedRequestId }));
}

/** @throws NoticeError 429 if this IP address, or one of the other keys, made too many requests. */
export async function limitTraffic(
  ctx: PageContext,
  { trafficLimiter }: Pick<PageDeps, 'trafficLimiter'>,
  ofAddress: CountedRequest['ofAddress'],
  also?: CountedRequest['also'],
): Promise<void> {
  const seconds = await trafficLimiter.count({ request: ctx.req, ofAddress, ...(also && { also }) });
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
}

/** Sends a complete document. */
export function sendHtml(ctx: PageContext, status: number, page: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}

/** Redirects to a page that can be reloaded without resubmitting the form. */
export function seeOther(ctx: PageContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
  ctx.body = '';
}

/** The dependencies of the pages. */
export interface PageDeps extends CheckoutDeps {
  readonly chargeUpdates: PayerUpdates;
  /** Business time: the amount of a late boleto depends on the day. */
  readonly clock: () => Date;
  /** The public URL of the pages, without a trailing slash. */
  readonly publicUrl: string;
  /** Used by dev mode's button that simulates the payer's bank. */
  readonly sandboxPayments: Pick<SandboxPayments, 'payCharge'>;
  /** What payers of dev mode do to their mandates. */
  readonly sandboxPayers: SandboxPayerAnswers;
  /** Asks the provider how a mandate is, and records it with all that follows. */
  readonly followMandate: (id: MandateId, now: Date) => Promise<unknown>;
  /** Downloads the files that payers bought, from public IP addresses only. */
  readonly dispatcher: Dispatcher;
  /** Encrypt a payer's input on its way to the next page. */
  readonly secretsKeys: SecretsKeys;
  /** Large reads of other stores give way to payers who look at a page. */
  readonly busy: { noteRead(environment: StoreEnvironment): void };
  /** Payers have no key, so requests are counted per IP address. */
  readonly trafficLimiter: TrafficLimiter;
}
