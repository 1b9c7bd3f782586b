import type { Em } from '../../../database/orm.ts';
import { statement } from '../../../database/statement.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import type { Html } from '../../frame/html.ts';
import { badge } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { partlyRefundedBadge, statusBadge } from '../words.ts';

type Shown = Pick<ShownCheckout, 'id' | 'frequency' | 'status'>;

/** The statuses shown for checkouts. A payment link stays open after it is paid, so it is shown as active. */
export async function standingsOf(
  { em, say }: Visit,
  checkouts: readonly Shown[],
): Promise<(checkout: Shown) => Html> {
  const paid = checkouts.filter(({ status }) => status === 'PAID').map(({ id }) => id);
  const partlyRefunded = await partlyRefundedOf(em, paid);
  return ({ id, frequency, status }) => {
    if (frequency === 'MULTIPLE_PAYMENTS' && status === 'PENDING')
      return badge('good', say('Link ativo', 'Active link'));
    return partlyRefunded.has(id) ? partlyRefundedBadge(say) : statusBadge(status, say);
  };
}

const PARTLY_REFUNDED = statement<{ ids: readonly string[] }, { id: string }>(
  'find partly refunded checkouts',
  () => `
  select checkout.id from checkouts checkout join charges charge on charge.id = checkout.paid_by_charge_id
  where checkout.id = any(:ids::text[]) and charge.status = 'PAID' and charge.refunded_cents > 0`,
);

/** The paid checkouts with a partly refunded payment. Their own status stays PAID. */
async function partlyRefundedOf(em: Em, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await PARTLY_REFUNDED(em, { ids })).map(({ id }) => id));
}
