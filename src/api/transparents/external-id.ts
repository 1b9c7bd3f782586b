import { hash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { adoptRecovered } from '../../charges/adopt-charge.ts';
import { insertCharge } from '../../charges/insert-charge.ts';
import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { wasPaid } from '../../domain/charge.ts';
import { fieldError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import type { CreateBody } from './schema.ts';

/** Each retry means that a parallel request has created a charge, which the next try finds. */
const MAX_TRIES = 10;

/**
 * Inserts a charge with an `externalId`. Per store and environment, one charge with it can be payable or paid
 * (contract section 1, "Idempotency"). An ended unpaid charge gives its `externalId` to the new one.
 *
 * @param body the request.
 * @returns null if the row was inserted, otherwise the charge that already has this `externalId`.
 * @throws ApiError 409 if that charge has other content.
 */
export async function insertUnlessThere(
  request: ApiRequest,
  em: Em,
  row: Charge,
  body: CreateBody,
): Promise<Charge | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await insertCharge(em, row)) return null;
    const existing = await holderOf(em, row);
    // A parallel request took the id over between the two statements, or a restore rebuilt the charge without
    // it.
    if (existing === null) {
      if (await adoptedRow(request, row)) return null;
      continue;
    }
    if (isOver(existing, request.now)) {
      if (await request.transaction((tx) => takeOver(tx, row, request.now))) return null;
      continue;
    }
    return sameOrRefused(em, existing, body);
  }
  throw new Error(`${row.id} conflicts with a charge that has another externalId`);
}

/**
 * Whether the row was rebuilt after a restore and belongs to this request. The response then shows its
 * current state.
 */
export async function adoptedRow(request: ApiRequest, row: Charge): Promise<boolean> {
  const isAdopted = await adoptRecovered(request.on, row);
  if (isAdopted) request.refreshAnswer();
  return isAdopted;
}

/**
 * The existing charge of an `externalId`, found before a provider issues another one; null if no charge has it.
 * A parallel one is found at the insert.
 * @throws ApiError 409 if that charge has other content.
 */
export async function chargeAskedBefore(request: ApiRequest, body: CreateBody): Promise<Charge | null> {
  const { storeId, devMode } = request.key;
  const externalId = body.data.externalId ?? null;
  if (externalId === null) return null;
  const existing = await holderOf(request.em, { storeId, devMode, externalId });
  if (existing === null || isOver(existing, request.now)) return null;
  return sameOrRefused(request.em, existing, body);
}

function sameOrRefused(em: Em, existing: Charge, body: CreateBody): Charge {
  if (hasContent(em, existing, body)) return existing;
  const message = 'is taken by a charge with other content; use another one';
  throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'data.externalId', message);
}

type Owned = Pick<Charge, 'storeId' | 'devMode' | 'externalId'>;

function holderOf(em: Em, { storeId, devMode, externalId }: Owned, lockMode = LockMode.NONE) {
  const holder = { storeId, devMode, externalId, supersededBy: null };
  return em.findOne(ChargeEntity, holder, { disableIdentityMap: true, lockMode });
}

/**
 * Locks the old charge until the transaction ends, so that its payment comes before or after the takeover.
 */
async function takeOver(em: Em, row: Charge, now: Date): Promise<boolean> {
  const holder = await holderOf(em, row, LockMode.PESSIMISTIC_WRITE);
  if (holder === null || !isOver(holder, now)) return false;
  await em.nativeUpdate(ChargeEntity, { id: holder.id }, { supersededBy: row.id });
  return insertCharge(em, row);
}

/** Whether the charge ended unpaid, or expired without its workflow having closed it yet. */
function isOver({ status, codeStatus, closesAt }: Charge, now: Date): boolean {
  if (status !== 'PENDING') return !wasPaid(status);
  return codeStatus !== 'PAID' && closesAt <= now;
}

/**
 * The content hash stored with the charge. Keyed, because a plain hash would let an attacker guess the
 * payer's tax id.
 */
export function contentHashOf(em: Em, body: CreateBody): string {
  return personalNumbersOf(em).fingerprint(plainHashOf(body));
}

function plainHashOf(body: CreateBody): string {
  return hash('sha256', canonicalJson(contentOf(body)));
}

/**
 * Whether a charge was requested with the same content. Earlier releases hashed the fields in request order.
 */
function hasContent(em: Em, { contentHash }: Charge, body: CreateBody): boolean {
  const isOf = (plainHash: string) => personalNumbersOf(em).fingerprints(plainHash).includes(contentHash);
  if (isOf(plainHashOf(body))) return true;
  return isOf(hash('sha256', JSON.stringify(withoutEmptyCustomer(contentOf(body)))));
}

function contentOf(body: CreateBody) {
  return {
    ...body,
    data: presentFields({ ...body.data, customer: presentFields(body.data.customer ?? {}) }),
  };
}

/** Drops null and absent fields, which count as the same content. */
function presentFields<Fields extends object>(fields: Fields): Partial<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as Partial<Fields>;
}

function withoutEmptyCustomer<Content extends { readonly data: { readonly customer?: object } }>(
  content: Content,
): object {
  const { customer, ...data } = content.data;
  const isEmpty = Object.keys(customer ?? {}).length === 0;
  return isEmpty ? { ...content, data } : content;
}
