import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { noteAttention, resolveAttention } from '../../database/attention.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SubscriptionDeps } from '../effects.ts';

/** A refusal ends when a person has changed something, so a pause of seconds would be useless. */
const ASK_AGAIN_MS = 5 * 60_000;

type Refused = Pick<Subscription, 'id' | 'storeId' | 'devMode'>;

/** Whether the provider refuses the charge for good. */
export function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && (error.kind === 'INVALID' || error.kind === 'UNSUPPORTED');
}

/**
 * The provider refuses the code of a cycle. Recebe asks a person and retries the attempt until it works. The payer
 * cannot change it, so it is no failed attempt, and the subscription stays as it is.
 * @throws always.
 */
export async function refusedCode(
  { database, log }: SubscriptionDeps,
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

/** Closes the note about the subscription, because the provider issues its codes again. */
export async function noteCodeIssued(
  { database }: SubscriptionDeps,
  { id }: Refused,
  now: Date,
): Promise<void> {
  await resolveAttention(database, { kind: 'CYCLE_CODE_REFUSED', subjectId: id, now });
}

/**
 * A local activity retries inside its run's history, which a long pause would fill. A test calls it as a plain
 * function.
 */
function isRetriedByServer(): boolean {
  try {
    return !Context.current().info.isLocal;
  } catch {
    return false;
  }
}
