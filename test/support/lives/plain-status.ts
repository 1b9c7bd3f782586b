import type { MarkedStatus } from '../../../activities/charges/activities.ts';
import type { ChargeStatus } from '../../../src/domain/charge.ts';

/** What a transition answered, without the mark that its run takes from it. */
export async function plainStatus(answer: Promise<ChargeStatus | MarkedStatus>): Promise<ChargeStatus> {
  const given = await answer;
  return typeof given === 'string' ? given : given.status;
}
