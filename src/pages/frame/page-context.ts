import type { DefaultContext, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { isPostgresAway } from '../../database/away.ts';
import type { SandboxPayments } from '../../notifications/sandbox-payments.ts';
import type { CheckoutDeps } from '../../payments/payment-deps.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { CountedRequest, TrafficLimiter } from '../../traffic/traffic-limiter.ts';
import { inLanguage, LANGUAGES, languageNamed } from './language.ts';
import { NOTICES, type Notice, renderNoticePage } from './notice-page.ts';

/** What earlier middleware leaves for the pages, and they for the request's log line. */
export interface PageState {
  requestId: string;
  log: Logger;
  route?: string;
}

export type PageContext = ParameterizedContext<PageState, DefaultContext>;

/** A request that ends with a notice: the payer reads it, nothing has been changed. */
export class NoticeError extends Error {
  readonly status: number;
  readonly notice: Notice;
  /** After how many seconds it may be tried again; null where nothing is said of it. */
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
 * Answers in HTML whatever happens, in the language that the browser asks for: whoever reads it is a payer, not a program.
 *
 * @param route the path's pattern, for the log: the path itself lets whoever knows it read the page.
 */
export function servePage(ctx: PageContext, route: string, work: () => Promise<void>): Promise<void> {
  ctx.state.route = route;
  ctx.vary('Accept-Language');
  const language = languageNamed(String(ctx.acceptsLanguages(...LANGUAGES)));
  return inLanguage(language, () => answer(ctx, work));
}

async function answer(ctx: PageContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof NoticeError) {
      if (error.retryAfterSeconds !== null) ctx.set('Retry-After', String(error.retryAfterSeconds));
      sendHtml(ctx, error.status, renderNoticePage(error.notice));
      return;
    }
    if (isPostgresAway(error) || error instanceof ProviderError) {
      ctx.state.log.warn({ err: error }, 'Postgres or the provider did not answer');
      ctx.set('Retry-After', '5');
      sendHtml(ctx, 503, renderNoticePage(NOTICES.failed));
      return;
    }
    ctx.state.log.error({ err: error }, 'page failed');
    sendHtml(ctx, 500, renderNoticePage(NOTICES.failed));
  }
}

/** @throws NoticeError 429 where this address, or what is named besides, was asked for too often. */
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

/** What the pages are made from. */
export interface PageDeps extends CheckoutDeps {
  /** Business time: what a late boleto costs depends on the day. */
  readonly clock: () => Date;
  /** Where payers reach the pages, without a slash at the end. */
  readonly publicUrl: string;
  /** Behind the button that dev mode has in place of a payer's bank. */
  readonly sandboxPayments: Pick<SandboxPayments, 'payCharge'>;
  /** Fetches the files that payers bought, from public addresses only. */
  readonly dispatcher: Dispatcher;
  /** Encrypt what a payer typed while it is carried to the next page. */
  readonly secretsKeys: SecretsKeys;
  /** Payers need no key; it counts how often they come. */
  readonly trafficLimiter: TrafficLimiter;
}
