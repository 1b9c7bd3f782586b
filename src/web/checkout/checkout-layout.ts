import { linkableUrl } from '../../domain/checkout.ts';
import type { PageAsset } from '../frame/asset-files.ts';
import { checkoutScript } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayHtml } from '../frame/language.ts';
import type { PageScript } from '../frame/layout.ts';
import type { LinkPreview } from '../frame/payer-page.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderStorePage } from './store-page.ts';

interface CheckoutLayout {
  readonly title: string;
  readonly loaded: LoadedCheckout;
  /** The stylesheet of `main`. */
  readonly stylesheet: PageAsset;
  /** The scripts of `main`, besides that of all these pages. */
  readonly scripts?: readonly PageScript[];
  /** The path of dev mode's button that simulates the payment; null if there is nothing to pay. */
  readonly simulatePath?: string | null;
  /** Whether the page updates by itself when its payment changes. */
  readonly refreshes?: boolean;
  /** Where the browser goes at once. */
  readonly leavesTo?: string | null;
  /** The preview of a shared link; null for a page of one payer. */
  readonly preview?: Omit<LinkPreview, 'siteName'> | null;
  readonly main: Html;
}

/** The reload interval without script. */
const REFRESH_SECONDS = 10;

/** The frame of every checkout page: the store, the way back, and dev mode's banner. */
export function renderCheckoutLayout(layout: CheckoutLayout): string {
  const {
    title,
    loaded,
    stylesheet,
    scripts = [],
    simulatePath = null,
    refreshes = false,
    leavesTo = null,
    preview = null,
    main,
  } = layout;
  const { checkout, merchantName, store } = loaded;
  const returnUrl = linkableUrl(checkout.returnUrl);
  return renderStorePage({
    store,
    kind: 'pay',
    title,
    stylesheets: [stylesheet],
    scripts: [checkoutScript, ...scripts],
    devModeNotice: checkout.devMode ? devModeBanner(simulatePath, loaded.movedTo) : null,
    refreshWithoutScriptSeconds: refreshes ? REFRESH_SECONDS : null,
    leavesTo,
    preview: preview && { siteName: merchantName, ...preview },
    beside:
      returnUrl === null
        ? null
        : html`<a class="head__back" href="${returnUrl}" rel="noopener noreferrer">${say('checkout.back')}<span class="head__back-more"> ${say('checkout.toTheStore')}</span></a>`,
    main,
    foot: html`<p><svg class="foot__lock" viewBox="0 0 24 24" aria-hidden="true"><rect x="5" y="11" width="14" height="10" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/></svg>${say('checkout.paymentProcessedByRecebe')}</p>`,
  });
}

function devModeBanner(simulatePath: string | null, movedTo: Date | null): Html {
  return html`<p>${say('payer.testEnvironmentNoPaymentHere')}${movedTo !== null && html` · ${sayHtml('checkout.theClockIsAt', { date: html`<time datetime="${movedTo.toISOString()}">${sayDay(movedTo)}</time>` })}`}</p>
${simulatePath !== null && html`<form method="post" action="${simulatePath}"><button type="submit" class="dev-banner__button">${say('checkout.simulatePayment')}</button></form>`}`;
}
