import { PRODUCT_CYCLES } from '../../../domain/cycle.ts';
import { USAGE_CYCLES } from '../../../domain/usage-cycle.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Fields } from '../frame/fields.ts';
import type { Visit } from '../frame/visit.ts';
import { centsIn, perCycle } from '../words.ts';
import { hasUsagePrice, usagePriceFields, usagePriceOf } from './usage-price-fields.ts';

/** What `products/create` takes. A price that is no amount is sent as null, so that the API names all wrong fields at once. */
export function productBody(visit: Visit, externalId: string) {
  const trialDays = visit.field('trialDays');
  const cycle = visit.field('cycle') || null;
  return {
    ...textsOf(visit),
    fileUrl: visit.field('fileUrl') || null,
    price: centsIn(visit.field('price')),
    currency: 'BRL',
    cycle,
    ...(cycle === null ? { usagePrice: usagePriceOf(visit) } : usageTermsOf(visit)),
    usageCycle: visit.field('usageCycle') || null,
    trialDays: trialDays === '' ? null : Number(trialDays),
    externalId,
  };
}

/** The submitted texts that can change later. */
export function textsOf(visit: Visit) {
  return {
    name: visit.field('name'),
    description: visit.field('description') || null,
    imageUrl: visit.field('imageUrl') || null,
  };
}

/** Whether a cancellation charges usage. */
export function usageTermsOf(visit: Visit) {
  return { billUsageOnCancel: visit.field('billUsageOnCancel') !== 'no' };
}

/** Whether a cancellation charges usage that no cycle has charged; only for a product with a cycle. */
export function usageField({ say }: Visit, fields: Fields, isBilled: boolean): Html {
  return fields.select({
    name: 'billUsageOnCancel',
    label: say('dashboard.catalog.usageAtACancellation'),
    value: isBilled ? 'yes' : 'no',
    options: [
      ['yes', say('dashboard.catalog.usageIsCharged')],
      ['no', say('dashboard.catalog.usageIsNotCharged')],
    ],
    hint: say('dashboard.catalog.onlyForSubscriptions'),
  });
}

/** Name, description and picture. @param initial what the form shows first. */
export function textFields({ say }: Visit, fields: Fields, initial: URLSearchParams): Html {
  const value = (name: string) => initial.get(name) ?? '';
  return html`${fields.text({ name: 'name', label: say('dashboard.name'), value: value('name') })}
${fields.area({
  name: 'description',
  label: say('dashboard.catalog.descriptionOptional'),
  value: value('description'),
  hint: say('dashboard.catalog.payersReadItAtThe'),
  required: false,
})}
${fields.text({
  name: 'imageUrl',
  label: say('dashboard.catalog.addressOfAPictureOptional'),
  value: value('imageUrl'),
  hint: say('dashboard.catalog.suchAsHttpsExampleCom'),
  required: false,
  maxLength: 2_048,
})}`;
}

/** Price, cycle and id, which never change. */
export function fixedFields(visit: Visit, fields: Fields, initial: URLSearchParams): Html {
  const { say } = visit;
  const cycles = PRODUCT_CYCLES.map((cycle) => [cycle, perCycle(cycle, say)] as const);
  return html`${fields.text({
    name: 'price',
    label: say('dashboard.catalog.priceInReais'),
    value: initial.get('price') ?? '',
    hint: say('dashboard.catalog.suchAs104990'),
    maxLength: 30,
  })}
${fields.select({
  name: 'cycle',
  label: say('dashboard.catalog.charged'),
  value: initial.get('cycle') ?? '',
  options: [['', say('dashboard.catalog.once')], ...cycles],
})}
${fields.text({
  name: 'externalId',
  label: say('dashboard.catalog.yourIdOrSkuOptional'),
  hint: say('dashboard.catalog.emptyDerivedFromTheName'),
  required: false,
  maxLength: 100,
})}`;
}

/** The terms of a subscription, or how recorded units are priced, which few products need. The stylesheet hides the set that the chosen cycle does not need. */
export function termFields(visit: Visit, fields: Fields, initial: URLSearchParams): Html {
  const { say } = visit;
  return html`<fieldset class="set set--subscription"><legend>${say('dashboard.catalog.onlySubscriptions')}</legend>
${fields.text({
  name: 'trialDays',
  label: say('dashboard.catalog.daysOfFreeTrialSubscriptions'),
  required: false,
  maxLength: 3,
})}
${fields.select({
  name: 'usageCycle',
  label: say('dashboard.catalog.usageCycle'),
  value: initial.get('usageCycle') ?? '',
  options: [
    ['', say('dashboard.catalog.usageWithThePlan')],
    ...USAGE_CYCLES.map((cycle) => [cycle, perCycle(cycle, say)] as const),
  ],
  hint: say('dashboard.catalog.usageCycleHint'),
})}
${usageField(visit, fields, true)}</fieldset>
<details class="set set--usage"${hasUsagePrice(visit, fields, initial) && html` open`}><summary class="folds">${say('dashboard.catalog.chargedByUsage')}</summary>
<p class="set__text soft">${say('dashboard.catalog.chargedByUsageText')}</p>
${usagePriceFields(visit, fields, initial)}</details>`;
}

/** The file's address is never shown: an empty field keeps the stored one. */
export function fileField({ say }: Visit, fields: Fields, hasFile: boolean): Html {
  return fields.text({
    name: 'fileUrl',
    label: say('dashboard.catalog.addressOfAFileFor'),
    hint: hasFile ? say('dashboard.catalog.thereIsAFile') : say('dashboard.catalog.startsWithHttpsAndIs'),
    required: false,
    maxLength: 2_048,
  });
}
