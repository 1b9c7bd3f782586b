import type { ChargeId } from '../domain/ids.ts';
import { type Statement, statement } from './statement.ts';

const HAS_MONEY_GOING_BACK: Statement<{ readonly id: ChargeId }, { readonly goesBack: boolean }> = statement(
  'has_money_going_back',
  () => `select exists (select from payments where charge_id = :id and outcome = 'RETURNING')
      or exists (select from refunds where charge_id = :id and status = 'PENDING') as "goesBack"`,
);

/** Whether money of a charge is on its way back to its payer, and its provider has not said that it has arrived. */
export async function hasMoneyGoingBack(
  on: Parameters<typeof HAS_MONEY_GOING_BACK>[0],
  id: ChargeId,
): Promise<boolean> {
  const [row] = await HAS_MONEY_GOING_BACK(on, { id });
  return row?.goesBack === true;
}
