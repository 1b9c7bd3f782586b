import { formatSignedBrl } from '../../domain/money.ts';

/** Cents as pages and mails write them in every language, `-R$ 1.234,56`. A no-break space keeps the amount on one line. */
export function sayAmount(cents: number): string {
  return formatSignedBrl(cents).replace(' ', '\u00a0');
}
