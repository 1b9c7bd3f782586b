import { PRODUCT_CYCLES } from '../../../domain/cycle.ts';
import { decimalOf } from '../../../domain/money.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Fields } from '../frame/fields.ts';
import type { Visit } from '../frame/visit.ts';
import { centsIn, perCycle } from '../words.ts';

/** What `products/create` takes. A price that is no amount is sent as null, so that the API names all wrong fields at once. */
export function productBody(visit: Visit, externalId: string) {
  const trialDays = visit.field('trialDays');
  return {
    ...textsOf(visit),
    fileUrl: visit.field('fileUrl') || null,
    price: centsIn(visit.field('price')),
    currency: 'BRL',
    cycle: visit.field('cycle') || null,
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

/** Name, description and picture. @param initial what the form shows first. */
export function textFields({ say }: Visit, fields: Fields, initial: URLSearchParams): Html {
  const value = (name: string) => initial.get(name) ?? '';
  return html`${fields.text({ name: 'name', label: say('Nome', 'Name'), value: value('name') })}
${fields.area({
  name: 'description',
  label: say('Descrição (opcional)', 'Description (optional)'),
  value: value('description'),
  hint: say('O pagador a lê no checkout.', 'Payers read it at the checkout.'),
  required: false,
})}
${fields.text({
  name: 'imageUrl',
  label: say('Endereço da imagem (opcional)', 'Address of a picture (optional)'),
  value: value('imageUrl'),
  hint: say('Como https://example.com/camiseta.png', 'Such as https://example.com/shirt.png'),
  required: false,
  maxLength: 2_048,
})}`;
}

/** Price, cycle and id, which never change. */
export function fixedFields({ say }: Visit, fields: Fields, initial: URLSearchParams): Html {
  const cycles = PRODUCT_CYCLES.map((cycle) => [cycle, perCycle(cycle, say)] as const);
  return html`${fields.text({
    name: 'price',
    label: say('Preço em reais', 'Price in reais'),
    value: initial.get('price') ?? '',
    hint: say(
      'Como 10, 49,90 ou 1.234,56. Não muda depois.',
      'Such as 10, 49,90 or 1.234,56. It cannot change later.',
    ),
    maxLength: 30,
  })}
${fields.select({
  name: 'cycle',
  label: say('Cobrança', 'Charged'),
  value: initial.get('cycle') ?? '',
  options: [['', say('uma vez', 'once')], ...cycles],
})}
${fields.text({
  name: 'trialDays',
  label: say('Dias de teste grátis (só assinaturas)', 'Days of free trial (subscriptions only)'),
  required: false,
  maxLength: 3,
})}
${fields.text({
  name: 'externalId',
  label: say('Seu id, ou SKU (opcional)', 'Your id, or SKU (optional)'),
  hint: say('Vazio: derivado do nome.', 'Empty: derived from the name.'),
  required: false,
  maxLength: 100,
})}`;
}

/** The file's address is never shown: an empty field keeps the stored one. */
export function fileField({ say }: Visit, fields: Fields, hasFile: boolean): Html {
  return fields.text({
    name: 'fileUrl',
    label: say('Endereço do arquivo para quem paga (opcional)', 'Address of a file for payers (optional)'),
    hint: hasFile
      ? say('Há um arquivo. Vazio: fica como está.', 'There is a file. Empty: it stays as it is.')
      : say('Começa com https:// e nunca é mostrado.', 'Starts with https:// and is never shown.'),
    required: false,
    maxLength: 2_048,
  });
}

/** Cents as the form's text: `49,90`. */
export function priceText(cents: number): string {
  return decimalOf(cents).replace('.', ',');
}
