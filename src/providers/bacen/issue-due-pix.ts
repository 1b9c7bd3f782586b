import { decimalOf } from '../../domain/money.ts';
import type { IssueAnswer } from '../ports/issuing.ts';
import type { IssueDuePix, IssuedPix } from '../ports/pix.ts';
import type { BacenAccount } from './account.ts';
import { dueTxidOf } from './ids.ts';
import { type ChargeOrder, DESCRIPTION_MAX_LENGTH, type IssuerDeps, issueOnce } from './issue-charge.ts';
import type { BankCharge } from './wire.ts';

/** Domains of Bacen's document (`CobVValor`): interest a month by calendar days, and a fine in reais or in percent. */
const MONTHLY_PERCENT = 3;
const FINE_MODES = { FIXED: 1, PERCENTAGE: 2 } as const;

/** A late term as the bank takes it: hundredths of a percent, or cents, as a decimal number. */
interface LateTerm {
  readonly modalidade: number;
  readonly valorPerc: number;
}

/** Issues codes with a due date (`cobv`). A charge that stands at the bank with other terms is removed and returned as DEAD. */
export function duePixIssuer(deps: IssuerDeps): (request: IssueDuePix) => Promise<IssueAnswer<IssuedPix>> {
  return (request) => issueOnce(deps, orderOf(request, deps.account));
}

function orderOf(request: IssueDuePix, { profile, settings }: BacenAccount): ChargeOrder {
  return {
    txid: dueTxidOf(request.chargeId),
    path: profile.paths.cobv,
    revisionPath: profile.paths.cobvRevision,
    beneficiary: request.beneficiary,
    body: askedCharge(request, settings.pixKey),
    isAsAsked: (charge) => charge.chave === settings.pixKey && hasTerms(charge, request),
    expiresAt: () => null,
    extension: () => null,
  };
}

/** The late terms of a charge at the bank. Modes that Recebe never asks for are left out. */
export function lateTermsOf({ multa, juros }: BankCharge['valor']): Pick<IssueDuePix, 'interest' | 'fine'> {
  const [type] = (['FIXED', 'PERCENTAGE'] as const).filter((each) => FINE_MODES[each] === multa?.modalidade);
  return {
    interest:
      juros?.modalidade === MONTHLY_PERCENT && juros.valorPerc > 0 ? { value: juros.valorPerc } : null,
    fine:
      multa !== undefined && type !== undefined && multa.valorPerc > 0
        ? { value: multa.valorPerc, type }
        : null,
  };
}

function fineOf({ fine }: IssueDuePix): LateTerm | null {
  return fine && { modalidade: FINE_MODES[fine.type], valorPerc: fine.value };
}

function interestOf({ interest }: IssueDuePix): LateTerm | null {
  return interest && { modalidade: MONTHLY_PERCENT, valorPerc: interest.value };
}

/** Whether the bank holds these terms. A term that its answer leaves out is not compared: only the amount is mandatory there. */
function hasTerms({ valor, calendario = {} }: BankCharge, request: IssueDuePix): boolean {
  const { dueDate, daysPayableAfterDueDate } = request;
  const { dataDeVencimento = dueDate, validadeAposVencimento = daysPayableAfterDueDate } = calendario;
  return (
    valor.original === request.amountCents &&
    dataDeVencimento === dueDate &&
    validadeAposVencimento === daysPayableAfterDueDate &&
    isSameTerm(valor.multa, fineOf(request)) &&
    isSameTerm(valor.juros, interestOf(request))
  );
}

/** A term of zero counts as absent. */
function isSameTerm(held: LateTerm | undefined, asked: LateTerm | null): boolean {
  if (held === undefined) return true;
  if (asked === null) return held.valorPerc === 0;
  return held.modalidade === asked.modalidade && held.valorPerc === asked.valorPerc;
}

function askedCharge(request: IssueDuePix, chave: string) {
  const { amountCents, description, dueDate, daysPayableAfterDueDate } = request;
  const [multa, juros] = [fineOf(request), interestOf(request)].map(
    (term) => term && { modalidade: term.modalidade, valorPerc: decimalOf(term.valorPerc) },
  );
  return {
    calendario: { dataDeVencimento: dueDate, validadeAposVencimento: daysPayableAfterDueDate },
    devedor: debtorOf(request),
    valor: { original: decimalOf(amountCents), ...(multa && { multa }), ...(juros && { juros }) },
    chave,
    ...(description && { solicitacaoPagador: description.slice(0, DESCRIPTION_MAX_LENGTH) }),
  };
}

function debtorOf({ payer: { name, taxId, address } }: IssueDuePix) {
  return {
    ...(taxId !== null && { [taxId.length === 11 ? 'cpf' : 'cnpj']: taxId }),
    nome: name,
    ...(address && {
      logradouro: address.street,
      cidade: address.city,
      uf: address.state,
      cep: address.zipCode,
    }),
  };
}
