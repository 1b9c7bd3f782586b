import type { CardWallet } from '../../domain/card.ts';
import type { CardFields } from '../../providers/ports/cards.ts';
import { fieldScripts } from '../frame/assets.ts';
import { problemOf } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { PageScript } from '../frame/layout.ts';
import { problemsByField } from './field-problems.ts';
import type { FieldProblem } from './pay-form-data.ts';

interface FieldsOfProvider {
  readonly fields: CardFields;
  readonly totalCents: number;
  /** The payer agrees to later charges, so the provider stores the card. */
  readonly keepsCard: boolean;
  /** The wallets that the checkout offers, and whether it offers typed cards. */
  readonly wallets?: readonly CardWallet[];
  readonly takesTypedCard?: boolean;
  readonly problems: readonly FieldProblem[];
}

/**
 * The place where the provider's script shows its own fields. This form receives only a token (PCI SAQ A). Without
 * script there are no fields, and the page says so.
 */
export function renderCardFields({
  fields,
  totalCents,
  keepsCard,
  wallets = [],
  takesTypedCard = true,
  problems,
}: FieldsOfProvider): Html {
  return html`<div class="field" id="cardNumber">
<div class="card-fields" data-card-fields data-publishable-key="${fields.publishableKey}" data-amount-cents="${totalCents}"${keepsCard && html` data-keeps-card`}${wallets.length > 0 && html` data-wallets="${wallets.join(' ')}"`}${!takesTypedCard && html` data-no-wallet="${say('checkout.noWalletOnThisDevice')}"`}></div>
<p class="field__problem" data-card-problem="${say(takesTypedCard ? 'checkout.checkTheCard' : 'checkout.payThroughAWallet')}" role="alert" hidden></p>
${problemOf({ name: 'cardNumber', problems: problemsByField(problems) })}
<noscript><p class="field__problem">${say('checkout.cardNeedsScript')}</p></noscript>
<input type="hidden" name="cardToken">
</div>`;
}

/** The provider's script, and the one that mounts its fields. @throws if the adapter names an asset that is not there. */
export function cardFieldScripts({ script, ours }: CardFields): readonly PageScript[] {
  const mount = fieldScripts.get(ours);
  if (mount === undefined) throw new Error(`no script is named ${ours}`);
  return [{ path: script }, { path: mount.path, runs: 'as-module' }];
}
