import type { PublishedNfse } from '../../../src/wire/nfse.ts';

/** An access key as the tax authority forms it, for the CNPJ of the DPS. @param number of the NFS-e. */
export function accessKeyOf({ dpsId }: Pick<PublishedNfse, 'dpsId'>, number = 42): string {
  const municipality = dpsId.slice(3, 10);
  const taxId = dpsId.slice(11, 25);
  return `${municipality}22${taxId}${String(number).padStart(13, '0')}2612${String(number).padStart(10, '0')}`;
}
