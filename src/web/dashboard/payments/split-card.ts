import { findSubAccounts } from '../../../api/sub-accounts/queries.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import { link } from '../frame/components.ts';
import type { SideCard } from '../frame/detail.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

/** The sub-accounts that share a payment, with what each receives; nothing if all of it is the store's. */
export async function splitCards(visit: Visit, { splits }: Pick<Charge, 'splits'>): Promise<SideCard[]> {
  if (splits === null) return [];
  const { say, em, caller } = visit;
  const ids = splits.map(({ subAccountId }) => subAccountId);
  const accounts = await findSubAccounts(em, caller, ids);
  const nameOf = new Map(accounts.map(({ id, name }) => [id, name]));
  return [
    {
      title: say('dashboard.subAccounts.title'),
      rows: splits.map(({ subAccountId, amountCents }) => [
        nameOf.get(subAccountId) ?? subAccountId,
        link(visit, `/sub-accounts/${subAccountId}`, amount(amountCents)),
      ]),
    },
  ];
}
