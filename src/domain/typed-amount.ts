/** Why a text is no amount: it could mean two amounts, or it means none. */
export type AmountProblem = 'AMBIGUOUS' | 'NO_AMOUNT';

export type TypedAmount = { readonly cents: number } | { readonly problem: AmountProblem };

/** Groups of three digits with `.` or `,` between them, or digits alone; then up to two decimals behind the other sign. */
const FORMS = [
  /^(?<whole>\d{1,12})(?:[.,](?<cents>\d{1,2}))?$/,
  /^(?<whole>\d{1,3}(?:\.\d{3}){1,3}),(?<cents>\d{1,2})$/,
  /^(?<whole>\d{1,3}(?:,\d{3}){1,3})\.(?<cents>\d{1,2})$/,
  /^(?<whole>\d{1,3}(?:\.\d{3}){2,3})$/,
  /^(?<whole>\d{1,3}(?:,\d{3}){2,3})$/,
];

/** `1.234` is a thousand reais to most people and one real to others. A wrong guess costs the factor 1000. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Parses an amount in reais as people write it: `10`, `10,5`, `49.90`, `R$ 1.234,56`, `1,234.56`. No text has two readings: one
 * that could have is refused.
 */
export function parseTypedAmount(text: string): TypedAmount {
  const bare = text
    .trim()
    .replace(/^R\$\s*/i, '')
    .trim();
  for (const form of FORMS) {
    const { whole, cents = '' } = form.exec(bare)?.groups ?? {};
    if (whole !== undefined) return { cents: Number(`${whole.replace(/[.,]/g, '')}${cents.padEnd(2, '0')}`) };
  }
  return { problem: AMBIGUOUS.test(bare) ? 'AMBIGUOUS' : 'NO_AMOUNT' };
}
