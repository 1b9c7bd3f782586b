import type { Mandate } from '../../database/entities/mandate.ts';
import { consentPath, isWaiting } from '../../mandates/consent/consent-path.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { storeLink } from '../checkout/store-identity.ts';
import { renderStorePage } from '../checkout/store-page.ts';
import { everyCycle } from '../checkout/subscription-plan.ts';
import { renderCopyCode } from '../checkout/waiting-payment.ts';
import { checkoutScript, paymentStylesheet } from '../frame/assets.ts';
import { renderQrCode } from '../frame/codes.ts';
import { facts } from '../frame/facts.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay, sayHtml } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';
import type { LoadedConsent } from './load-consent.ts';

const POLL_MS = 3_000;
/** The reload interval without script. */
const REFRESH_SECONDS = 15;

/** The page on which a payer reads what they authorize, and the code with which their bank's app asks them. */
export function renderConsentPage(consent: LoadedConsent): string {
  const { mandate, store } = consent;
  const { title, main } = contentOf(consent);
  const waits = isWaiting(mandate);
  return renderStorePage({
    store,
    kind: 'pay',
    title,
    stylesheets: [paymentStylesheet],
    scripts: [checkoutScript],
    devModeNotice: mandate.devMode ? devModeBanner(mandate, waits) : null,
    refreshWithoutScriptSeconds: waits ? REFRESH_SECONDS : null,
    main: html`<div class="pay__main">
${main}
</div>`,
  });
}

function contentOf(consent: LoadedConsent): { title: string; main: Html } {
  const { mandate, store } = consent;
  const { status, consentCode, endRequestedAt } = mandate;
  if (isWaiting(mandate) && consentCode !== null)
    return { title: say('authorize.title'), main: renderRequest(consent, consentCode) };
  if (status === 'ACTIVE' && endRequestedAt === null)
    return state('authorize.done', html`<p class="state__text">${say('authorize.doneMeans')}</p>`, consent);
  const means = mandate.activatedAt === null ? 'authorize.overMeans' : 'authorize.endedMeans';
  const text = html`<p class="state__text">${sayHtml(means, { store: storeLink(store) })}</p>`;
  return state(mandate.activatedAt === null ? 'authorize.over' : 'authorize.ended', text, null);
}

function state(
  key: 'authorize.done' | 'authorize.over' | 'authorize.ended',
  text: Html,
  shown: LoadedConsent | null,
) {
  const title = say(key);
  const main = html`<section class="panel state">
<h1>${title}</h1>
${text}
${shown !== null && renderTerms(shown)}
</section>`;
  return { title, main };
}

function renderRequest(consent: LoadedConsent, code: string): Html {
  const { mandate, planText, store } = consent;
  return html`<section class="panel wait">
<h1 class="wait__title">${say('authorize.title')}</h1>
<p>${say('authorize.asks', { store: store.name, plan: planText })}</p>
${renderTerms(consent)}
${renderStatus(mandate)}
<div class="pix">
${renderCopyCode(code, say('payer.pixCopiaEColaCode'), 'pix')}
<div class="pix__qr">${renderQrCode(qrCodeSvgPath(code), say('authorize.qrCode'))}</div>
<div class="pix__how">
<h2 class="wait__subtitle">${say('authorize.how')}</h2>
<ol class="steps">
<li>${say('checkout.openYourBanksAppAnd')}</li>
<li>${say('checkout.scanTheQrCodeOr')}</li>
<li>${say('authorize.confirmThere')}</li>
</ol>
</div>
</div>
<p class="wait__note">${say('authorize.untilThen')}</p>
</section>`;
}

/** How much, how often, until when, and how to end it. */
function renderTerms({ mandate, store }: LoadedConsent): Html {
  const { amountCents, periodicity, firstDate } = mandate;
  const amount = amountCents === null ? say('authorize.variable') : sayAmount(amountCents);
  const when = say('authorize.from', { cycle: everyCycle(periodicity), date: sayDay(firstDate) });
  return facts([
    [say('authorize.amount'), amount],
    [say('authorize.when'), when],
    [say('authorize.until'), say('authorize.untilYouEndIt')],
    [say('authorize.howToEnd'), sayHtml('authorize.inYourBanksApp', { store: storeLink(store) })],
  ]);
}

/** The script polls it, and reloads the page when it changes. */
function renderStatus(mandate: Mandate): Html {
  const path = `${consentPath(mandate)}/status`;
  return html`<p class="live" role="status" data-live-status="${path}" data-poll-ms="${POLL_MS}" data-status="${mandate.status}" data-changed="${say('checkout.thereIsAnAnswer')}" data-offline="${say('authorize.offline')}"><span class="live__dot" aria-hidden="true"></span><span data-live-text>${say('authorize.waiting')}</span></p>`;
}

function devModeBanner(mandate: Mandate, waits: boolean): Html {
  const notice = html`<p>${say('payer.testEnvironmentNoPaymentHere')}</p>`;
  if (!waits) return notice;
  return html`${notice}
<form method="post" action="${consentPath(mandate)}/simulate">
<button type="submit" class="dev-banner__button" name="answer" value="accept">${say('authorize.simulateAccept')}</button>
<button type="submit" class="dev-banner__button" name="answer" value="refuse">${say('authorize.simulateRefuse')}</button>
</form>`;
}
