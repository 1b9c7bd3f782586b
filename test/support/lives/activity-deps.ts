import type { ActivityDeps } from '../../../activities/deps.ts';
import { loadConfig } from '../../../src/config.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';

/** What a test has to say of what its activities work with. */
type Given = Pick<ActivityDeps, 'database' | 'providers' | 'dispatcher'> & Partial<ActivityDeps>;

/**
 * What activities work with in a test. Whatever they have started, told or waited for must be given, else
 * they fail.
 */
export function activityDeps(given: Given): ActivityDeps {
  return {
    publicUrl: 'https://recebe.test',
    startDelivery: unexpected('a delivery is started'),
    resendDelivery: unexpected('a delivery is sent again'),
    startAttempt: unexpected('an attempt is started'),
    startSubscription: unexpected('a subscription is started'),
    startSettlement: unexpected('a settlement is started'),
    cancelCharge: unexpected('a charge is cancelled'),
    chargeOutcome: unexpected('a charge is waited for'),
    tellCheckout: unexpected('a checkout is told'),
    tellSubscription: unexpected('a subscription is told'),
    audit: unexpected('an audit is made'),
    takeListed: unexpected('payments are listed'),
    advanceClock: unexpected('a clock is advanced'),
    eventRetentionDays: null,
    platformFee: loadConfig({ DATABASE_URL: 'postgres://unused' }).platformFee,
    userAgent: 'Recebe/test',
    webhookCompatibilityKey: null,
    secretsKeys: new SecretsKeys([]),
    log: SILENT_LOG,
    ...given,
  };
}

function unexpected(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`${what}, which this test does not expect`));
}
