import { type StartDeps, startEach } from './start-each.ts';

/** By then the first attempt at a webhook is made, unless its run was lost or its endpoint is slow. */
const UNATTEMPTED_MS = 60_000;
/** Few, as most of them have a run that is about to make the attempt. Each is checked once a minute at most. */
const BATCH = 30;

/**
 * Restarts webhook runs that were lost before their first attempt. Webhooks are written as already started, so such
 * a loss shows only in the missing attempt; a running workflow stays unchanged. Each row is marked again when it is
 * checked, and the least recently checked ones come first. So rows that wait for their endpoint, or cannot be
 * started, do not delay others.
 */
export async function startUnattempted(deps: StartDeps, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNATTEMPTED_MS);
  const em = deps.database.em.fork();
  for (const range of ['workflow_started_at < :before', 'workflow_started_at > :now']) {
    const rows = await em.execute<{ id: string }[]>(
      `update deliveries set workflow_started_at = :now where id in (
         select id from deliveries
         where status = 'PENDING' and attempts = 0 and ${range}
           and (coalesce(next_attempt_at, created_at) < :before or coalesce(next_attempt_at, created_at) > :now)
         order by workflow_started_at limit :limit for update skip locked
       ) returning id`,
      { before, now, limit: BATCH },
    );
    await startEach(deps, em, 'deliveries', rows, true);
  }
}
