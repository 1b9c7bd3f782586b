import { decimalOf } from '../../../domain/money.ts';
import { parseCompositeBrCode } from '../../../domain/pix.ts';
import { claimsOf, type OrderClaims } from '../../order-claims.ts';
import type { CreateMandate, MandateAnswer } from '../../ports/mandates.ts';
import type { BankClient } from '../bank-client.ts';
import { BankError } from '../bank-error.ts';
import { bankIdOf } from '../ids.ts';
import type { MandatePaths } from '../profile.ts';
import type { MandateBooks } from './books.ts';
import {
  type BankMandate,
  hasEnded,
  mandateOf,
  mandateStatusOf,
  PERIODICITIES,
  readLocation,
  readMandate,
} from './wire.ts';

/** Longer than a look-up and the two orders take. */
const CLAIM_MS = 60_000;
/** After a lost answer the list gets this time to show the mandate. */
const SETTLE_MS = 3_000;
const DESCRIPTION_MAX_LENGTH = 35;
/** Within this distance of the request a clock of the bank that is ahead, or a repeat after days, is found. */
const EARLIER_MS = 86_400_000;

export interface MandateOrders {
  readonly client: BankClient;
  readonly paths: MandatePaths;
  readonly books: MandateBooks;
  readonly claims: OrderClaims | null;
  /** How long the list may lag after a lost answer. */
  readonly settleMs?: number;
  readonly nowMs?: () => number;
}

/**
 * Creates one mandate per reference. `POST /rec` carries no id of ours, so one request at a time orders, and mandates
 * whose contract is our reference are looked up first. If an answer was lost and the list lags, a repeat makes a second
 * mandate. The first that is recorded counts, for every process, and only its code is shown. Nobody can accept a mandate
 * whose code was never shown. It is cancelled as soon as a repeat finds it. A location without a mandate has no effect.
 */
export async function createMandate(orders: MandateOrders, request: CreateMandate): Promise<MandateAnswer> {
  if (request.beneficiary.taxId?.length !== 14)
    return { outcome: 'REFUSED', reason: 'beneficiary.taxId: only a company with a CNPJ can receive debits' };
  const claims = claimsOf(orders.claims);
  const contract = bankIdOf(request.reference);
  const claim = await claims.claim(contract, CLAIM_MS);
  if (claim.outcome === 'TAKEN') return { outcome: 'PENDING', pollAfterMs: SETTLE_MS };
  if (claim.outcome === 'MADE') return answerOf(orders, request, claim.madeId);
  try {
    const known = await mandatesOf(orders, request);
    const id = preferred(known)?.idRec ?? (await ordered(orders, request));
    return await answerOf(orders, request, await claims.record(contract, id));
  } catch (error) {
    await claims.release(contract, claim.claimId, madeNothing(error) ? 0 : (orders.settleMs ?? SETTLE_MS));
    if (error instanceof BankError && error.refusal !== null)
      return { outcome: 'REFUSED', reason: error.refusal };
    throw error;
  }
}

/** An accepted one counts before one that can be accepted, and that before one that has ended. */
function preferred(known: readonly BankMandate[]): BankMandate | undefined {
  return (
    known.find((mandate) => mandateStatusOf(mandate) === 'ACTIVE') ??
    known.find((mandate) => !hasEnded(mandate)) ??
    known[0]
  );
}

/** @returns the id of what was made, also if the answer was lost and the list shows it. */
async function ordered({ client, paths, ...orders }: MandateOrders, request: CreateMandate): Promise<string> {
  const location = readLocation(await client.send({ method: 'POST', path: paths.locrec }));
  try {
    const body = bodyOf(request, location.id);
    return readMandate(await client.send({ method: 'POST', path: paths.rec, body })).idRec;
  } catch (error) {
    if (madeNothing(error)) throw error;
    const made = preferred(await mandatesOf({ client, paths, ...orders }, request));
    if (made !== undefined) return made.idRec;
    throw error;
  }
}

/** The mandate that counts, with the code that its payer reads. All others of the reference are cancelled. */
async function answerOf(orders: MandateOrders, request: CreateMandate, id: string): Promise<MandateAnswer> {
  const others = (await mandatesOf(orders, request)).filter((each) => each.idRec !== id && !hasEnded(each));
  for (const { idRec } of others)
    await orders.client.send({ method: 'PATCH', path: `${orders.paths.rec}/${idRec}`, body: CANCELLED });
  const made = await orders.books.mandate(id);
  if (made === null) return { outcome: 'PENDING', pollAfterMs: SETTLE_MS };
  if (hasEnded(made)) return { outcome: 'ENDED', mandate: mandateOf(made) };
  const shown = await orders.books.mandateWithCode(id, request.chargeReference);
  return { outcome: 'CREATED', mandate: mandateOf(shown), brCode: codeOf(shown, request) };
}

export const CANCELLED = { status: 'CANCELADA' };

/**
 * The bank's composite code, after checking that it asks for consent to this mandate, and whether it pays a charge.
 * @throws BankError if it does not: a payer must never read it.
 */
function codeOf({ dadosQR, loc }: BankMandate, { chargeReference }: CreateMandate): string {
  const code = dadosQR?.pixCopiaECola;
  if (code === undefined) throw new BankError('RETRY', null, 'the bank gives the mandate no code yet');
  const locations = parseCompositeBrCode(code);
  const isOfMandate = locations !== null && (!loc || withoutScheme(loc.location) === locations.mandate);
  if (!isOfMandate || (locations.charge !== null) !== (chargeReference !== null))
    throw new BankError('INVALID', null, 'the bank gives a code that is not of this mandate and charge');
  return code;
}

const withoutScheme = (location: string) => location.replace(/^https?:\/\//, '');

/** All mandates of the reference that the bank lists, oldest first. */
async function mandatesOf(
  { books, nowMs = Date.now }: MandateOrders,
  { reference, payer, now }: CreateMandate,
): Promise<readonly BankMandate[]> {
  const contract = bankIdOf(reference);
  const time = { from: new Date(now.getTime() - EARLIER_MS), until: new Date(nowMs() + EARLIER_MS) };
  const found = new Map<string, BankMandate>();
  for (let page = 0; ; page += 1) {
    const { items, isLast } = await books.mandates(time, page, { [documentOf(payer.taxId)]: payer.taxId });
    for (const each of items) if (each.vinculo.contrato === contract) found.set(each.idRec, each);
    if (isLast) return [...found.values()];
  }
}

/** Whether the bank says that the request had no effect. */
function madeNothing(error: unknown): boolean {
  return (
    error instanceof BankError &&
    (error.refusal !== null || ['RATE_LIMITED', 'UNAUTHORIZED'].includes(error.kind))
  );
}

const documentOf = (taxId: string) => (taxId.length === 11 ? 'cpf' : 'cnpj');

function bodyOf(request: CreateMandate, locationId: number) {
  const { payer, description, amount, chargeReference, lastDate } = request;
  return {
    vinculo: {
      contrato: bankIdOf(request.reference),
      devedor: { [documentOf(payer.taxId)]: payer.taxId, nome: payer.name },
      ...(description && { objeto: description.slice(0, DESCRIPTION_MAX_LENGTH) }),
    },
    calendario: {
      dataInicial: request.firstDate,
      ...(lastDate !== null && { dataFinal: lastDate }),
      periodicidade: PERIODICITIES[request.periodicity],
    },
    ...(amount.kind === 'FIXED' && { valor: { valorRec: decimalOf(amount.amountCents) } }),
    ...(amount.kind === 'VARIABLE' &&
      amount.minimumCents !== null && { valor: { valorMinimoRecebedor: decimalOf(amount.minimumCents) } }),
    politicaRetentativa: request.allowsRetries ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
    loc: locationId,
    ...(chargeReference !== null && { ativacao: { dadosJornada: { txid: chargeReference } } }),
  };
}
