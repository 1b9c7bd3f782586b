import { payerColumns } from '../../database/charge-payer.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../database/entities/charge.ts';
import { linkCustomer } from '../../database/link-customer.ts';
import type { Em } from '../../database/orm.ts';
import { boletoDeadlines, MIN_BOLETO_CENTS, pixDeadlines } from '../../domain/charge-deadlines.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { NOBODY, type Payer } from '../../domain/payer.ts';
import { platformFeeCentsOf } from '../../domain/platform-fee.ts';
import { mintId } from '../../ids.ts';
import { type PaymentProvider, providerOf } from '../../providers/provider.ts';
import { chargeStart } from '../../temporal/charge.ts';
import { bareTaxId } from '../frame/bare-tax-id.ts';
import { ApiError, fieldError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { tellBillingCreated } from '../v1/billing-created.ts';
import { dueDateOf } from './due-date.ts';
import { contentHashOf, insertUnlessThere } from './external-id.ts';
import type { BoletoData, CreateBody, PixData } from './schema.ts';

/** What is asked for. */
interface ChargeOrder {
  readonly body: CreateBody;
  /** Where the request's body holds the payer, for errors to name. */
  readonly customerPath: string;
}

/**
 * Issues the codes, inserts the charge with its customer, and has its workflow started once that is committed.
 * The row alone makes the charge real: a crash right after leaves the start to the sweeper.
 */
export async function createCharge(
  request: ApiRequest,
  { body, customerPath }: ChargeOrder,
): Promise<Charge> {
  const provider = providerOf(request.deps.providers, request.key.devMode);
  if (provider === null) throw new ApiError(422, 'NO_PAYMENT_PROVIDER', 'No payment provider configured');
  // Before the codes are issued: a provider must not be asked for a charge that is then refused.
  const payer = payerIn(body, customerPath);
  const row = { ...(await issue(request, body, provider)), ...payerColumns(payer) };
  if (payer.taxId === null && payer.email === null) return insert(request, request.em, row, body);
  return request.transaction(async (em) => {
    const customerId = await linkCustomer(em, request.key, payer, request.now);
    return insert(request, em, { ...row, customerId }, body);
  });
}

/** Who pays, as the merchant says for this charge. @throws ApiError INVALID_TAX_ID */
function payerIn({ data: { customer } }: CreateBody, path: string): Payer {
  if (!customer) return NOBODY;
  const { taxId, ...said } = customer;
  return { ...said, taxId: taxId && bareTaxId(taxId, `${path}.taxId`) };
}

type OrderOf<Method> = Extract<CreateBody, { method: Method }>;

function issue(request: ApiRequest, body: CreateBody, provider: PaymentProvider): Promise<Charge> {
  return body.method === 'PIX' ? issuePix(request, body, provider) : issueBoleto(request, body, provider);
}

async function issuePix(
  request: ApiRequest,
  body: OrderOf<'PIX'>,
  provider: PaymentProvider,
): Promise<Charge> {
  const id = mintId<ChargeId>('pixCharge', request.now);
  const { reference, brCode } = await provider.issuePix(issueRequest(request, id, body.data));
  return {
    ...newCharge(request, body, id, provider),
    ...pixDeadlines(body.data.expiresIn, request.now),
    providerReference: reference,
    brCode,
  };
}

async function issueBoleto(
  request: ApiRequest,
  body: OrderOf<'BOLETO'>,
  provider: PaymentProvider,
): Promise<Charge> {
  const { data } = body;
  if (data.amount < MIN_BOLETO_CENTS) {
    const message = `must be at least ${MIN_BOLETO_CENTS} cents for a boleto`;
    throw fieldError(422, 'NOT_ACCEPTABLE', 'data.amount', message);
  }
  const dueDate = dueDateOf(data.dueDate, request.now);
  const { interest, fine } = data;
  const id = mintId<ChargeId>('boletoCharge', request.now);
  const issued = await provider.issueBoleto({ ...issueRequest(request, id, data), dueDate });
  return {
    ...newCharge(request, body, id, provider),
    ...boletoDeadlines(dueDate, interest, fine),
    providerReference: issued.reference,
    brCode: issued.brCode,
    barCode: issued.barCode,
    ourNumber: issued.ourNumber,
    dueDate,
    interest,
    fine,
  };
}

function issueRequest({ key }: ApiRequest, chargeId: ChargeId, data: PixData | BoletoData) {
  const { name, city } = key.store;
  const description = data.description ?? null;
  return { chargeId, amountCents: data.amount, description, beneficiary: { name, city } };
}

function newCharge(
  { key, deps, now }: ApiRequest,
  body: CreateBody,
  id: ChargeId,
  provider: PaymentProvider,
) {
  const { data, method } = body;
  return {
    ...NEW_CHARGE,
    id,
    storeId: key.storeId,
    devMode: key.devMode,
    method,
    amountCents: data.amount,
    platformFeeCents: platformFeeCentsOf(deps.config.platformFee, method, data.amount),
    description: data.description ?? null,
    externalId: data.externalId ?? null,
    contentHash: contentHashOf(body),
    metadata: data.metadata ?? {},
    utm: (data.utm ?? null) as Charge['utm'],
    provider: provider.name,
    createdAt: now,
    updatedAt: now,
  };
}

/** In a transaction only where v1 endpoints are told of it, or `em` is in one already. */
async function insert(request: ApiRequest, em: Em, row: Charge, body: CreateBody): Promise<Charge> {
  if (!request.key.tellsBillingCreated) return insertRow(request, em, row, body);
  return request.transaction(async (tx) => {
    const charge = await insertRow(request, tx, row, body);
    if (charge === row) await tellBillingCreated(request, tx, { transparent: row });
    return charge;
  });
}

async function insertRow(request: ApiRequest, em: Em, row: Charge, body: CreateBody): Promise<Charge> {
  if (row.externalId === null) await em.insert(ChargeEntity, row);
  else {
    const existing = await insertUnlessThere(request, em, row, body);
    if (existing !== null) return existing;
  }
  request.afterCommit(() => request.deps.starter.startSoon(chargeStart(row, request.requestId)));
  return row;
}
