/** Mod 11 with weights 2 to 9 from the right; where that would give 0, 10 or 11, the digit is 1. */
export function generalCheckDigit(digits: string): number {
  let sum = 0;
  for (let i = digits.length - 1, weight = 2; i >= 0; i--, weight = weight === 9 ? 2 : weight + 1) {
    sum += Number(digits[i]) * weight;
  }
  const digit = 11 - (sum % 11);
  return digit > 9 ? 1 : digit;
}

/** Mod 10 with weights 2 and 1 from the right; the digits of each product are added up. */
export function withFieldCheckDigit(field: string): string {
  let sum = 0;
  for (let i = field.length - 1, weight = 2; i >= 0; i--, weight = 3 - weight) {
    const product = Number(field[i]) * weight;
    sum += product > 9 ? product - 9 : product;
  }
  return `${field}${(10 - (sum % 10)) % 10}`;
}
