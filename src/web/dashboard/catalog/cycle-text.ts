import type { ProductView } from '../../../api/products/schema.ts';
import type { Visit } from '../frame/visit.ts';
import { perCycle } from '../words.ts';

/** `uma vez`, `por mês`. */
export function cycleText({ say }: Pick<Visit, 'say'>, cycle: ProductView['cycle']): string {
  return cycle === null ? say('dashboard.catalog.once') : perCycle(cycle, say);
}
