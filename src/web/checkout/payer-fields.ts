import { METHODS } from '../../charges/methods/index.ts';
import { isComplete, type PayerNeeds } from '../../checkouts/payer.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { PaymentMethod } from '../../domain/charge.ts';
import { PAYMENT_METHODS } from '../../domain/charge.ts';
import { STATES } from '../../domain/payer.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import { selectField, textField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { checkedBy, problemsByField } from './field-problems.ts';
import { whenMethod } from './method-picker.ts';
import { type FieldProblem, MAX_LENGTH, type TypedForm } from './pay-form-data.ts';
import { REFUSAL_WORDING } from './refusal-wording.ts';

/** The methods whose charges name the payer at every provider. */
const BOLETOS = PAYMENT_METHODS.filter((method) => METHODS[method].namesPayer);

interface PayerFields {
  readonly methods: readonly PaymentMethod[];
  /** The payer named by the merchant; for a payment link, the person who probably pays. */
  readonly customer: Customer | null;
  /** Anyone can pay a payment link, so known data is prefilled and can be replaced. */
  readonly isLink: boolean;
  readonly typed: TypedForm;
  readonly problems: readonly FieldProblem[];
  /** What the provider of boletos needs beside name and tax id. */
  readonly needs: PayerNeeds;
  /** Other methods whose provider needs the payer's name and tax id as well. */
  readonly alsoNaming: readonly PaymentMethod[];
}

/** The methods whose charges must name the payer. */
function namingPayer({ alsoNaming }: PayerFields): readonly PaymentMethod[] {
  return PAYMENT_METHODS.filter((method) => METHODS[method].namesPayer || alsoNaming.includes(method));
}

function others(fields: PayerFields): readonly PaymentMethod[] {
  const naming = namingPayer(fields);
  return PAYMENT_METHODS.filter((method) => !naming.includes(method));
}

/**
 * The payer's fields. A boleto must name its payer, and so must PIX and cards of some providers. Data on record is not asked for, and a tax id on record is never shown.
 */
export function renderPayerFields(fields: PayerFields): Html {
  const { customer, methods, isLink } = fields;
  if (customer === null || isLink) return askedPayer(fields);
  const complete = isComplete(customer, 'BOLETO', fields.needs) && !fields.needs.includes('address');
  return html`<section class="part payer" aria-labelledby="payer-heading">
<h2 class="part__title" id="payer-heading">${say('checkout.yourDetails')}</h2>
<p class="payer__known">${sayHtml('checkout.payingAs', { payer: html`<strong>${customer.name ?? customer.email ?? say('checkout.customerOfTheStore')}</strong>` })}${
    customer.taxId !== null && html` <span class="payer__tax-id">${maskTaxId(customer.taxId)}</span>`
  }</p>
${!complete && whenMethod(methods, namingPayer(fields), 'div', missingFields(fields, customer))}
</section>`;
}

function askedPayer(fields: PayerFields): Html {
  return fields.methods.some((method) => namingPayer(fields).includes(method))
    ? namedPayer(fields)
    : optionalPayer(fields);
}

/** The stylesheet hides fields that only other methods need, also without script. */
function namedPayer(fields: PayerFields): Html {
  const { methods } = fields;
  const fold = html`<input type="checkbox" id="identify" class="payer__fold"${isUsed(fields) && html` checked`}> <label for="identify">${say('checkout.addPayerDetails')} <span class="optional">(${say('checkout.optional')})</span></label>`;
  const unfolded = fields.alsoNaming.map((method) => ` payer--with-${method.toLowerCase()}`).join('');
  return html`<section class="part payer payer--folds${unfolded}" aria-labelledby="payer-heading">
<h2 class="part__title" id="payer-heading">${say('checkout.yourDetails')}</h2>
${whenMethod(methods, others(fields), 'p', fold)}
${whenMethod(methods, BOLETOS, 'p', html`${say('checkout.theBoletoIsIssuedTo')}`, 'part__hint')}
${allFields(fields)}
</section>`;
}

/** Whether these fields contain input or a problem. */
function isUsed({ typed, problems }: PayerFields): boolean {
  return Boolean(
    typed.payerName ||
      typed.payerTaxId ||
      typed.payerEmail ||
      problems.some(({ field }) => field?.startsWith('payer')),
  );
}

/** Folded if no method needs it. */
function optionalPayer(fields: PayerFields): Html {
  return html`<details class="part payer"${isUsed(fields) && html` open`}>
<summary class="payer__summary folds">${say('checkout.addPayerDetails')} <span class="optional">(${say('checkout.optional')})</span></summary>
${allFields(fields)}
</details>`;
}

function allFields(fields: PayerFields): Html {
  return html`<div class="fields">
${nameField(fields)}
${taxIdField(fields)}
${emailField(fields)}
${fields.needs.includes('address') && whenMethod(fields.methods, BOLETOS, 'div', html`<div class="fields">${addressFields(fields)}</div>`, 'payer__address')}
</div>`;
}

/** Only a boleto needs an e-mail. */
const NOT_BOLETOS = PAYMENT_METHODS.filter((method) => !BOLETOS.includes(method));

function emailField({ methods, needs, typed, problems }: PayerFields): Html {
  const isNeeded = needs.includes('email');
  return textField({
    name: 'payerEmail',
    label: html`E-mail${isNeeded ? optional(methods, NOT_BOLETOS) : html` <span class="optional">(${say('checkout.optional')})</span>`}`,
    value: typed.payerEmail,
    problems: problemsByField(problems),
    type: 'email',
    required: false,
    autocomplete: 'email',
    maxLength: MAX_LENGTH.payerEmail,
    attributes: checkedBy({
      wrong: say(REFUSAL_WORDING.EMAIL_INVALID.message),
      kind: 'email',
      ...(isNeeded && { missing: say(REFUSAL_WORDING.PAYER_EMAIL_REQUIRED.message), neededFor: 'BOLETO' }),
    }),
  });
}

function addressFields({ typed, problems }: PayerFields): Html {
  const common = (name: AddressField, label: MessageKey, missing: MessageKey, keyboard?: Html) => ({
    name,
    label: say(label),
    value: typed[name],
    problems: problemsByField(problems),
    maxLength: MAX_LENGTH[name],
    required: false,
    attributes: checkedBy({ missing: say(missing), neededFor: 'BOLETO' }, keyboard),
  });
  const { STREET_MISSING, CITY_MISSING, STATE_MISSING, ZIP_CODE_WRONG } = REFUSAL_WORDING;
  return html`${textField({
    ...common('payerStreet', 'checkout.street', STREET_MISSING.message),
    autocomplete: 'street-address',
  })}
${textField({
  ...common('payerCity', 'checkout.city', CITY_MISSING.message),
  autocomplete: 'address-level2',
})}
${selectField({
  ...common('payerState', 'checkout.state', STATE_MISSING.message, html` autocomplete="address-level1"`),
  options: ['', ...STATES].map((state) => [state, state] as const),
  isHalf: true,
})}
${textField({
  ...common('payerZipCode', 'checkout.zipCode', ZIP_CODE_WRONG.message, html` inputmode="numeric"`),
  autocomplete: 'postal-code',
  isHalf: true,
})}`;
}

type AddressField = 'payerStreet' | 'payerCity' | 'payerState' | 'payerZipCode';

function missingFields(fields: PayerFields, { name, taxId, email }: Customer): Html {
  const isNamed = name !== null && taxId !== null;
  const naming =
    fields.alsoNaming.length > 0 ? 'checkout.thePaymentNeedsTheName' : 'checkout.aBoletoNeedsTheName';
  return html`<p class="part__hint">${say(isNamed ? 'checkout.theBoletoNeedsMore' : naming)}</p>
<div class="fields">
${name === null && nameField(fields)}
${taxId === null && taxIdField(fields)}
${email === null && fields.needs.includes('email') && emailField(fields)}
${fields.needs.includes('address') && whenMethod(fields.methods, BOLETOS, 'div', html`<div class="fields">${addressFields(fields)}</div>`, 'payer__address')}
</div>`;
}

function nameField(fields: PayerFields): Html {
  const { methods, typed, problems } = fields;
  return textField({
    name: 'payerName',
    label: html`${say('checkout.fullName')}${optional(methods, others(fields))}`,
    value: typed.payerName,
    problems: problemsByField(problems),
    required: false,
    autocomplete: 'name',
    maxLength: MAX_LENGTH.payerName,
    attributes: checkedBy({
      missing: say(REFUSAL_WORDING.PAYER_NAME_REQUIRED.message),
      neededFor: namingPayer(fields).join(' '),
    }),
  });
}

function taxIdField(fields: PayerFields): Html {
  const { methods, typed, problems, customer, isLink } = fields;
  const known = isLink && customer?.name != null ? customer.taxId : null;
  return textField({
    name: 'payerTaxId',
    label: html`${say('checkout.cpfOrCnpjBrazilianTax')}${known === null ? optional(methods, others(fields)) : html` <span class="optional">(${say('checkout.optional')})</span>`}`,
    value: typed.payerTaxId,
    ...(known !== null && {
      hint: say('checkout.ifLeftEmptyTheData', {
        name: customer?.name ?? '',
        taxId: maskTaxId(known),
      }),
    }),
    problems: problemsByField(problems),
    required: false,
    maxLength: MAX_LENGTH.payerTaxId,
    attributes: checkedBy(
      {
        wrong: say(REFUSAL_WORDING.PAYER_TAX_ID_INVALID.message),
        kind: 'tax-id',
        ...(known === null && {
          missing: say(REFUSAL_WORDING.PAYER_TAX_ID_REQUIRED.message),
          neededFor: namingPayer(fields).join(' '),
        }),
      },
      html` data-tax-id autocapitalize="characters" spellcheck="false"`,
    ),
  });
}

function optional(methods: readonly PaymentMethod[], notNeededBy: readonly PaymentMethod[]): Html | null {
  return whenMethod(methods, notNeededBy, 'span', html` (${say('checkout.optional')})`, 'optional');
}
