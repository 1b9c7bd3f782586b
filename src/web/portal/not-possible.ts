import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { sendHtml } from '../frame/page-context.ts';
import { renderPortalLayout } from './portal-layout.ts';
import type { PayerVisit } from './visit.ts';

/** The page of something that the payer could do when the last page was shown, and cannot do now. */
export function showNotPossible(visit: PayerVisit, title: string, why: string): void {
  const main = html`<section class="panel portal__step">
<h1>${title}</h1>
<p role="alert">${why}</p>
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, 409, renderPortalLayout(visit, { title, main }));
}

export function backLink({ path }: PayerVisit): Html {
  return html`<p class="portal__back"><a href="${path}">${say('portal.action.back')}</a></p>`;
}
