import { cpf } from 'cpf-cnpj-validator';
import type { ProductCycle } from '../domain/cycle.ts';

/** The demo shop's products. Prices are in cents. */
export const GOODS: readonly {
  readonly name: string;
  readonly priceCents: number;
  readonly cycle: ProductCycle | null;
}[] = [
  { name: 'Café especial 250 g', priceCents: 4_290, cycle: null },
  { name: 'Café especial 1 kg', priceCents: 12_900, cycle: null },
  { name: 'Coador de pano', priceCents: 2_490, cycle: null },
  { name: 'Moedor manual', priceCents: 18_900, cycle: null },
  { name: 'Caneca esmaltada', priceCents: 3_990, cycle: null },
  { name: 'Kit de degustação', priceCents: 7_900, cycle: null },
  { name: 'Curso de barista', priceCents: 34_900, cycle: null },
  { name: 'Clube do Café', priceCents: 5_990, cycle: 'MONTHLY' },
  { name: 'Clube do Café Duplo', priceCents: 9_990, cycle: 'MONTHLY' },
  { name: 'Clube do Café anual', priceCents: 59_900, cycle: 'ANNUALLY' },
];

/** Where buyers come from; null if unknown. */
export const CAMPAIGNS: readonly ({ readonly source: string; readonly campaign: string } | null)[] = [
  { source: 'instagram', campaign: 'inverno' },
  { source: 'instagram', campaign: 'dia-dos-pais' },
  { source: 'google', campaign: 'marca' },
  { source: 'google', campaign: 'cafe-especial' },
  { source: 'newsletter', campaign: 'semanal' },
  null,
];

const FIRST_NAMES =
  'Ana Bruno Camila Daniel Eduarda Felipe Gabriela Henrique Isabela João Karina Luís Marina Nicolas Olívia Paulo Renata Sérgio Tânia Vítor'.split(
    ' ',
  );
const LAST_NAMES =
  'Almeida Barbosa Cardoso Dias Esteves Ferreira Gonçalves Lima Macedo Nascimento Oliveira Pereira Queiroz Ribeiro Santos Teixeira Vieira'.split(
    ' ',
  );

/** An invented person with a valid tax id. */
export function inventPerson(): { readonly name: string; readonly email: string; readonly taxId: string } {
  const [first, middle, last] = [anyOf(FIRST_NAMES), anyOf(LAST_NAMES), anyOf(LAST_NAMES)];
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^a-zA-Z.]/g, '')
    .toLowerCase();
  return {
    name: `${first} ${middle} ${last}`,
    email: `${plain}${upTo(1_000)}@example.com`,
    taxId: cpf.generate(),
  };
}

/** A random item; all are equally likely. */
export function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[upTo(items.length)];
  if (item === undefined) throw new RangeError('there is none to choose');
  return item;
}

/** A random whole number from 0 to `limit`, excluding `limit`. */
export function upTo(limit: number): number {
  return Math.floor(Math.random() * limit);
}

export function isLucky(chance: number): boolean {
  return Math.random() < chance;
}
