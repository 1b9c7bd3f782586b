import { z } from 'zod';
import { type CivilDate, isCivilDate } from '../../../domain/civil-date.ts';
import type {
  DebitAttempt,
  InstructionStatus,
  MandateAmount,
  MandateStatus,
  Periodicity,
  ProviderEnd,
  ProviderInstruction,
  ProviderMandate,
} from '../../ports/mandates.ts';
import { referenceOfId } from '../ids.ts';
import { cents, instant, readerOf } from '../wire.ts';

/*
 * Schemas of mandates (`rec`) and debit instructions (`cobr`) in Bacen's document. Statuses are strings: later versions
 * may add values.
 */

const civil = z.string().refine(isCivilDate);
const code = z.object({ codigo: z.string(), solicitante: z.string().nullish() });
const closing = z.object({ rejeicao: code.nullish(), cancelamento: code.nullish() }).nullish();

export const mandateSchema = z.object({
  idRec: z.string(),
  status: z.string(),
  vinculo: z.object({ contrato: z.string() }),
  calendario: z.object({ dataInicial: civil, dataFinal: civil.nullish(), periodicidade: z.string() }),
  valor: z.object({ valorRec: cents.optional(), valorMinimoRecebedor: cents.optional() }).nullish(),
  politicaRetentativa: z.string().nullish(),
  loc: z.object({ location: z.string() }).nullish(),
  encerramento: closing,
  atualizacao: z.array(z.object({ data: instant })).nullish(),
  dadosQR: z.object({ pixCopiaECola: z.string().optional() }).nullish(),
});
export type BankMandate = z.output<typeof mandateSchema>;

const attemptSchema = z.object({
  dataLiquidacao: civil,
  tipo: z.string(),
  status: z.string(),
  rejeicao: z.object({ codigo: z.string() }).nullish(),
});

export const instructionSchema = z.object({
  txid: z.string(),
  idRec: z.string(),
  status: z.string(),
  calendario: z.object({ dataDeVencimento: civil }),
  valor: z.object({ original: cents }),
  encerramento: closing,
  tentativas: z.array(attemptSchema).nullish(),
  pix: z.array(z.object({ endToEndId: z.string() })).nullish(),
});
export type BankInstruction = z.output<typeof instructionSchema>;

const paged = z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int() }) });

export const readMandate = readerOf('a mandate', mandateSchema);
export const readInstruction = readerOf('a debit instruction', instructionSchema);
export const readLocation = readerOf('a location', z.object({ id: z.number().int() }));
export const readMandateList = readerOf(
  'a list of mandates',
  z.object({ parametros: paged, recs: z.array(z.unknown()).optional() }),
);
export const readInstructionList = readerOf(
  'a list of debit instructions',
  z.object({ parametros: paged, cobsr: z.array(z.unknown()).optional() }),
);
/** Bacen's word for each. */
export const PERIODICITIES: Readonly<Record<Periodicity, string>> = {
  WEEKLY: 'SEMANAL',
  MONTHLY: 'MENSAL',
  QUARTERLY: 'TRIMESTRAL',
  SEMIANNUALLY: 'SEMESTRAL',
  ANNUALLY: 'ANUAL',
};

const MANDATE_STATUSES: Readonly<Record<string, MandateStatus>> = {
  CRIADA: 'PENDING',
  APROVADA: 'ACTIVE',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
};
const INSTRUCTION_STATUSES: Readonly<Record<string, InstructionStatus>> = {
  CRIADA: 'PENDING',
  ATIVA: 'SCHEDULED',
  CONCLUIDA: 'PAID',
  EXPIRADA: 'EXPIRED',
  REJEITADA: 'REJECTED',
  CANCELADA: 'CANCELLED',
};
const ATTEMPT_STATUSES: Readonly<Record<string, DebitAttempt['status']>> = {
  SOLICITADA: 'OPEN',
  AGENDADA: 'OPEN',
  PAGA: 'PAID',
  CANCELADA: 'CANCELLED',
  REJEITADA: 'FAILED',
  EXPIRADA: 'FAILED',
};
const ATTEMPT_KINDS: Readonly<Record<string, DebitAttempt['kind']>> = { AGND: 'FIRST', NTAG: 'RETRY' };
const PARTIES: Readonly<Record<string, ProviderEnd['by']>> = {
  USUARIO_PAGADOR: 'PAYER',
  PSP_PAGADOR: 'PAYER_BANK',
  USUARIO_RECEBEDOR: 'RECEIVER',
  PSP_RECEBEDOR: 'RECEIVER_BANK',
};

/** An unknown status ends nothing. */
export function mandateStatusOf({ status }: Pick<BankMandate, 'status'>): MandateStatus {
  return MANDATE_STATUSES[status] ?? 'UNKNOWN';
}

/** Whether nobody can accept the mandate any more, and nothing can be debited under it. */
export function hasEnded(mandate: Pick<BankMandate, 'status'>): boolean {
  return ['REJECTED', 'EXPIRED', 'CANCELLED'].includes(mandateStatusOf(mandate));
}

export function mandateOf(mandate: BankMandate): ProviderMandate {
  const { dataInicial, dataFinal, periodicidade } = mandate.calendario;
  const periodicity = Object.entries(PERIODICITIES).find(([, word]) => word === periodicidade)?.[0];
  return {
    providerMandateId: mandate.idRec,
    reference: referenceOfId(mandate.vinculo.contrato),
    status: mandateStatusOf(mandate),
    end: endOf(mandate.encerramento),
    periodicity: (periodicity as Periodicity | undefined) ?? null,
    firstDate: dataInicial as CivilDate,
    lastDate: (dataFinal as CivilDate | null | undefined) ?? null,
    amount: amountOf(mandate.valor),
    allowsRetries: mandate.politicaRetentativa === 'PERMITE_3R_7D',
  };
}

function amountOf(valor: BankMandate['valor']): MandateAmount {
  return valor?.valorRec === undefined
    ? { kind: 'VARIABLE', minimumCents: valor?.valorMinimoRecebedor ?? null }
    : { kind: 'FIXED', amountCents: valor.valorRec };
}

export function instructionOf(instruction: BankInstruction): ProviderInstruction {
  const attempts = (instruction.tentativas ?? []).map((attempt) => ({
    date: attempt.dataLiquidacao as CivilDate,
    kind: ATTEMPT_KINDS[attempt.tipo] ?? 'OTHER',
    status: ATTEMPT_STATUSES[attempt.status] ?? 'UNKNOWN',
    code: attempt.rejeicao?.codigo ?? null,
  }));
  return {
    reference: instruction.txid,
    providerMandateId: instruction.idRec,
    status: INSTRUCTION_STATUSES[instruction.status] ?? 'UNKNOWN',
    amountCents: instruction.valor.original,
    dueDate: instruction.calendario.dataDeVencimento as CivilDate,
    attempts: attempts.sort((one, other) => (one.date < other.date ? -1 : 1)),
    end: endOf(instruction.encerramento),
    providerPaymentIds: (instruction.pix ?? []).map(({ endToEndId }) => endToEndId),
  };
}

function endOf(closed: BankMandate['encerramento']): ProviderEnd | null {
  if (closed?.cancelamento) {
    const { codigo, solicitante } = closed.cancelamento;
    return { by: PARTIES[solicitante ?? ''] ?? null, code: codigo };
  }
  return closed?.rejeicao ? { by: null, code: closed.rejeicao.codigo } : null;
}
