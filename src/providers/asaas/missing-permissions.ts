import { type AsaasClient, AsaasError } from './asaas-client.ts';

const ONE = { limit: '1' };
/** By the words of Asaas' page for keys. Writing cannot be tried without an effect. */
const READS: Readonly<Record<string, string>> = {
  payments: '/v3/payments',
  customers: '/v3/customers',
  installments: '/v3/installments',
  chargebacks: '/v3/chargebacks',
  transfers: '/v3/transfers',
  statement: '/v3/financialTransactions',
  webhooks: '/v3/webhooks',
};

/** What the key may not read. @throws AsaasError if Asaas does not know the key. */
export async function missingPermissions(client: AsaasClient): Promise<readonly string[]> {
  const missing = await Promise.all(
    Object.entries(READS).map(async ([name, path]) => ((await isAllowed(client, path)) ? null : name)),
  );
  return missing.filter((name) => name !== null);
}

async function isAllowed(client: AsaasClient, path: string): Promise<boolean> {
  try {
    await client.send({ method: 'GET', path, query: ONE });
    return true;
  } catch (error) {
    if (error instanceof AsaasError && error.status === 403) return false;
    throw error;
  }
}
