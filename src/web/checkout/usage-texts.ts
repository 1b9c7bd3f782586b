import type { UsageOfProduct } from '../../domain/cycle-usage.ts';
import { formatBrl } from '../../domain/money.ts';
import { say } from '../frame/language.ts';

/** `Mensagem: 1.500 (R$ 12,00)`, for each product. */
export function usageTexts(used: readonly UsageOfProduct[]): string[] {
  return used.map(({ name, units, amountCents }) =>
    say('checkout.unitsOfAProduct', { product: name, units, amount: formatBrl(amountCents) }),
  );
}
