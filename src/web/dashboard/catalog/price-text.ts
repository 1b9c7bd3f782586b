import { decimalOf } from '../../../domain/money.ts';

/** Cents as the form's text: `49,90`. */
export function priceText(cents: number): string {
  return decimalOf(cents).replace('.', ',');
}
