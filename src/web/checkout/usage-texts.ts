import type { UsageOfProduct } from '../../domain/cycle-usage.ts';
import { say, sayDay } from '../frame/language.ts';
import { sayAmount } from '../i18n/money.ts';

/** `Mensagem: 1.500 (R$ 12,00)`, for each product. */
export function usageTexts(used: readonly UsageOfProduct[]): string[] {
  return used.map(({ name, units, amountCents }) =>
    say('checkout.unitsOfAProduct', { product: name, units, amount: sayAmount(amountCents) }),
  );
}

/** `Consumo até agora, cobrado em 04/02/2027`: usage that is charged before the plan. */
export function usageApartText(chargedAt: Date): string {
  return say('checkout.usageSoFarOn', { date: sayDay(chargedAt) });
}
