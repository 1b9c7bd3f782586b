import { ApiError } from '../../../api/frame/errors.ts';
import type { ApiContext } from '../../../api/frame/state.ts';
import { AlreadyDone } from '../../../audit-log/record-action.ts';
import { failureStatus } from '../../../http/failure-status.ts';
import { MoneyWaits, NoAuthority } from '../../../payouts/money-authority.ts';
import { type Html, html } from '../../frame/html.ts';
import { NoticeError } from '../../frame/page-context.ts';
import { AWAY_SECONDS, errorNumber, mayRetry, retryPart } from '../../frame/retry.ts';
import type { Locale, MessageKey } from '../../i18n/catalogs.ts';
import { askBeforeDownload, LinkOfOtherSite } from './download-link.ts';
import { barePage, page } from './layout.ts';
import { sayIn } from './locale.ts';
import { waitText } from './money-wait.ts';
import { ownPath } from './own-path.ts';
import { reasonText, retryAfterOf } from './refusals.ts';
import { nothingHere, Refusal, type Reply, refused, USED_LINK } from './route.ts';
import { SignInNeeded } from './sign-in-needed.ts';
import type { Visit } from './visit.ts';

/** The store requires a second factor and the person has none. Redirects them to where they set one up. */
export class SecondFactorNeeded extends Error {
  readonly to: string;

  constructor(to: string) {
    super('the store asks for a second factor');
    this.name = 'SecondFactorNeeded';
    this.to = to;
  }
}

const NOT_ALLOWED = 'dashboard.error.permissionDenied' as const;

/** Another role would be allowed to. */
export class RefusedTo extends Refusal {
  readonly visit: Visit;

  constructor(visit: Visit) {
    super(403, NOT_ALLOWED);
    this.visit = visit;
  }
}

/** The page for an error, with the menu if the reader is known. */
export function failureReply(
  { ctx, locale }: { readonly ctx: ApiContext; readonly locale: Locale },
  visit: Visit | null,
  error: unknown,
): Reply {
  const say = sayIn(locale);
  if (error instanceof SignInNeeded) return { kind: 'redirect', to: signInPath(error.backTo), flash: null };
  if (error instanceof SecondFactorNeeded) return { kind: 'redirect', to: error.to, flash: null };
  const reader = error instanceof RefusedTo ? error.visit : visit;
  if (error instanceof LinkOfOtherSite && reader !== null) return askBeforeDownload(reader, ctx.url);
  if (error instanceof AlreadyDone) {
    const text = say('dashboard.frame.thisFormWasAlreadySubmitted');
    return refused(ownReferrer(ctx), text);
  }
  const [status, text] = textOf(error, locale);
  if (status >= 500)
    ctx.state.log[failureStatus(error) === 503 ? 'warn' : 'error']({ err: error }, 'page failed');
  const seconds = retryAfter(error, status);
  if (seconds !== null) ctx.set('Retry-After', String(seconds));
  const title = say(titleOf(error, status));
  const body: Html = html`<p>${text}</p>
${mayRetry(status) && retryPart(say, { seconds, isForm: ctx.method === 'POST' })}
${status === 500 && errorNumber(say, ctx.state.requestId)}
<p><a href="${reader?.link('/') ?? '/dashboard'}">${say('dashboard.frame.backToTheFirstPage')}</a></p>`;
  return reader === null
    ? barePage(locale, { title, body, status })
    : page(reader, { title, active: null, body, status });
}

/** Seconds until a retry may succeed; null if unknown. */
function retryAfter(error: unknown, status: number): number | null {
  if (error instanceof Refusal || error instanceof NoticeError) return error.retryAfterSeconds;
  if (error instanceof ApiError) return retryAfterOf(error);
  return status === 503 ? AWAY_SECONDS : null;
}

/** Someone who opens a link a second time is at the right place, so the page does not say that there is none. */
function titleOf(error: unknown, status: number): MessageKey {
  if (error instanceof Refusal && error.text === USED_LINK) return 'dashboard.signIn.thisLinkNoLongerWorks';
  return TITLES[status] ?? 'dashboard.frame.notPossible';
}

const TITLES: Readonly<Record<number, MessageKey>> = {
  404: 'dashboard.frame.pageNotFound',
  429: 'dashboard.frame.aPauseForNow',
  500: 'dashboard.frame.thePageCouldNotBe',
  503: 'dashboard.frame.theServiceDoesNotAnswer',
};

/** The page that contained the form; the first page if the browser sends no referrer. */
function ownReferrer(ctx: ApiContext): string {
  const { pathname = null, search = '' } = URL.parse(ctx.get('Referer')) ?? {};
  return ownPath(pathname === null ? null : pathname + search);
}

function textOf(error: unknown, locale: Locale): [status: number, text: string] {
  const say = sayIn(locale);
  if (error instanceof MoneyWaits) return [403, waitText(error, locale)];
  if (error instanceof NoAuthority) return [403, say(NOT_ALLOWED)];
  if (error instanceof Refusal) return [error.status, say(error.text, error.values)];
  if (error instanceof ApiError && error.status === 404) return [404, say(nothingHere().text)];
  if (error instanceof ApiError) return [error.status, reasonText(error, say)];
  if (error instanceof NoticeError) return [error.status, say(error.notice.text)];
  return [failureStatus(error), say('dashboard.error.internalError')];
}

/** @param backTo the path to return to; null for the first page. */
function signInPath(backTo: string | null): string {
  return `/dashboard/sign-in${backTo === null ? '' : `?${new URLSearchParams({ to: backTo })}`}`;
}
