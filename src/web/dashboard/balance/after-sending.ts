import { randomBytes } from 'node:crypto';
import type { ShownPayout, ShownTransfer } from '../../../api/payouts/schema.ts';
import { reasonsText } from '../approvals/waiting-payouts.ts';
import { timeText } from '../frame/components.ts';
import { type Reply, refused, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * The id that a form suggests, a new one each time it is shown. Submitting the same form twice sends money once, and a second
 * payout on the same day counts as a second one. An id that the user typed is kept.
 */
export function suggestedId(visit: Visit, prefix: string): string {
  return visit.field('externalId') || `${prefix}-${randomBytes(4).toString('hex')}`;
}

/**
 * Returns to the list with the result: sent, already sent under this id, or failed. An id used before returns the earlier payout
 * whatever its status, and sends nothing.
 */
export function afterSending(visit: Visit, to: string, sent: ShownPayout | ShownTransfer): Reply {
  const { say } = visit;
  const { externalId, reason, status } = sent;
  if (status === 'FAILED') {
    const why = say(
      `O envio com o id ${externalId} falhou (${reason}), e o dinheiro voltou ao saldo. Para tentar de novo, use outro id.`,
      `The payout with the id ${externalId} failed (${reason}), and the money is back in the balance. To try again, use another id.`,
    );
    return refused(to, why);
  }
  const isNew = sent.createdAt === visit.storeNow.toISOString();
  if (sent.approval?.status === 'WAITING') return seeOther(to, waits(visit, sent, isNew));
  if (isNew) return seeOther(to, say('O dinheiro está a caminho.', 'The money is on its way.'));
  const there =
    status === 'COMPLETE'
      ? say(
          `Já existe um envio com o id ${externalId}, e ele já chegou. Nada foi enviado agora.`,
          `A payout with the id ${externalId} already exists and has arrived. Nothing was sent now.`,
        )
      : say(
          `Já existe um envio com o id ${externalId}, e ele está a caminho. Nada foi enviado agora.`,
          `A payout with the id ${externalId} already exists and is on its way. Nothing was sent now.`,
        );
  return seeOther(to, there);
}

/** Says why it waits and what ends the wait. */
function waits(visit: Visit, { approval, externalId }: ShownPayout | ShownTransfer, isNew: boolean): string {
  const { say } = visit;
  const reasons = reasonsText(approval?.reasons ?? [], say);
  const until = timeText(visit, approval?.releasesAt ?? approval?.expiresAt ?? '');
  const unless =
    approval?.releasesAt === null
      ? say(`Sem aprovação, falha em ${until}.`, `If not approved, it fails at ${until}.`)
      : say(`Sem aprovação, sai em ${until}.`, `If not approved, it is sent at ${until}.`);
  if (isNew)
    return say(
      `Nada saiu ainda: o envio espera pela aprovação de outra pessoa (${reasons}). ${unless}`,
      `Nothing was sent yet: someone else must approve it (${reasons}). ${unless}`,
    );
  return say(
    `Já existe um envio com o id ${externalId}, e ele espera pela aprovação de outra pessoa (${reasons}). ${unless}`,
    `A payout with the id ${externalId} already exists and is waiting for someone else’s approval (${reasons}). ${unless}`,
  );
}
