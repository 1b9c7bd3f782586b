import { buildCompositeBrCode } from '../../../src/domain/pix.ts';
import type { Bank } from '../bank.ts';
import { refuseField } from '../problem.ts';
import type { BankPayment } from '../state.ts';
import { locationOf, presentPayment, RECEIVER } from '../wire.ts';
import {
  type Instruction,
  type Mandate,
  type MandateLocation,
  type MandateState,
  type Step,
  statusOf,
} from './state.ts';

/**
 * A mandate as a lagging system of the bank knows it; null if it does not. Statuses and attempts after `until` are unknown to
 * it.
 */
export function asSeen<Item extends Mandate | Instruction>(item: Item, until: string): Item | null {
  if (item.createdAt > until) return null;
  const seen = <Status>(steps: readonly Step<Status>[]) => steps.filter(({ data }) => data <= until);
  const steps = seen<unknown>(item.steps);
  const hasEnded = steps.length === item.steps.length;
  const attempts =
    'attempts' in item
      ? item.attempts
          .map((each) => ({ ...each, steps: seen(each.steps) }))
          .filter((each) => each.steps.length > 0)
      : undefined;
  return { ...item, steps, ...(attempts && { attempts }), end: hasEnded ? item.end : null } as Item;
}

function mandateLocationOf({ accessToken }: MandateLocation): string {
  return `pix.example.com/qr/v2/rec/${accessToken}`;
}

export function presentLocation(location: MandateLocation) {
  const { id, createdAt, idRec } = location;
  return { id, location: mandateLocationOf(location), criacao: createdAt, ...(idRec && { idRec }) };
}

export function presentMandate(mandate: Mandate, { locations }: MandateState): Record<string, unknown> {
  const { asked, idRec, end } = mandate;
  const { loc, ativacao, recebedor: _, ...terms } = asked;
  const location = loc === undefined ? undefined : locations[loc];
  return {
    idRec,
    ...terms,
    recebedor: { cnpj: RECEIVER.cnpj, nome: RECEIVER.nome },
    status: statusOf(mandate),
    ...(location && { loc: presentLocation(location) }),
    ativacao: { tipoJornada: mandate.journey, ...ativacao },
    ...(end && { encerramento: end }),
    atualizacao: mandate.steps,
  };
}

/**
 * The composite code of a mandate and a charge, which `GET /rec/{idRec}?txid=` asks for.
 * @throws Problem if the charge is not that of the mandate.
 */
export function presentCode(bank: Bank, { asked }: Mandate, txid: string | undefined) {
  const location = asked.loc === undefined ? undefined : bank.mandates.state.locations[asked.loc];
  if (location === undefined) return {};
  const expected = asked.ativacao?.dadosJornada.txid;
  if (txid !== undefined && expected !== undefined && expected !== txid)
    refuseField('RecOperacaoInvalida', 'txid', 'O txid não é o da ativação da recorrência.');
  const charge = txid === undefined ? null : locationOf(bank.findCharge('cob', txid));
  const merchant = { merchantName: RECEIVER.nome, merchantCity: RECEIVER.cidade };
  const locations = { charge, mandate: mandateLocationOf(location) };
  const jornada = txid === undefined ? 'JORNADA_2' : 'JORNADA_3';
  return { dadosQR: { jornada, pixCopiaECola: buildCompositeBrCode(locations, merchant) } };
}

export function presentInstruction(instruction: Instruction, bank: Bank): Record<string, unknown> {
  const { asked, txid, createdAt, attempts, end, steps } = instruction;
  const isPaid = statusOf(instruction) === 'CONCLUIDA';
  const payments = isPaid ? bank.paymentsOf(txid) : [];
  return {
    ...asked,
    recebedor: { cnpj: RECEIVER.cnpj, nome: RECEIVER.nome, ...asked.recebedor },
    txid,
    calendario: { criacao: createdAt.slice(0, 10), ...asked.calendario },
    status: statusOf(instruction),
    politicaRetentativa: bank.mandates.findMandate(asked.idRec).asked.politicaRetentativa,
    tentativas: attempts.map((attempt) => ({
      dataLiquidacao: attempt.date,
      tipo: attempt.kind,
      endToEndId: attempt.endToEndId,
      status: statusOf(attempt),
      atualizacao: attempt.steps,
    })),
    ...(end && { encerramento: end }),
    ...(payments.length > 0 && { pix: payments.map(presentDebitPayment) }),
    atualizacao: steps,
  };
}

/** A payment inside its instruction: the document has neither its key nor the parts of its amount there (`PixAutomatico`). */
function presentDebitPayment(payment: BankPayment): Record<string, unknown> {
  const { chave: _key, componentesValor: _parts, ...shown } = presentPayment(payment);
  return shown;
}

/** A mandate or an instruction as a notification names it (`RecNotification`, `CobRNotification`). */
export function presentNews(changed: Mandate | Instruction, bank: Bank): Record<string, unknown> {
  if (!('txid' in changed)) {
    const { idRec, status, ativacao, encerramento, atualizacao } = presentMandate(
      changed,
      bank.mandates.state,
    );
    return { idRec, status, ativacao, ...(encerramento !== undefined && { encerramento }), atualizacao };
  }
  const { idRec, txid, status, tentativas, pix, atualizacao } = presentInstruction(changed, bank);
  return { idRec, txid, status, tentativas, ...(pix !== undefined && { pix }), atualizacao };
}
