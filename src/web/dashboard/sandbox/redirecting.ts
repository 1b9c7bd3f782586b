import { ApiError } from '../../../api/frame/errors.ts';
import { refusalText } from '../frame/refusals.ts';
import { type Reply, refused, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** Runs an action and redirects to a page that shows its result or why it was refused. */
export async function redirectingTo(
  visit: Visit,
  path: string,
  done: string,
  work: () => Promise<unknown>,
): Promise<Reply> {
  const to = visit.link(path);
  try {
    await work();
    return seeOther(to, done);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return refused(to, refusalText(error, visit.say));
    throw error;
  }
}
