import { hash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { insertCharge } from '../../charges/insert-charge.ts';
import { adoptRecovered } from '../../database/adopt-charge.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { personalNumbersOf } from '../../database/sealed-text.ts';
import { wasPaid } from '../../domain/charge.ts';
import { canonicalJson } from '../frame/canonical-json.ts';
import { fieldError } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import type { CreateBody } from './schema.ts';

/** Each failure but the last means that another request has made a charge meanwhile, which is found then. */
const MAX_TRIES = 10;

/**
 * Inserts a charge with an `externalId`, of which there is one per store and environment that can be paid or
 * was (contract section 1, "Idempotency"). One that can no longer be paid makes room: the new charge takes
 * over its `externalId`.
 *
 * @param body what was asked for.
 * @returns null where the row went in, else the charge that already has this `externalId`.
 * @throws ApiError 409 where that charge has other content.
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
    // Another request has taken it over between the two statements, or a restore has rebuilt the charge without it.
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

/** Whether the row was rebuilt after a restore and is this request's: the answer shows what has become of it. */
export async function adoptedRow(request: ApiRequest, row: Charge): Promise<boolean> {
  const isAdopted = await adoptRecovered(request.on, row);
  if (isAdopted) request.refreshAnswer();
  return isAdopted;
}

/**
 * The charge that an `externalId` stands for already, so that nobody is asked to issue another one; null where there is
 * none. One that comes at the same time is found when this one is inserted.
 * @throws ApiError 409 where that charge has other content.
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
  if (isAskedForBy(em, existing, body)) return existing;
  const message = 'is taken by a charge with other content; use another one';
  throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'data.externalId', message);
}

type Owned = Pick<Charge, 'storeId' | 'devMode' | 'externalId'>;

function holderOf(em: Em, { storeId, devMode, externalId }: Owned, lockMode = LockMode.NONE) {
  const holder = { storeId, devMode, externalId, supersededBy: null };
  return em.findOne(ChargeEntity, holder, { disableIdentityMap: true, lockMode });
}

/** Held until the transaction ends, so that a payment of the old charge comes before this or after it. */
async function takeOver(em: Em, row: Charge, now: Date): Promise<boolean> {
  const holder = await holderOf(em, row, LockMode.PESSIMISTIC_WRITE);
  if (holder === null || !isOver(holder, now)) return false;
  await em.nativeUpdate(ChargeEntity, { id: holder.id }, { supersededBy: row.id });
  return insertCharge(em, row);
}

/** Nobody can pay it any more or has paid it, whether its workflow has closed it already or not. */
function isOver({ status, codeStatus, closesAt }: Charge, now: Date): boolean {
  if (status !== 'PENDING') return !wasPaid(status);
  return codeStatus !== 'PAID' && closesAt <= now;
}

/** What was asked for, as the hash that is kept with the charge: keyed, as it would tell the payer's tax id otherwise. */
export function contentHashOf(em: Em, body: CreateBody): string {
  return personalNumbersOf(em).fingerprint(plainHashOf(body));
}

function plainHashOf(body: CreateBody): string {
  return hash('sha256', canonicalJson(contentOf(body)));
}

/**
 * Whether a charge was asked for with the same content. Those of earlier releases were hashed in the order of
 * their fields.
 */
function isAskedForBy(em: Em, { contentHash }: Charge, body: CreateBody): boolean {
  const isOf = (plainHash: string) => personalNumbersOf(em).fingerprints(plainHash).includes(contentHash);
  if (isOf(plainHashOf(body))) return true;
  return isOf(hash('sha256', JSON.stringify(withoutEmptyCustomer(contentOf(body)))));
}

function contentOf(body: CreateBody) {
  return { ...body, data: said({ ...body.data, customer: said(body.data.customer ?? {}) }) };
}

/** Without what was left out: whether a field was not sent or sent as null makes no other charge. */
function said<Fields extends object>(fields: Fields): Partial<Fields> {
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
