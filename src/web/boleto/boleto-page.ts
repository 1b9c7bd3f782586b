import { boletoStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { icon } from '../frame/icons.ts';
import { currentLanguage, say } from '../frame/language.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { sayAmount } from '../i18n/money.ts';
import { renderBoletoSlip } from './boleto-slip.ts';
import { renderBoletoSummary } from './boleto-summary.ts';
import type { BoletoPageView } from './boleto-view.ts';

export type { BoletoPagePix, BoletoPageView } from './boleto-view.ts';

/**
 * The page behind a boleto's `url` (contract section 4): the amount due today and how to pay it, above a boleto that prints on
 * one A4 page. Payment codes are shown only while the boleto can be paid.
 *
 * @returns a complete HTML document, to be sent with `pageSecurityHeaders`.
 * @throws RangeError if `barCode44` is not 44 digits.
 */
export function renderBoletoPage(view: BoletoPageView): string {
  return renderPayerPage({
    title: say('boleto.boletoOf', {
      amount: sayAmount(view.due.amountCents),
      store: view.merchantName,
    }),
    stylesheets: [boletoStylesheet],
    accentColor: view.accentColor,
    devModeNotice: view.devMode ? say('boleto.testEnvironmentDoNotPay') : null,
    body: html`<main>
${view.orderPath !== null && html`<p class="back screen-only"><a href="${view.orderPath}">${icon('arrow-left')}${say('checkout.backToYourOrder')}</a></p>`}
${renderBoletoSummary(view)}
${view.voucher === null && renderOwnSlip(view)}
</main>`,
  });
}

/** Not for a provider that has a boleto of its own: its bank prints what ours would lack. */
function renderOwnSlip(view: BoletoPageView): Html {
  return html`${currentLanguage() !== 'pt' && html`<p class="slip-note screen-only">${say('boleto.theSlipBelowStaysIn')}</p>`}
${renderBoletoSlip(view)}`;
}
