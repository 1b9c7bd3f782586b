import { contextOf } from '../../src/cli/context.ts';
import { diagnose } from '../../src/cli/doctor.ts';
import { Output } from '../../src/cli/host.ts';
import type { Cluster } from './cluster.ts';

/** Beyond what the auditor takes for being under way, and the pause between two audits. */
const LATER_MS = 10 * 60_000;

/**
 * Has the auditor do now what it does within ten minutes, so that nobody has to wait for it.
 * @returns what it had to start, since nothing else would have.
 */
export async function auditAhead({ postgres, temporalAddress, secretsKey }: Cluster): Promise<string[]> {
  const env = {
    DATABASE_URL: postgres.first.url,
    TEMPORAL_ADDRESS: temporalAddress,
    SECRETS_KEY: secretsKey,
  };
  const host = { env, print: () => {}, printError: () => {} };
  const context = contextOf(host, new Output(host, false));
  const later = new Date(Date.now() + LATER_MS);
  const { findings } = await context.withWorkflows((service) => diagnose(service, later, true));
  return findings.filter(({ outcome }) => outcome === 'STARTED').map(({ kind, id }) => `${kind} ${id}`);
}
