import type { ProductView } from '../../../api/products/schema.ts';
import { USAGE_PRICE_MODELS, type UsagePriceModel } from '../../../domain/usage-price.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Fields } from '../frame/fields.ts';
import { FormRefused } from '../frame/refusals.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, centsIn } from '../words.ts';
import { priceText } from './price-text.ts';

type ShownUsagePrice = NonNullable<ProductView['usagePrice']>;

/** How the last unit of the last tier, which has no end, is written. */
const OPEN_END = '*';

const MODELS: Readonly<Record<UsagePriceModel, MessageKey>> = {
  PER_UNIT: 'dashboard.catalog.usagePerUnit',
  GRADUATED: 'dashboard.catalog.usageGraduated',
  VOLUME: 'dashboard.catalog.usageVolume',
  PACKAGE: 'dashboard.catalog.usagePackage',
};

/** Whether {@link usagePriceFields} say more than that each unit costs the price, or have a problem. */
export function hasUsagePrice(visit: Visit, { problems }: Fields, initial: URLSearchParams): boolean {
  const isOfUsage = (name: string) => name.startsWith('usagePrice.');
  const filled = [...initial, ...visit.form].some(
    ([name, value]) => isOfUsage(name) && value !== '' && value !== 'PER_UNIT',
  );
  return filled || Object.keys(problems).some(isOfUsage);
}

/** How recorded units are priced; only for a product without a cycle. */
export function usagePriceFields({ say }: Visit, fields: Fields, initial: URLSearchParams): Html {
  const value = (name: string) => initial.get(name) ?? '';
  const number = (name: string, label: MessageKey, hint: MessageKey) =>
    fields.text({
      name,
      label: say(label),
      hint: say(hint),
      value: value(name),
      required: false,
      maxLength: 10,
    });
  return html`${fields.select({
    name: 'usagePrice.model',
    label: say('dashboard.catalog.usagePrice'),
    value: value('usagePrice.model') || 'PER_UNIT',
    options: USAGE_PRICE_MODELS.map((model) => [model, say(MODELS[model])]),
    hint: say('dashboard.catalog.onlyForUsage'),
  })}
${number('usagePrice.includedUnits', 'dashboard.catalog.includedUnits', 'dashboard.catalog.includedUnitsHint')}
${number('usagePrice.packageSize', 'dashboard.catalog.packageSize', 'dashboard.catalog.packageSizeHint')}
${fields.area({
  name: 'usagePrice.tiers',
  label: say('dashboard.catalog.tiers'),
  hint: say('dashboard.catalog.tiersHint'),
  value: value('usagePrice.tiers'),
  required: false,
  maxLength: 2_000,
})}`;
}

/**
 * `usagePrice` of `products/create`; null if each unit costs the product's price. Wrong numbers are sent too, so that the API
 * names all wrong fields at once.
 */
export function usagePriceOf(visit: Visit) {
  const model = visit.field('usagePrice.model') || 'PER_UNIT';
  const includedUnits = visit.field('usagePrice.includedUnits');
  const packageSize = visit.field('usagePrice.packageSize');
  const tiers = visit.field('usagePrice.tiers');
  if (model === 'PER_UNIT' && (includedUnits || packageSize || tiers) === '') return null;
  return {
    model,
    includedUnits: includedUnits === '' ? 0 : wholeIn(includedUnits),
    packageSize: packageSize === '' ? null : wholeIn(packageSize),
    tiers: tiers === '' ? null : tiersIn(tiers),
  };
}

/** `1000; 0,10` or `*; 0,05; 20,00` in each line: the last unit, the price per unit, and maybe a flat price. */
function tiersIn(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [upTo = '', unitPrice = '', flatPrice = '0', ...others] = line
      .split(';')
      .map((part) => part.trim());
    return {
      upTo: upTo === OPEN_END ? null : wholeIn(upTo),
      unitPrice: others.length > 0 ? null : centsIn(unitPrice),
      flatPrice: centsIn(flatPrice),
    };
  });
}

/** Thousands may be grouped with points. @returns -1, which the API refuses, for any other text. */
function wholeIn(text: string): number {
  const digits = text.replace(/\.(?=\d{3}(?:\.|$))/g, '');
  return /^\d+$/.test(digits) ? Number(digits) : -1;
}

/** @throws FormRefused that names the field of all tiers for a problem of one of them. */
export async function orTierProblems<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FormRefused)) throw error;
    const ofTier = Object.entries(error.problems).find(([name]) => name.startsWith('usagePrice.tiers['));
    if (ofTier === undefined) throw error;
    throw new FormRefused({ ...error.problems, 'usagePrice.tiers': ofTier[1] });
  }
}

/** The same as the fields of a form, for a product at another price. */
export function usagePriceQuery(price: ShownUsagePrice): Record<string, string> {
  const { model, includedUnits, packageSize, tiers } = price;
  const lines = tiers?.map(({ upTo, unitPrice, flatPrice }) =>
    [upTo ?? OPEN_END, priceText(unitPrice), ...(flatPrice > 0 ? [priceText(flatPrice)] : [])].join('; '),
  );
  return {
    'usagePrice.model': model,
    ...(includedUnits > 0 && { 'usagePrice.includedUnits': String(includedUnits) }),
    ...(packageSize !== null && { 'usagePrice.packageSize': String(packageSize) }),
    ...(lines && { 'usagePrice.tiers': lines.join('\n') }),
  };
}

/** How units are priced, in words: a line per tier. */
export function usagePriceText({ say }: Visit, price: ShownUsagePrice): Html {
  const { model, includedUnits, packageSize, tiers } = price;
  const lines = [
    say(MODELS[model]),
    ...(includedUnits > 0 ? [say('dashboard.catalog.unitsIncluded', { units: includedUnits })] : []),
    ...(packageSize === null ? [] : [say('dashboard.catalog.unitsPerPackage', { units: packageSize })]),
    ...(tiers ?? []).map(({ upTo, unitPrice, flatPrice }) => {
      const each = amount(unitPrice);
      const text =
        upTo === null
          ? say('dashboard.catalog.tierAbove', { each })
          : say('dashboard.catalog.tierUpTo', { units: upTo, each });
      return flatPrice === 0
        ? text
        : `${text} ${say('dashboard.catalog.tierFlat', { flat: amount(flatPrice) })}`;
    }),
  ];
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`;
}
