import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';

/**
 * The generation of this release's workflows. Runs of an earlier one cannot be continued by this code, and are
 * replaced from rows (docs/decisions/0018).
 */
const WORKFLOW_GENERATION = 2;

interface Claimant {
  /** Names the process. */
  readonly by: string;
  /** Others may take over after this time. */
  readonly forMs: number;
}

const CLAIM = statement<Claimant & { generation: number }, { generation: number }>(
  'claim the replacement of runs',
  () => `
  update workflow_generations
  set claimed_by = :by, claimed_until = now() + cast(:forMs as bigint) * interval '1 millisecond'
  where generation = :generation and done_at is null
    and (claimed_by is null or claimed_by = :by or claimed_until < now())
  returning generation`,
);

const BEGIN = statement<{ generation: number; by: string; now: Date }, { beganAt: Date }>(
  'begin the replacement of runs',
  () => `
  update workflow_generations set began_at = coalesce(began_at, :now)
  where generation = :generation and claimed_by = :by
  returning began_at as "beganAt"`,
);

const END = statement<{ generation: number; by: string }>(
  'end the replacement of runs',
  () => `
  update workflow_generations set done_at = now(), claimed_until = null
  where generation = :generation and done_at is null and claimed_by = :by`,
);

const IS_DONE = statement<{ generation: number }, { isDone: boolean }>(
  'are runs replaced',
  () => `select done_at is not null as "isDone" from workflow_generations where generation = :generation`,
);

/** Whether every run belongs to this generation. @throws if `migrate` of this release has not run. */
export async function areRunsReplaced(database: Database): Promise<boolean> {
  const [row] = await IS_DONE(database, { generation: WORKFLOW_GENERATION });
  if (row === undefined)
    throw new Error(`the database has no generation ${WORKFLOW_GENERATION}: run migrate`);
  return row.isDone;
}

/**
 * Takes or keeps the replacement of runs for one process.
 * @returns false if another process has it, or it is done.
 */
export async function claimReplacement(database: Database, claimant: Claimant): Promise<boolean> {
  return (await CLAIM(database, { ...claimant, generation: WORKFLOW_GENERATION })).length === 1;
}

/** @returns the instant before which a run belongs to an earlier generation: the first call decides it. */
export async function beginReplacement(database: Database, by: string, now: Date): Promise<Date> {
  const [row] = await BEGIN(database, { generation: WORKFLOW_GENERATION, by, now });
  if (row === undefined) throw new Error('another process replaces the runs');
  return row.beganAt;
}

/** Records that no run of an earlier generation is left. */
export async function endReplacement(database: Database, by: string): Promise<void> {
  await END(database, { generation: WORKFLOW_GENERATION, by });
}
