import { startPsp } from '../psp/start-psp.ts';
import { adapterThrough, checkChargeLifecycle } from './charge-lifecycle.ts';
import { checkMandateLifecycle, mandatesThrough } from './mandate-lifecycle.ts';
import { startPrism } from './prism.ts';
import { type Exchange, relayTo, startRelay } from './relay.ts';
import type { Verdict } from './verdict.ts';

const TOKEN_SECONDS = 365 * 86_400;

/**
 * Checks the requests of the adapter and the answers of the bank against Banco Central's document. Anything that it does not
 * allow is a violation.
 */
export async function byDocument(
  conformance: string,
  document: string,
  webhookUrl: string,
): Promise<Verdict> {
  // The bank's clock moves by weeks, and the document has no status for a token that has expired.
  const psp = await startPsp({ tokenSeconds: TOKEN_SECONDS });
  const behind = await relayTo(psp, String(psp.account.settings.apiUrl));
  const prism = await startPrism(conformance, document, behind.url);
  const before = await startRelay(prism.url);
  const bank = adapterThrough(psp, before.url);
  const debiting = mandatesThrough(psp, { api: before.url });
  try {
    await checkChargeLifecycle(bank, psp, webhookUrl);
    await checkMandateLifecycle(debiting, psp, webhookUrl);
    const wrong = new Set(before.exchanges.flatMap(violationsOf));
    return {
      what: `${before.exchanges.length} requests and answers between adapter and bank`,
      wrong: [...wrong],
    };
  } finally {
    prism.stop();
    await Promise.all([
      bank.disconnect(),
      debiting.disconnect(),
      before.close(),
      behind.close(),
      psp.close(),
    ]);
  }
}

/** The violations that Prism reports for a request and its answer. */
export function violationsOf({ method, path, status, violations }: Exchange): string[] {
  const resource = path.replace(/\?.*/, '').replace(/[A-Za-z0-9]{26,}/g, '…');
  return violations.map((each) => {
    const { location = [], message = '' } = each as { location?: string[]; message?: string };
    return `${method} ${resource} (${status}) ${location.join('.')}: ${message}`;
  });
}
