import { hash } from 'node:crypto';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { StoreId } from '../../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import type { CardEntry } from '../../providers/ports/cards.ts';
import { cardFieldScripts } from '../checkout/card-fields.ts';
import { renderCardForm } from '../checkout/card-form.ts';
import { EMPTY_FORM } from '../checkout/pay-form-data.ts';
import { cardFrameScript, cardStylesheet, payFormStylesheet } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderPayerPage } from '../frame/payer-page.ts';

interface KeyOfFrame {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

const FIND = statement<{ hash: string; now: Date }, KeyOfFrame>(
  'find the public key of a card frame',
  () => `
  select store_id as "storeId", dev_mode as "devMode" from api_keys
  where hash = :hash and public_text is not null and revoked_at is null and (expires_at is null or expires_at > :now)`,
);

/** The store and environment of a public key in use; null if there is none. @param now real time. */
export async function storeOfPublicKey(
  database: Database,
  key: string,
  now: Date,
): Promise<KeyOfFrame | null> {
  const [found = null] = await FIND(database, { hash: hash('sha256', key, 'hex'), now });
  return found;
}

/** The amount that a shop's page names for the provider's fields; null if it is not valid. */
export function amountIn(text: string): number | null {
  const amount = /^\d{3,15}$/.test(text) ? Number(text) : 0;
  return amount >= 100 && amount <= MAX_AMOUNT_CENTS ? amount : null;
}

/** The fields of a card, as a document of their own that a shop's page shows. */
export function renderCardFrame(
  {
    key,
    devMode,
    amountCents,
  }: { readonly key: string; readonly devMode: boolean; readonly amountCents: number },
  entry: CardEntry,
): string {
  const fields = entry.kind === 'PROVIDER_FIELDS' ? entry.fields : null;
  const card = renderCardForm({
    fields,
    isOnPage: false,
    keepsCard: true,
    totalCents: amountCents,
    // The shop's server says how many installments there are.
    typed: EMPTY_FORM,
    problems: [],
    devMode,
  });
  return renderPayerPage({
    title: say('checkout.cardNumber'),
    stylesheets: [cardStylesheet, payFormStylesheet],
    scripts: [
      ...(fields === null ? [] : cardFieldScripts(fields)),
      { path: cardFrameScript.path, runs: 'as-module' },
    ],
    devModeNotice: devMode ? say('payer.testEnvironmentNoPaymentHere') : null,
    body: html`<main class="card-frame">
<form class="pay-form" method="post" data-public-key="${key}">
${card}
<p class="field__problem" data-frame-problem role="alert" hidden>${say('checkout.checkTheCard')}</p>
</form>
</main>`,
  });
}
