import { CustomerEntity } from '../../database/customer.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { parseTaxId } from '../../domain/tax-id.ts';
import { mintId } from '../../ids.ts';
import type { Caller } from '../caller.ts';
import { fieldError } from '../errors.ts';

interface Payer {
  readonly name: string;
  readonly email?: string | undefined;
  readonly cellphone?: string | undefined;
}

/** @throws ApiError 422 where the CPF or CNPJ does not exist. */
export function bareTaxId(taxId: string): string {
  const parsed = parseTaxId(taxId);
  if (parsed !== null) return parsed.bare;
  const message = 'must be a CPF or CNPJ with right check digits, such as 529.982.247-25';
  throw fieldError(422, 'INVALID_TAX_ID', 'data.customer.taxId', message);
}

/**
 * The store's customer with this tax id, created where there is none (contract section 4). The unique key decides between
 * two requests at once; the one that comes second finds the first one's row.
 * @param taxId as `bareTaxId` returned it.
 */
export async function linkPayer(
  em: Em,
  caller: Caller,
  payer: Payer,
  taxId: string,
  now: Date,
): Promise<CustomerId> {
  const { storeId, devMode } = caller;
  const created = em.qb(CustomerEntity).insert({
    id: mintId('customer', now),
    storeId,
    devMode,
    taxId,
    name: payer.name,
    email: payer.email ?? null,
    cellphone: payer.cellphone ?? null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    createdAt: now,
    updatedAt: now,
  });
  await created.onConflict().ignore().execute('run');
  const [row] = await em.execute<{ id: CustomerId }[]>(
    'select id from customers where store_id = ? and dev_mode = ? and tax_id = ? and deleted_at is null',
    [storeId, devMode, taxId],
  );
  if (row === undefined) throw new Error('a customer that was just found or created is gone');
  return row.id;
}
