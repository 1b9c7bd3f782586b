import { ApiError } from './errors.ts';
import type { ApiRequest } from './request.ts';

/** Carries out a request and settles the audit line that it has expected. A refused request leaves no line. */
export async function settlingAuditLine<Result>(
  request: ApiRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const kind = error instanceof ApiError && error.status < 500 ? 'REFUSED' : 'UNKNOWN';
    // An expected line that cannot be settled now is written later, with an unknown outcome.
    await request.expectedLine
      ?.settle({ kind })
      .catch((err: unknown) => request.log.warn({ err }, 'expected audit line not settled'));
    throw error;
  }
  const { recorded } = request;
  await request.expectedLine?.settle(
    recorded === null ? { kind: 'UNCHANGED' } : { kind: 'DONE', details: recorded.details },
  );
  return result;
}
