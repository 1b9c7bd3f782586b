import type { ShownMovement } from '../../../api/balance/schema.ts';
import { chargeLabels, whatOf } from '../../../charges/charge-labels.ts';
import { payoutLabels } from '../../../payouts/payout-labels.ts';
import { subAccountNames } from '../../../sub-accounts/sub-account-names.ts';
import type { Visit } from '../frame/visit.ts';

/** Who a line of the statement is about, and what for. */
export interface MovementLabel {
  readonly who: string | null;
  readonly what: string | null;
  /** The page about it, relative to store and environment; null if there is none. */
  readonly path: `/${string}` | null;
}

/** Labels of these lines, in their order. */
export async function movementLabels(
  visit: Visit,
  items: readonly ShownMovement[],
): Promise<readonly MovementLabel[]> {
  const { em, caller, say } = visit;
  const subAccounts = await subAccountNames(
    em,
    caller,
    items.map(({ subAccountId }) => subAccountId),
  );
  const [charges, payouts] = [
    await chargeLabels(
      em,
      caller,
      items.map(({ paymentId }) => paymentId),
    ),
    await payoutLabels(
      em,
      caller,
      items.map(({ payoutId, transferId }) => payoutId ?? transferId),
    ),
  ];
  return items.map(({ paymentId, payoutId, transferId, subAccountId }) => {
    const subAccount = subAccounts.get(subAccountId ?? '');
    const charge = charges.get(paymentId ?? '');
    if (charge !== undefined)
      return {
        who: subAccount ?? charge.customerName ?? charge.payerName,
        what: whatOf(charge),
        path: `/payments/${charge.id}`,
      };
    const payout = payouts.get(payoutId ?? transferId ?? '');
    if (payout === undefined) return { who: null, what: null, path: null };
    const isOwn = payout.kind === 'PAYOUT';
    return {
      who: subAccount ?? (isOwn ? say('dashboard.balance.theStoresAccount') : say('dashboard.pixKey')),
      what: payout.description ?? payout.externalId,
      path: `/payouts/${payout.id}`,
    };
  });
}
