import { statement } from '../../../database/statement.ts';
import type { LedgerOwner } from '../../../ledger/ledger.ts';
import { type Html, html } from '../../frame/html.ts';
import { link, section } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

const NONE = { count: 0, cents: 0 };
const WAITING = statement<LedgerOwner, typeof NONE>(
  'count payouts that wait for an approval',
  () => `
  select count(*)::int as count, coalesce(sum(amount_cents), 0) as cents from payouts
  where store_id = :storeId and dev_mode = :devMode and approval = 'WAITING'`,
);

/** Payouts that wait for an approval, for people who can give it. Null if there are none. */
export async function approvalsPanel(visit: Visit): Promise<Html | null> {
  const { say, em, caller } = visit;
  if (!visit.can('payout:approve')) return null;
  const [{ count, cents } = NONE] = await WAITING(em, caller);
  if (count === 0) return null;
  const sum = amount(Number(cents));
  const what =
    count === 1
      ? say(
          `Um envio de ${sum} espera por uma segunda pessoa.`,
          `One payout of ${sum} is waiting for a second person.`,
        )
      : say(
          `${count} envios, de ${sum} ao todo, esperam por uma segunda pessoa.`,
          `${count} payouts, ${sum} in total, are waiting for a second person.`,
        );
  return section(
    say('Aguardam aprovação', 'Waiting for approval'),
    html`<p>${what} ${link(visit, '/approvals', say('Decidir', 'Decide'))}</p>`,
  );
}
