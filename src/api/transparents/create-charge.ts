import type { BoletoRefusal } from '../../charges/boleto-limits.ts';
import { insertCharge } from '../../charges/insert-charge.ts';
import { orderedId } from '../../charges/ordered-id.ts';
import { linkCustomer } from '../../customers/link-customer.ts';
import { payerColumns } from '../../database/charge-payer.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { NOBODY, type Payer } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { chargeStart } from '../../temporal/charge.ts';
import { bareTaxId } from '../customers/fields.ts';
import { announceSale } from '../frame/announce-sale.ts';
import { brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { awaitsPaymentRecord } from './charge-as-it-is.ts';
import { type ChosenCard, keepCard, savedCardIdOf } from './chosen-card.ts';
import { adoptedRow, chargeAskedBefore, contentHashOf, insertUnlessThere } from './external-id.ts';
import { issueRequested, refuseNotOffered, requestedCard } from './requested-method.ts';
import type { CreateBody } from './schema.ts';
import { refuseWrongSplits, splitsIn } from './splits.ts';
import { boletoError, refuseWrongValues } from './wrong-values.ts';

/** A parsed request for a charge. */
interface Asked {
  readonly body: CreateBody;
  /** The path of the payer in the request's body, for errors. */
  readonly customerPath: string;
}

/** A charge issued by the provider but not stored yet, or the existing charge of an earlier request. */
export type IssuedCharge =
  | { readonly existing: Charge }
  | {
      readonly existing: null;
      readonly row: Charge;
      readonly payer: Payer;
      /** Null unless it is paid by card. */
      readonly chosen: ChosenCard | null;
    };

/**
 * Makes the provider issue a charge's codes. A bank may take many seconds, so no transaction is open and no
 * slot is held. {@link storeCharge} follows; an issued charge that is never stored is cancelled (decision
 * 52).
 */
export async function issueCharge(request: ApiRequest, { body, customerPath }: Asked): Promise<IssuedCharge> {
  const provider = await requireProvider(request, body.method, 'method');
  refuseNotOffered(body, provider);
  // Only banks keep the issued request; the sandbox does not. A card's token is used up by the first request.
  const isKept = !request.key.devMode || METHOD_TRAITS[body.method].keepsInstrument;
  const before = isKept ? await chargeAskedBefore(request, body) : null;
  if (before !== null) return { existing: before };
  // After the lookup, because the due date of a repeated request may have passed.
  refuseWrongValues(body, customerPath, provider, request.now);
  await refuseWrongSplits(request, body);
  const payer = payerIn(body, customerPath);
  const chosen = await requestedCard(request, body, payer, provider);
  const made = await requestedCharge(request, { body, customerPath, payer, provider, chosen });
  return { existing: null, row: { ...made, ...payerColumns(payer) }, payer, chosen };
}

/**
 * Inserts an issued charge with its customer. Its workflow starts after the commit. The row alone makes the
 * charge valid: after a crash, the sweeper starts the workflow.
 */
export async function storeCharge(
  request: ApiRequest,
  body: CreateBody,
  issued: IssuedCharge,
): Promise<Charge> {
  const charge = issued.existing ?? issued.row;
  // The answer to a card is its issuer's, who is asked after the commit.
  if (awaitsPaymentRecord(charge) || METHOD_TRAITS[charge.method].decidedBy === 'ISSUER')
    request.refreshAnswer();
  if (issued.existing !== null) return issued.existing;
  const { row, payer, chosen } = issued;
  if (payer.taxId === null && payer.email === null) return insert(request, row, body);
  return request.transaction(async (em) => {
    const linked = { ...row, ...(await linkCustomer(em, request.key, payer, request.now)) };
    const stored = await insert(request, linked, body);
    if (chosen !== null && stored === linked) await keepCard(request, em, chosen, linked);
    return stored;
  });
}

/** The payer that the merchant sent for this charge. @throws ApiError INVALID_TAX_ID */
function payerIn({ data: { customer } }: CreateBody, path: string): Payer {
  if (!customer) return NOBODY;
  const { taxId, name, email, cellphone } = customer;
  return { name, email, cellphone, taxId: taxId && bareTaxId(taxId, `${path}.taxId`) };
}

interface ToMake extends Asked {
  readonly payer: Payer;
  readonly provider: PaymentProvider;
  readonly chosen: ChosenCard | null;
}

async function requestedCharge(
  { em, key, deps, now, idempotencyKey }: ApiRequest,
  { body, customerPath, payer, provider, chosen }: ToMake,
): Promise<Charge> {
  const { data } = body;
  const { database } = deps;
  const { devMode } = key;
  const contentHash = contentHashOf(em, body);
  const sameAs = sameRequest(data.externalId ?? null, idempotencyKey, contentHash);
  const order = {
    storeId: key.storeId,
    devMode,
    amountCents: data.amount,
    description: data.description ?? null,
    beneficiary: () => key.store,
    payer,
    provider,
    platformFees: deps.config.platformFee,
    idOf: orderedId({ database, devMode, provider, sameAs, now }),
    beyondLimits: (refusals: readonly BoletoRefusal[]) =>
      together(refusals.map((refusal) => boletoError(refusal, customerPath))),
    nobodyToPay: () => brokenRule('STORE_WITHOUT_TAX_ID', 'method', BOLETO_NEEDS_TAX_ID),
    now,
  };
  return {
    ...(await issueRequested(order, body, chosen)),
    savedCardId: chosen && savedCardIdOf(chosen, now),
    externalId: data.externalId ?? null,
    contentHash,
    metadata: data.metadata ?? {},
    splits: splitsIn(body),
    utm: (data.utm ?? null) as Charge['utm'],
  };
}

/** Two requests of a store are the same if they have the same `externalId` or key, and the same content. */
function sameRequest(externalId: string | null, idempotencyKey: string | null, contentHash: string) {
  if (externalId !== null) return ['externalId', externalId, contentHash];
  return idempotencyKey === null ? null : ['key', idempotencyKey, contentHash];
}

/** Also used for checkouts that would offer boletos. */
export const BOLETO_NEEDS_TAX_ID =
  'BOLETO shows the CPF or CNPJ of the store, which has none: set it with `stores update --tax-id` or in its settings';

/** Needs a transaction only if endpoints receive an event of it, or one is already open. */
async function insert(request: ApiRequest, row: Charge, body: CreateBody): Promise<Charge> {
  if (!request.key.announcesSales) return insertRow(request, row, body);
  return request.transaction(async (tx) => {
    const charge = await insertRow(request, row, body);
    if (charge === row) await announceSale(request, tx, { transparent: row });
    return charge;
  });
}

async function insertRow(request: ApiRequest, row: Charge, body: CreateBody): Promise<Charge> {
  if (row.externalId === null) {
    if (!(await insertCharge(request.on, row))) await adoptedRow(request, row);
  } else {
    const existing = await insertUnlessThere(request, request.em, row, body);
    if (existing !== null) return existing;
  }
  // A card's workflow starts with the question for its decision (decide-card.ts).
  if (METHOD_TRAITS[row.method].decidedBy !== 'ISSUER')
    request.afterCommit(() => request.deps.starter.startSoon(chargeStart(row, request.requestId)));
  return row;
}
