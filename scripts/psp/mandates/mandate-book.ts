import { randomBytes } from 'node:crypto';
import { nextBusinessDay } from '../../../src/domain/business-days.ts';
import { addDays, type CivilDate, daysBetween, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import { centsOfDecimal } from '../../../src/domain/money.ts';
import { parseCompositeBrCode } from '../../../src/domain/pix.ts';
import { Problem, refuseField } from '../problem.ts';
import { type AskedInstruction, readAskedInstruction, readAskedMandate } from './asked.ts';
import { cycleOf } from './cycle.ts';
import {
  type Attempt,
  type Instruction,
  type Mandate,
  type MandateLocation,
  type MandateState,
  statusOf,
} from './state.ts';

const ISPB = '99999998';
/** PERMITE_3R_7D. */
const RETRIES = { most: 3, withinDays: 7 };
/**
 * The hours in São Paulo at which the payer's bank first tries a debit on a day, and from which the debit of that day has
 * failed.
 */
const FIRST_TRY_HOUR = 8;
const LAST_TRY_HOUR = 21;
const MOST_NOTICE_DAYS = 10;
const LEAST_NOTICE_DAYS = 2;

/** A payer whose account never has money for debits, by CPF. The admin API empties other accounts. */
export const PAYER_WITHOUT_BALANCE = '11144477735';

/** Money of a debit. `txid` is that of its instruction. */
export interface DebitReceived {
  readonly txid: string;
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly paidAt: string;
}

interface Options {
  readonly state: MandateState;
  readonly now: () => Date;
  /** Money arrives for an instruction. */
  readonly receive: (debit: DebitReceived) => void;
  /** A mandate or an instruction has changed. */
  readonly notify: (changed: Mandate | Instruction) => void;
}

/**
 * Pix Automático in the bank in a box: mandates, debit instructions and the payers' banks. It knows nothing of HTTP. It lives
 * in memory, so each call is atomic.
 */
export class MandateBook {
  readonly state: MandateState;
  readonly #now: () => Date;
  readonly #receive: Options['receive'];
  readonly #notify: Options['notify'];

  constructor({ state, now, receive, notify }: Options) {
    this.state = state;
    this.#now = now;
    this.#receive = receive;
    this.#notify = notify;
  }

  createLocation(): MandateLocation {
    const id = Object.keys(this.state.locations).length + 1;
    const accessToken = randomBytes(16).toString('hex');
    const location = { id, accessToken, createdAt: this.#now().toISOString(), idRec: null };
    this.state.locations[id] = location;
    return location;
  }

  /** POST /rec. @throws Problem for every violation that Bacen's document names. */
  createMandate(body: unknown): Mandate {
    const { valor } = (body ?? {}) as { valor?: { valorRec?: unknown; valorMinimoRecebedor?: unknown } };
    if (valor?.valorRec !== undefined && valor.valorMinimoRecebedor !== undefined)
      refuseRec('rec.valor', 'Os campos valorRec e valorMinimoRecebedor estão preenchidos.');
    const asked = readAskedMandate(body);
    const { dataInicial, dataFinal } = asked.calendario;
    const today = this.#today();
    if (dataInicial < today)
      refuseRec('rec.calendario.dataInicial', 'A data é anterior à criação da recorrência.');
    if (dataFinal !== undefined && dataFinal < dataInicial)
      refuseRec('rec.calendario.dataFinal', 'A data é anterior à dataInicial.');
    if (asked.recebedor?.convenio !== undefined)
      refuseRec('rec.recebedor.convenio', 'O convênio não é aceito pelo PSP Recebedor.');
    const location = asked.loc === undefined ? null : this.#freeLocation(asked.loc);
    const letter = asked.politicaRetentativa === 'PERMITE_3R_7D' ? 'R' : 'N';
    const idRec = `R${letter}${ISPB}${today.replaceAll('-', '')}${randomBytes(6).toString('hex').slice(0, 11)}`;
    const createdAt = this.#now().toISOString();
    const mandate: Mandate = {
      idRec,
      createdAt,
      asked,
      steps: [{ status: 'CRIADA', data: createdAt }],
      end: null,
      journey: 'AGUARDANDO_DEFINICAO',
      ceilingCents: null,
      hasBalance: asked.vinculo.devedor.cpf !== PAYER_WITHOUT_BALANCE,
    };
    if (location !== null) location.idRec = idRec;
    this.state.mandates[idRec] = mandate;
    return mandate;
  }

  /** PATCH /rec. */
  reviseMandate(idRec: string, { status, ...terms }: Record<string, unknown>): Mandate {
    const mandate = this.findMandate(idRec);
    const current = statusOf(mandate);
    if (current !== 'CRIADA' && current !== 'APROVADA')
      refuseRec('rec.status', 'A recorrência encontra-se expirada, cancelada ou rejeitada.');
    if (status !== undefined) {
      if (status !== 'CANCELADA') refuseRec('rec.status', 'O campo não respeita o schema.');
      this.#endMandate(mandate, 'USUARIO_RECEBEDOR', 'SLCR');
      return mandate;
    }
    if (current !== 'CRIADA' && (terms.loc !== undefined || terms.calendario !== undefined))
      refuseRec('rec.status', 'O campo somente pode ser alterado com o status CRIADA.');
    const { vinculo, calendario, ...rest } = mandate.asked;
    const asked = readAskedMandate({
      ...rest,
      ...terms,
      vinculo: {
        ...vinculo,
        devedor: { ...vinculo.devedor, ...(terms.vinculo as { devedor?: object } | undefined)?.devedor },
      },
      calendario: { ...calendario, ...(terms.calendario as object) },
    });
    if (asked.calendario.dataInicial < saoPauloDateOf(new Date(mandate.createdAt)))
      refuseRec('rec.calendario.dataInicial', 'A data é anterior à criação da recorrência.');
    if (asked.loc !== undefined && asked.loc !== mandate.asked.loc)
      this.#freeLocation(asked.loc).idRec = idRec;
    mandate.asked = asked;
    return mandate;
  }

  /** @throws Problem if the bank has no such mandate. */
  findMandate(idRec: string): Mandate {
    const mandate = this.state.mandates[idRec];
    if (mandate === undefined) throw new Problem('RecNaoEncontrada', 'Recorrência não encontrada.');
    return mandate;
  }

  /** Accepts or refuses the mandate of this code as its payer. @throws Error if the mandate is already decided or over. */
  answerConsent(
    idRec: string,
    accepts: boolean,
    { ceilingCents = null, paidTxid = null }: { ceilingCents?: number | null; paidTxid?: string | null } = {},
  ): Mandate {
    const mandate = this.findMandate(idRec);
    if (statusOf(mandate) !== 'CRIADA') throw new Error(`the mandate is ${statusOf(mandate)}`);
    const minimumCents = centsOfDecimal(mandate.asked.valor?.valorMinimoRecebedor ?? '') ?? 0;
    if (ceilingCents !== null && ceilingCents < minimumCents)
      throw new Error('the ceiling is below what the receiver allows');
    mandate.ceilingCents = ceilingCents;
    if (accepts) mandate.journey = paidTxid === null ? 'JORNADA_2' : 'JORNADA_3';
    else
      mandate.end = { rejeicao: { codigo: 'AP13', descricao: 'O usuário pagador recusou a recorrência.' } };
    this.#step(mandate, accepts ? 'APROVADA' : 'REJEITADA');
    return mandate;
  }

  /** A payer has paid the charge of a composite code. In journey 3 that accepts the mandate. */
  afterPayment(txid: string): void {
    for (const mandate of Object.values(this.state.mandates))
      if (mandate.asked.ativacao?.dadosJornada.txid === txid && statusOf(mandate) === 'CRIADA')
        this.answerConsent(mandate.idRec, true, { paidTxid: txid });
  }

  /** The mandate whose location a code names. */
  mandateOfCode(code: string): Mandate {
    const token = parseCompositeBrCode(code)?.mandate.split('/').at(-1);
    const location = Object.values(this.state.locations).find(({ accessToken }) => accessToken === token);
    if (location?.idRec == null) throw new Error('no mandate has this code');
    return this.findMandate(location.idRec);
  }

  /** The payer, or the payer's bank, ends the mandate. */
  cancelAtPayersBank(idRec: string, by: 'USUARIO_PAGADOR' | 'PSP_PAGADOR' = 'USUARIO_PAGADOR'): Mandate {
    const mandate = this.findMandate(idRec);
    if (statusOf(mandate) !== 'APROVADA') throw new Error(`the mandate is ${statusOf(mandate)}`);
    this.#endMandate(mandate, by, by === 'USUARIO_PAGADOR' ? 'SLDB' : 'ACCL');
    return mandate;
  }

  /** PUT /cobr. @throws Problem for every violation that Bacen's document names. */
  createInstruction(txid: string, body: unknown): Instruction {
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid))
      refuseCobr('cobr.txid', 'O txid tem de 26 a 35 letras e dígitos.');
    const asked = readAskedInstruction(body);
    if (this.state.instructions[txid] !== undefined) refuseCobr('cobr.txid', 'O txid encontra-se em uso.');
    const mandate = this.state.mandates[asked.idRec];
    if (mandate === undefined) throw new Problem('RecNaoEncontrada', 'Recorrência não encontrada.');
    if (asked.calendario.dataDeVencimento < this.#today())
      refuseCobr('cobr.calendario.dataDeVencimento', 'A data é anterior à criação da cobrança.');
    if (statusOf(mandate) !== 'APROVADA')
      refuseCobr('cobr.idRec', `A recorrência não está APROVADA, está ${statusOf(mandate)}.`);
    if (this.#liveInCycle(mandate, asked) !== undefined)
      refuseCobr('cobr.calendario.dataDeVencimento', 'Existe uma CobR no mesmo ciclo.');
    const createdAt = this.#now().toISOString();
    const instruction: Instruction = {
      txid,
      createdAt,
      asked,
      steps: [{ status: 'CRIADA', data: createdAt }],
      attempts: [],
      end: null,
    };
    this.state.instructions[txid] = instruction;
    return instruction;
  }

  /** PATCH /cobr. */
  cancelInstruction(txid: string, { status }: Record<string, unknown>): Instruction {
    const instruction = this.findInstruction(txid);
    if (status !== 'CANCELADA') refuseCobr('cobr.status', 'O campo não respeita o schema.');
    if (!isLive(instruction)) refuseCobr('cobr.status', `A cobrança está ${statusOf(instruction)}.`);
    const [first] = instruction.attempts;
    if (first !== undefined && this.#today() >= first.date)
      refuseCobr(
        'cobr.status',
        'Não é possível cancelar na data da primeira tentativa de liquidação ou depois.',
      );
    this.#cancel(instruction, 'USUARIO_RECEBEDOR', 'SLCR');
    return instruction;
  }

  /** POST /cobr/{txid}/retentativa/{data}. */
  retry(txid: string, date: string): Instruction {
    const instruction = this.findInstruction(txid);
    const refuse = (why: string) => refuseCobr('data', why);
    const mandate = this.findMandate(instruction.asked.idRec);
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
      refuse('A data não respeita o schema.');
    if (instruction.attempts.some((each) => each.date === date))
      refuse('Existe uma tentativa vigente para a data informada.');
    if (instruction.attempts.some(isOpen)) refuse('Existe uma tentativa não finalizada.');
    if (date <= this.#today()) refuse('O parâmetro data não corresponde a uma data futura.');
    if (mandate.asked.politicaRetentativa !== 'PERMITE_3R_7D') refuse('A política não permite retentativa.');
    if (statusOf(instruction) !== 'ATIVA') refuse(`A cobrança está ${statusOf(instruction)}.`);
    const due = instruction.asked.calendario.dataDeVencimento as CivilDate;
    const retries = instruction.attempts.filter(({ kind }) => kind === 'NTAG');
    if (retries.length >= RETRIES.most || daysBetween(due, date as CivilDate) > RETRIES.withinDays)
      refuse('A política permite 3 retentativas em 7 dias.');
    if (cycleOf(mandate.asked.calendario, date) !== cycleOf(mandate.asked.calendario, due))
      refuse('A data é do ciclo seguinte.');
    instruction.attempts.push(this.#attempt('NTAG', date));
    return instruction;
  }

  /** @throws Problem if the bank has no such instruction. */
  findInstruction(txid: string): Instruction {
    const instruction = this.state.instructions[txid];
    if (instruction === undefined) throw new Problem('CobRNaoEncontrado', 'Cobrança não encontrada.');
    return instruction;
  }

  /** Lets the payers' banks schedule, debit and give up, up to the present time of the bank's clock. */
  runDue(): void {
    for (const mandate of Object.values(this.state.mandates)) {
      const { dataFinal } = mandate.asked.calendario;
      if (statusOf(mandate) === 'APROVADA' && dataFinal !== undefined && dataFinal < this.#today())
        this.#step(mandate, 'EXPIRADA');
    }
    for (const instruction of Object.values(this.state.instructions)) {
      if (statusOf(instruction) === 'CRIADA') this.#schedule(instruction);
      if (statusOf(instruction) === 'ATIVA') this.#settle(instruction);
    }
  }

  #schedule(instruction: Instruction): void {
    const mandate = this.findMandate(instruction.asked.idRec);
    const { calendario, ajusteDiaUtil } = instruction.asked;
    const due = calendario.dataDeVencimento as CivilDate;
    const code = this.#rejectionOf(mandate, instruction);
    if (code !== null) {
      instruction.end = { rejeicao: { codigo: code, descricao: 'O PSP do pagador rejeitou a cobrança.' } };
      this.#step(instruction, 'REJEITADA');
      return;
    }
    instruction.attempts.push(this.#attempt('AGND', ajusteDiaUtil ? nextBusinessDay(due) : due));
    this.#step(instruction, 'ATIVA');
  }

  /** Why the payer's bank schedules no debit, by Bacen's codes; null if it does. */
  #rejectionOf(mandate: Mandate, { asked, createdAt }: Instruction): string | null {
    const amountCents = centsOfDecimal(asked.valor.original);
    const fixed = mandate.asked.valor?.valorRec;
    const noticeDays = daysBetween(
      saoPauloDateOf(new Date(createdAt)),
      asked.calendario.dataDeVencimento as CivilDate,
    );
    if (noticeDays < LEAST_NOTICE_DAYS || noticeDays > MOST_NOTICE_DAYS) return 'DTED';
    if (fixed !== undefined && centsOfDecimal(fixed) !== amountCents) return 'AM09';
    if (mandate.ceilingCents !== null && (amountCents ?? 0) > mandate.ceilingCents) return 'AM02';
    return null;
  }

  #settle(instruction: Instruction): void {
    const mandate = this.findMandate(instruction.asked.idRec);
    const open = instruction.attempts.find(isOpen);
    if (open !== undefined && this.#hasCome(open.date, FIRST_TRY_HOUR)) {
      if (mandate.hasBalance && mandate.emptyOn?.includes(open.date) !== true) {
        this.#pay(instruction, open);
        return;
      }
      if (this.#hasCome(open.date, LAST_TRY_HOUR)) {
        open.steps.push({ status: 'EXPIRADA', data: this.#now().toISOString() });
        this.#notify(instruction);
      }
    }
    if (!instruction.attempts.some(isOpen) && this.#isPastRetries(mandate, instruction))
      this.#step(instruction, 'EXPIRADA');
  }

  #isPastRetries(mandate: Mandate, { asked, attempts }: Instruction): boolean {
    if (mandate.asked.politicaRetentativa === 'NAO_PERMITE') return true;
    if (attempts.filter(({ kind }) => kind === 'NTAG').length >= RETRIES.most) return true;
    return this.#today() >= addDays(asked.calendario.dataDeVencimento as CivilDate, RETRIES.withinDays);
  }

  #pay(instruction: Instruction, attempt: Attempt): void {
    const at = `${attempt.date}T${String(FIRST_TRY_HOUR).padStart(2, '0')}:00:00.000-03:00`;
    const paidAt = new Date(at).toISOString();
    attempt.steps.push({ status: 'PAGA', data: paidAt });
    const amountCents = centsOfDecimal(instruction.asked.valor.original) ?? 0;
    this.#receive({ txid: instruction.txid, endToEndId: attempt.endToEndId, amountCents, paidAt });
    this.#step(instruction, 'CONCLUIDA');
  }

  #endMandate(
    mandate: Mandate,
    solicitante: 'PSP_PAGADOR' | 'USUARIO_PAGADOR' | 'USUARIO_RECEBEDOR',
    codigo: string,
  ) {
    const descricao = 'A recorrência foi cancelada.';
    mandate.end = { cancelamento: { solicitante, codigo, descricao } };
    this.#step(mandate, 'CANCELADA');
    for (const instruction of Object.values(this.state.instructions)) {
      const [first] = instruction.attempts;
      const isStarted = first !== undefined && first.date <= this.#today();
      if (instruction.asked.idRec === mandate.idRec && isLive(instruction) && !isStarted)
        this.#cancel(instruction, solicitante, solicitante === 'USUARIO_RECEBEDOR' ? 'SLCR' : 'SLBD');
    }
  }

  #cancel(
    instruction: Instruction,
    solicitante: 'PSP_PAGADOR' | 'USUARIO_PAGADOR' | 'USUARIO_RECEBEDOR',
    codigo: string,
  ) {
    const data = this.#now().toISOString();
    for (const attempt of instruction.attempts.filter(isOpen))
      attempt.steps.push({ status: 'CANCELADA', data });
    instruction.end = { cancelamento: { solicitante, codigo, descricao: 'A cobrança foi cancelada.' } };
    this.#step(instruction, 'CANCELADA');
  }

  #liveInCycle(mandate: Mandate, asked: AskedInstruction): Instruction | undefined {
    const { calendario } = mandate.asked;
    const cycle = cycleOf(calendario, asked.calendario.dataDeVencimento);
    return Object.values(this.state.instructions).find(
      (each) =>
        each.asked.idRec === asked.idRec &&
        !['REJEITADA', 'CANCELADA'].includes(statusOf(each)) &&
        cycleOf(calendario, each.asked.calendario.dataDeVencimento) === cycle,
    );
  }

  #freeLocation(id: number): MandateLocation {
    const location = this.state.locations[id];
    if (location === undefined) return refuseRec('rec.loc', 'O location referenciado inexiste.');
    if (location.idRec !== null)
      refuseRec('rec.loc', 'O location já está sendo utilizado por outra recorrência.');
    return location;
  }

  #step(what: Mandate | Instruction, status: string): void {
    what.steps.push({ status, data: this.#now().toISOString() } as never);
    this.#notify(what);
  }

  #attempt(kind: Attempt['kind'], date: string): Attempt {
    const minute = this.#now().toISOString().replace(/\D/g, '').slice(0, 12);
    const endToEndId = `E${ISPB}${minute}${randomBytes(6).toString('hex').slice(0, 11)}`;
    return { date, kind, endToEndId, steps: [{ status: 'AGENDADA', data: this.#now().toISOString() }] };
  }

  #hasCome(date: string, hour: number): boolean {
    return this.#now().getTime() >= Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00-03:00`);
  }

  #today(): CivilDate {
    return saoPauloDateOf(this.#now());
  }
}

const isOpen = (attempt: Attempt) => ['SOLICITADA', 'AGENDADA'].includes(statusOf(attempt));
const isLive = (instruction: Instruction) => ['CRIADA', 'ATIVA'].includes(statusOf(instruction));

function refuseRec(field: string, why: string): never {
  return refuseField('RecOperacaoInvalida', field, why);
}

function refuseCobr(field: string, why: string): never {
  return refuseField('CobROperacaoInvalida', field, why);
}
