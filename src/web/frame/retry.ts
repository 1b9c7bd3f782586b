import type { MessageKey } from '../i18n/catalogs.ts';
import { tryAgainText } from '../i18n/wait-text.ts';
import { type Html, html } from './html.ts';

type Say = (key: MessageKey) => string;

/** Until a retry after a failure that is not the reader's: Postgres and providers are usually back within seconds. */
export const AWAY_SECONDS = 5;

/** A refusal that ends by itself. */
export interface Retry {
  /** Until a retry may succeed; null if unknown. */
  readonly seconds: number | null;
  /** A form cannot be sent again by a link. */
  readonly isForm: boolean;
}

/** When and how to try again. A link without an address opens the page's own again. */
export function retryPart(say: Say, { seconds, isForm }: Retry): Html {
  const when = seconds === null ? null : tryAgainText(say, seconds);
  const text = [when, isForm ? say('wait.goBack') : null].filter((each) => each !== null).join(' ');
  const link = html`<p class="retry"><a class="button" href="">${say('wait.tryAgain')}</a></p>`;
  return html`${text !== '' && html`<p class="retry">${text}</p>\n`}${!isForm && link}`;
}

/** The number by which the log names a request that failed. */
export function errorNumber(say: Say, requestId: string): Html {
  return html`<p class="retry soft">${say('wait.errorNumber')} <code>${requestId}</code></p>`;
}

/** Whether a retry may succeed after a response with this status. */
export function mayRetry(status: number): boolean {
  return status === 429 || status >= 500;
}
