import type { MessageKey } from '../i18n/catalogs.ts';
import { cardStylesheet, checkoutStylesheet } from './assets.ts';
import { html } from './html.ts';
import { say } from './language.ts';
import { mark } from './layout.ts';
import { renderPayerPage } from './payer-page.ts';
import { errorNumber, type Retry, retryPart } from './retry.ts';

/** A page that only says what the payer can do now. */
export interface Notice {
  readonly title: MessageKey;
  readonly text: MessageKey;
}

/** All notices. A missing charge and a charge of another kind get the same one, so that guessing reveals nothing. */
export const NOTICES = {
  noBoleto: { title: 'payer.boletoNotFound', text: 'payer.thereIsNoBoletoAt' },
  noReceipt: {
    title: 'payer.receiptNotAvailable',
    text: 'payer.theReceiptAppearsAtThis',
  },
  noCheckout: {
    title: 'payer.paymentPageNotFound',
    text: 'payer.thereIsNothingToPay',
  },
  noPortal: { title: 'payer.portalNotFound', text: 'payer.askTheStoreForTheLink' },
  noPayment: {
    title: 'payer.paymentNotFound',
    text: 'payer.thereIsNoSuchPayment',
  },
  noSubscription: {
    title: 'payer.subscriptionNotFound',
    text: 'payer.thereIsNoSuchSubscription',
  },
  noFile: {
    title: 'payer.fileNotFound',
    text: 'payer.thereIsNoFileTo',
  },
  fileOutOfReach: {
    title: 'payer.theFileCouldNotBe',
    text: 'payer.theFileIsNotAvailable',
  },
  otherSite: {
    title: 'payer.paymentNotStarted',
    text: 'payer.theRequestCameFromAnother',
  },
  badForm: {
    title: 'payer.formNotUnderstood',
    text: 'payer.theSubmittedDataDoesNot',
  },
  offerGone: {
    title: 'payer.offerNotAvailable',
    text: 'payer.thisOfferIsNoLonger',
  },
  tooMany: {
    title: 'payer.tooManyVisitsInA',
    text: 'payer.toProtectPayersWePause',
  },
  tooManyDownloads: {
    title: 'payer.manyDownloadAtThisMoment',
    text: 'payer.tryTheDownloadInAMinute',
  },
  fileTooLarge: { title: 'payer.fileTooLarge', text: 'payer.theFileIsTooLarge' },
  noPage: { title: 'payer.pageNotFound', text: 'payer.thereIsNothingAtThis' },
  failed: {
    title: 'payer.thePageCouldNotBe',
    text: 'payer.theProblemIsOnOur',
  },
  away: { title: 'payer.theServiceDoesNotAnswer', text: 'payer.theProblemIsOnOur' },
} as const satisfies Record<string, Notice>;

/** What a notice says besides its text. */
interface NoticeEnd {
  /** Null if a retry does not help. */
  readonly retry?: Retry | null;
  /** The number by which the log names a request that failed. */
  readonly failedRequestId?: string | null;
}

/**
 * A complete HTML document, to be sent with `pageSecurityHeaders`. It has the frame of the payers' pages with our name, because naming
 * a store would reveal what exists.
 */
export function renderNoticePage({ title, text }: Notice, end: NoticeEnd = {}): string {
  const { retry = null, failedRequestId = null } = end;
  return renderPayerPage({
    title: say(title),
    stylesheets: [checkoutStylesheet, cardStylesheet],
    devModeNotice: null,
    body: html`<header class="head"><div class="head__inner">${mark()}</div></header>
<main class="card">
<h1 class="card__title">${say(title)}</h1>
<p class="card__text">${say(text)}</p>
${retry !== null && retryPart(say, retry)}
${failedRequestId !== null && errorNumber(say, failedRequestId)}
</main>`,
  });
}
