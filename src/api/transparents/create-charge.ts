import type { BoletoRefusal } from '../../charges/boleto-limits.ts';
import { insertCharge } from '../../charges/insert-charge.ts';
import type { Terms } from '../../charges/methods/method.ts';
import { newCharge } from '../../charges/new-charge.ts';
import { orderedId } from '../../charges/ordered-id.ts';
import { linkCustomer } from '../../customers/link-customer.ts';
import { payerColumns } from '../../database/charge-payer.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { civilDate } from '../../domain/civil-date.ts';
import { NOBODY, type Payer } from '../../domain/payer.ts';
import { type PaymentProvider, withPort } from '../../providers/provider.ts';
import { chargeStart } from '../../temporal/charge.ts';
import { bareTaxId } from '../customers/fields.ts';
import { brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProvider } from '../frame/require-provider.ts';
import { publishBillingCreated } from '../v1/billing-created.ts';
import { awaitsPaymentRecord } from './charge-as-it-is.ts';
import { type ChosenCard, cardTermsOf, chosenCard, keepCard, savedCardIdOf } from './chosen-card.ts';
import { adoptedRow, chargeAskedBefore, contentHashOf, insertUnlessThere } from './external-id.ts';
import type { BoletoData, CreateBody, PixData } from './schema.ts';
import { refuseWrongSplits, splitsIn } from './splits.ts';
import { boletoError, dueDateOf, refuseWrongValues } from './wrong-values.ts';

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
  refuseTooLong(body, provider);
  refuseDueDate(body, provider);
  // Only banks keep the issued request; the sandbox does not. A card's token is used up by the first request.
  const isKept = !request.key.devMode || body.method === 'CARD';
  const before = isKept ? await chargeAskedBefore(request, body) : null;
  if (before !== null) return { existing: before };
  // After the lookup, because the due date of a repeated request may have passed.
  refuseWrongValues(body, customerPath, provider.boletos, request.now);
  await refuseWrongSplits(request, body);
  const payer = payerIn(body, customerPath);
  const chosen =
    body.method === 'CARD' ? await chosenCard(request, body.data, payer, withPort(provider, 'cards')) : null;
  const made = await makeCharge(request, { body, customerPath, payer, provider, chosen });
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
  if (awaitsPaymentRecord(charge) || charge.method === 'CARD') request.refreshAnswer();
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

/**
 * Refuses an expiry that the provider does not support: the charge would stay open here although its code is
 * no longer payable.
 */
function refuseTooLong({ method, data }: CreateBody, provider: PaymentProvider): void {
  const most = provider.pix?.maxExpirySeconds ?? 0;
  if (method !== 'PIX' || data.expiresIn === null || data.expiresIn <= most) return;
  throw brokenRule('EXPIRY_TOO_LONG', 'data.expiresIn', `must be at most ${most} seconds at this provider`);
}

/** Refuses a due date before anything is stored or issued, if the provider's PIX codes have none. */
function refuseDueDate({ method, data }: CreateBody, provider: PaymentProvider): void {
  if (method !== 'PIX' || data.dueDate === null || provider.pix?.issueDue !== undefined) return;
  const message =
    'is not possible: the provider of PIX of this store has no PIX charges with a due date; use BOLETO or expiresIn';
  throw brokenRule('DUE_DATE_NOT_POSSIBLE', 'data.dueDate', message);
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

async function makeCharge(
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
  const issued = async () => {
    switch (body.method) {
      case 'PIX': {
        const address = body.data.customer?.address ?? null;
        return newCharge({
          ...order,
          method: 'PIX',
          provider: withPort(provider, 'pix'),
          payer: { ...payer, address },
          terms: pixTermsIn(body.data),
        });
      }
      case 'BOLETO':
        return newCharge({
          ...order,
          method: 'BOLETO',
          provider: withPort(provider, 'boletos'),
          payer: { ...payer, address: body.data.customer.address ?? null },
          terms: boletoTermsIn(body.data, now),
        });
      case 'CARD': {
        if (chosen === null) throw new Error('a card charge has no card');
        const terms = cardTermsOf(chosen, body.data.installments);
        return newCharge({ ...order, method: 'CARD', provider: withPort(provider, 'cards'), terms });
      }
    }
  };
  return {
    ...(await issued()),
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

function pixTermsIn({ dueDate, interest, fine, expiresIn }: PixData): Terms['PIX'] {
  if (dueDate !== null) return { dueDate: civilDate(dueDate), interest, fine };
  if (expiresIn === null) throw new Error('a PIX charge has neither an expiry nor a due date');
  return { expiresInSeconds: expiresIn };
}

function boletoTermsIn(data: BoletoData, now: Date) {
  return { dueDate: dueDateOf(data, now), interest: data.interest, fine: data.fine };
}

/** Also used for checkouts that would offer boletos. */
export const BOLETO_NEEDS_TAX_ID =
  'BOLETO shows the CPF or CNPJ of the store, which has none: set it with `stores update --tax-id` or in its settings';

/** Needs a transaction only if v1 endpoints receive an event, or one is already open. */
async function insert(request: ApiRequest, row: Charge, body: CreateBody): Promise<Charge> {
  if (!request.key.publishesBillingCreated) return insertRow(request, row, body);
  return request.transaction(async (tx) => {
    const charge = await insertRow(request, row, body);
    if (charge === row) await publishBillingCreated(request, tx, { transparent: row });
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
  if (row.method !== 'CARD')
    request.afterCommit(() => request.deps.starter.startSoon(chargeStart(row, request.requestId)));
  return row;
}
