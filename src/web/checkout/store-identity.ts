import type { Store } from '../../database/entities/store.ts';
import { linkableUrl } from '../../domain/checkout.ts';
import { formatTaxId, maskTaxId } from '../../domain/tax-id.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderLogo } from '../frame/store-logo.ts';

/** The store's picture, or the first letter of its name, beside its name. */
export function renderStoreHead({ name, logoFile, logoUrl }: Store): Html {
  const logo = linkableUrl(logoUrl);
  const letter = [...name.trim()][0]?.toUpperCase() ?? '';
  return html`<p class="head__merchant">${
    renderLogo(logoFile) ??
    (logo === null
      ? html`<span class="head__initial" aria-hidden="true">${letter}</span>`
      : html`<img class="head__logo" src="${logo}" alt="" height="40" referrerpolicy="no-referrer">`)
  }${name}</p>`;
}

/** The store's legal identity, contact and notes, as far as they are on record. */
export function renderStoreFoot(store: Store): Html {
  const { name, taxId, supportEmail, supportPhone, supportUrl, legalFooter } = store;
  const helpUrl = linkableUrl(supportUrl);
  const ways = [
    supportEmail !== null && html` <a href="mailto:${supportEmail}">${supportEmail}</a>`,
    supportPhone !== null && html` <a href="${callUrl(supportPhone)}">${supportPhone}</a>`,
    helpUrl !== null &&
      html` <a href="${helpUrl}" rel="noopener noreferrer">${say('checkout.helpCentre')}</a>`,
  ].filter((way) => way !== false);
  return html`${taxId !== null && html`<p>${name} · ${taxIdText(taxId)}</p>`}
${ways.length > 0 && html`<p>${say('checkout.contactTheStore')}${ways.map((way, index) => (index === 0 ? way : html` ·${way}`))}</p>`}
${legalFooter !== null && html`<p>${legalFooter}</p>`}`;
}

/** A CNPJ is public; a CPF is not shown. */
function taxIdText(taxId: string): string {
  return taxId.length === 11 ? `CPF ${maskTaxId(taxId)}` : `CNPJ ${formatTaxId(taxId)}`;
}

/** The store's name, linked to its contact if it has one. */
export function storeLink(store: Store): Html {
  return storeContact(store) ?? html`${store.name}`;
}

/** The store's name as a link to its e-mail address, help page or phone; null for a store without any. */
export function storeContact({ name, supportEmail, supportUrl, supportPhone }: Store): Html | null {
  if (supportEmail !== null) return contact(`mailto:${supportEmail}`, name);
  const helpUrl = linkableUrl(supportUrl);
  if (helpUrl !== null) return contact(helpUrl, name);
  return supportPhone === null ? null : contact(callUrl(supportPhone), name);
}

function contact(address: string, name: string): Html {
  return html`<a href="${address}" rel="noopener noreferrer">${name}</a>`;
}

function callUrl(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
