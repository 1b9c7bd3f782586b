import type { Store } from '../../database/entities/store.ts';
import { checkoutStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { type PayerPage, renderPayerPage } from '../frame/payer-page.ts';
import { renderStoreFoot, renderStoreHead } from './store-identity.ts';

type StorePage = Omit<PayerPage, 'body' | 'accentColor'> & {
  readonly store: Store;
  readonly kind: 'pay' | 'portal';
  readonly main: Html;
  /** In the head, beside the store's name. */
  readonly beside?: Html | null;
  /** Below the store's identity. */
  readonly foot?: Html;
};

/** A page of a store for its payers: checkouts, authorizations and the customer portal. */
export function renderStorePage({ store, kind, main, beside = null, foot, ...page }: StorePage): string {
  return renderPayerPage({
    ...page,
    title: `${page.title} – ${store.name}`,
    stylesheets: [checkoutStylesheet, ...page.stylesheets],
    accentColor: store.accentColor,
    body: html`<header class="head"><div class="head__inner">
${renderStoreHead(store)}
${beside}
</div></header>
<main class="${kind}">
${main}
</main>
<footer class="foot">
${renderStoreFoot(store)}
${foot ?? null}
</footer>`,
  });
}
