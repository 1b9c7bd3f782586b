import { foldText } from './fold-text.ts';

/** Room for an end that makes the id unique. */
const MAX_DERIVED_LENGTH = 80;

/** An `externalId` for a product that has none, derived from its name: `Camiseta Azul, M` gives `camiseta-azul-m`. */
export function productIdOf(name: string): string {
  const plain = foldText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_DERIVED_LENGTH)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'product' : plain;
}
