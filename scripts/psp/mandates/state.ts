import type { AskedInstruction, AskedMandate } from './asked.ts';

export type MandateStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';
export type InstructionStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA';
export type AttemptStatus = 'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA';

/** A status and when it began, ISO 8601. */
export interface Step<Status> {
  readonly status: Status;
  readonly data: string;
}

/** Why something ended, in Bacen's words. */
export type End =
  | { readonly rejeicao: { readonly codigo: string; readonly descricao: string } }
  | {
      readonly cancelamento: {
        readonly solicitante: 'PSP_PAGADOR' | 'USUARIO_PAGADOR' | 'PSP_RECEBEDOR' | 'USUARIO_RECEBEDOR';
        readonly codigo: string;
        readonly descricao: string;
      };
    };

/** The location that a mandate's code points to. */
export interface MandateLocation {
  readonly id: number;
  readonly accessToken: string;
  readonly createdAt: string;
  idRec: string | null;
}

export interface Mandate {
  readonly idRec: string;
  readonly createdAt: string;
  asked: AskedMandate;
  /** Oldest first. */
  readonly steps: Step<MandateStatus>[];
  end: End | null;
  journey: 'AGUARDANDO_DEFINICAO' | 'JORNADA_2' | 'JORNADA_3';
  /** What the payer allows for one debit; null if there is no limit. */
  ceilingCents: number | null;
  /** Whether the payer's account has the money for debits. */
  hasBalance: boolean;
  /** Days on which the account has no money, even if it has otherwise. */
  emptyOn?: readonly string[];
}

export interface Attempt {
  readonly date: string;
  readonly kind: 'AGND' | 'NTAG';
  readonly endToEndId: string;
  readonly steps: Step<AttemptStatus>[];
}

export interface Instruction {
  readonly txid: string;
  readonly createdAt: string;
  readonly asked: AskedInstruction;
  readonly steps: Step<InstructionStatus>[];
  readonly attempts: Attempt[];
  end: End | null;
}

/** The state of Pix Automático at the bank. */
export interface MandateState {
  readonly locations: Record<string, MandateLocation>;
  readonly mandates: Record<string, Mandate>;
  readonly instructions: Record<string, Instruction>;
}

/** The topics of notifications besides payments: mandates and debit instructions. */
export type NewsTopic = 'rec' | 'cobr';

export const noMandates = (): MandateState => ({ locations: {}, mandates: {}, instructions: {} });

export function statusOf<Status>({ steps }: { readonly steps: readonly Step<Status>[] }): Status {
  const last = steps.at(-1);
  if (last === undefined) throw new Error('nothing is without a status');
  return last.status;
}
