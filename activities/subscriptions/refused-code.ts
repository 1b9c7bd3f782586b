import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { noteAttention, resolveAttention } from '../../src/database/attention.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { ActivityDeps } from '../deps.ts';

/** A refusal ends when a person has changed something, for which nobody needs to be asked every few seconds. */
const ASK_AGAIN_MS = 5 * 60_000;

type Refused = Pick<Subscription, 'id' | 'storeId' | 'devMode'>;

/** Whether the provider takes no such charge, however often it is asked. */
export function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && (error.kind === 'INVALID' || error.kind === 'UNSUPPORTED');
}

/**
 * The provider refuses the code of a cycle. A person is asked, and the attempt is made again until it works: the payer
 * cannot help it, so it is no failed attempt, and the subscription stays as it is.
 * @throws always.
 */
export async function refusedCode(
  { database, log }: ActivityDeps,
  { id, storeId, devMode }: Refused,
  error: ProviderError,
  now: Date,
): Promise<never> {
  log.warn({ subscriptionId: id, err: error }, 'code of a cycle refused');
  const noted = { kind: 'CYCLE_CODE_REFUSED', subjectId: id, storeId, devMode, since: now, now } as const;
  await noteAttention(database, noted, log);
  throw ApplicationFailure.create({
    message: `ProviderError (${error.kind})`,
    type: 'CODE_REFUSED',
    ...(isRetriedByServer() && { nextRetryDelay: ASK_AGAIN_MS }),
  });
}

/** The provider issues codes for the subscription: what was noted of it is closed. */
export async function noteCodeIssued({ database }: ActivityDeps, { id }: Refused, now: Date): Promise<void> {
  await resolveAttention(database, { kind: 'CYCLE_CODE_REFUSED', subjectId: id, now });
}

/** A local activity is retried within its run's history, which a long pause would fill; and a test runs it as a function. */
function isRetriedByServer(): boolean {
  try {
    return !Context.current().info.isLocal;
  } catch {
    return false;
  }
}
