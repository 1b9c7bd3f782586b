import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

const POLL_MS = 250;
/** The id of a DPS has the CNPJ of the store here, after the municipality and the kind of tax id. */
const CNPJ_AT = 8;

/** For a store that has entered nothing: the example of the API reference, for its test environment. */
const EXAMPLE = {
  enabled: false,
  issueOn: 'PAID',
  cnpj: '11.222.333/0001-81',
  municipalRegistration: null,
  municipalityCode: '3550308',
  series: 1,
  serviceCode: '010701',
  municipalServiceCode: null,
  nbsCode: null,
  issRate: null,
  simples: 'MEI',
  simplesAssessment: null,
  specialRegime: 'NONE',
  federalTaxes: null,
  stateTaxes: null,
  municipalTaxes: null,
  simplesRate: null,
  ibsCbsOperation: null,
  ibsCbsSituation: null,
  ibsCbsClass: null,
};

interface Declared {
  readonly id: string;
  readonly dpsId: string;
}

/** Issues the DPS of a paid checkout. @param pay returns the checkout's id. */
export async function declare(api: Api, pay: (api: Api) => Promise<string>): Promise<Declared> {
  const { cnpj } = await api.get<{ readonly cnpj: string | null }>('invoices/nfse/settings');
  if (cnpj === null) await api.post('invoices/nfse/update-settings', EXAMPLE);
  const invoiceId = await invoiceOf(api, await pay(api));
  return api.post<Declared>('invoices/nfse/issue', { invoiceId });
}

/** The number of an invoice follows its payment within a second. */
async function invoiceOf(api: Api, checkoutId: string): Promise<string> {
  for (;;) {
    const [invoice] = await api.get<readonly { readonly id: string }[]>('invoices/list', { checkoutId });
    if (invoice !== undefined) return invoice.id;
    await sleep(POLL_MS);
  }
}

/** Reports that a DPS became an NFS-e, as a transmitter does. */
export async function authorize(api: Api, { id, dpsId }: Declared): Promise<string> {
  await api.post('invoices/nfse/report', { id, status: 'AUTHORIZED', accessKey: accessKeyOf(dpsId) });
  return id;
}

/** Not a key that the authority gave: it has the store's municipality and CNPJ, and the number of the DPS. */
function accessKeyOf(dpsId: string): string {
  const place = dpsId.slice('DPS'.length);
  const municipality = place.slice(0, 7);
  const cnpj = place.slice(CNPJ_AT, CNPJ_AT + 14);
  return `${municipality}22${cnpj}${dpsId.slice(-13)}2612${dpsId.slice(-9)}0`;
}
