import type { Em } from '../database/orm.ts';
import { type ChainedLine, hashOfLine, isPersonIntact } from './line-hash.ts';

/** The end of a chain, which can be stored elsewhere and compared later. */
export interface ChainHead {
  /** The id of a store, or `service` for actions on the whole service. */
  readonly chain: string;
  readonly lines: number;
  /** The hash of the last line; empty if there is none. */
  readonly hash: string;
}

/** Where a chain is broken. */
export interface ChainFault {
  readonly chain: string;
  readonly position: number;
  /** The line at that place; null if there is none. */
  readonly lineId: string | null;
  readonly problem: ChainProblem;
}

export const CHAIN_PROBLEMS = {
  MISSING: 'a line is missing',
  CHANGED: 'the line was changed',
  REORDERED: 'the line does not follow the one before it',
  PERSON_CHANGED: 'address or operator of the line were changed',
  MORE_THAN_HEAD: 'the line is not counted by its chain',
  NO_CHAIN: 'the lines have no chain',
  HEAD_CHANGED: 'the chain does not end with its last line',
  NOT_AS_KEPT: 'the line is not the one that was verified or kept before',
} as const;

export type ChainProblem = keyof typeof CHAIN_PROBLEMS;

export interface AuditReport {
  /** The number of lines read. */
  readonly lines: number;
  readonly heads: readonly ChainHead[];
  /** The first fault of each chain. Later ones cannot be distinguished from it. */
  readonly faults: readonly ChainFault[];
}

/** The chain of actions on the whole service. */
export const SERVICE_CHAIN = 'service';

const LINES_AT_ONCE = 1_000;

/**
 * Verifies the chains of the audit log from their last verified line, and stores the new one.
 *
 * @param isFull reads all lines, from the first.
 * @param kept heads that were stored elsewhere: each must still be in its chain, and its lines are read again.
 */
export async function verifyAudit(
  em: Em,
  now: Date,
  isFull: boolean,
  kept: readonly ChainHead[] = [],
): Promise<AuditReport> {
  const faults = await uncountedLines(em);
  const heads: ChainHead[] = [];
  let lines = 0;
  for (const chain of await chainsToVerify(em, kept)) {
    const verified = await verifyChain(em, chain, isFull, kept);
    lines += verified.lines;
    if (verified.head !== null) heads.push(verified.head);
    if (verified.fault !== null) faults.push(verified.fault);
    else if (verified.head !== null) await noteVerified(em, verified.head, now);
  }
  return { lines, heads, faults };
}

/** The current ends of all chains. */
export function auditHeads(em: Em): Promise<ChainHead[]> {
  return em.execute<ChainHead[]>('select chain, lines::int as lines, hash from audit_chains order by chain');
}

async function chainsToVerify(em: Em, kept: readonly ChainHead[]): Promise<Set<string>> {
  const verified = await em.execute<{ chain: string }[]>(
    'select chain from audit_checkpoints order by chain',
  );
  return new Set([...(await auditHeads(em)), ...verified, ...kept].map(({ chain }) => chain));
}

/**
 * Lines that no head counts, which a walk along the chain cannot find. Costs one query per chain, however long it
 * is.
 */
function uncountedLines(em: Em): Promise<ChainFault[]> {
  return em.execute<ChainFault[]>(
    `select last.chain, last.position, last.id as "lineId",
       case when head.chain is null then 'NO_CHAIN' else 'MORE_THAN_HEAD' end as problem
     from (select id as chain from stores union all select audit_chain_of(null)) each
       cross join lateral (
         select each.chain, position::int as position, id from audit_lines
         where audit_chain_of(store_id) = each.chain order by position desc limit 1
       ) last
       left join audit_chains head on head.chain = last.chain
     where head.chain is null or head.lines < last.position
     order by last.chain`,
  );
}

interface Verified {
  readonly lines: number;
  readonly head: ChainHead | null;
  readonly fault: ChainFault | null;
}

const START = { lines: 0, hash: '' } as const;

async function verifyChain(
  em: Em,
  chain: string,
  isFull: boolean,
  kept: readonly ChainHead[],
): Promise<Verified> {
  // Read before its lines: lines written meanwhile are left for the next run.
  const head = await headOf(em, 'audit_chains', chain);
  const checkpoint = await headOf(em, 'audit_checkpoints', chain);
  const points = [
    ...(checkpoint === null ? [] : [checkpoint]),
    ...kept.filter((each) => each.chain === chain),
  ];
  const end = head ?? { chain, ...START };
  for (const { lines: position, hash } of points) {
    const found = await lineAt(em, chain, position);
    if (position > 0 && found?.hash !== hash) {
      const problem = found === null ? 'MISSING' : 'NOT_AS_KEPT';
      return { lines: 0, head, fault: { chain, position, lineId: found?.id ?? null, problem } };
    }
  }
  const walk = new ChainWalk(em, end, isFull ? START : (checkpoint ?? START));
  const fault = await walk.run();
  return { lines: walk.read, head, fault };
}

/** Reads a chain from a known line to the last one that its head counts. */
class ChainWalk {
  read = 0;
  readonly #em: Em;
  readonly #end: ChainHead;
  #position: number;
  #hash: string;

  constructor(em: Em, end: ChainHead, from: Pick<ChainHead, 'lines' | 'hash'>) {
    this.#em = em;
    this.#end = end;
    this.#position = from.lines;
    this.#hash = from.hash;
  }

  async run(): Promise<ChainFault | null> {
    const { chain, lines, hash } = this.#end;
    while (this.#position < lines) {
      const batch = await linesAfter(this.#em, chain, this.#position, lines);
      if (batch.length === 0) return this.#fault(this.#position + 1, null, 'MISSING');
      for (const line of batch) {
        const fault = this.#step(line);
        if (fault !== null) return fault;
      }
    }
    return this.#hash === hash && this.#position === lines ? null : this.#fault(lines, null, 'HEAD_CHANGED');
  }

  #step(line: ChainedLine): ChainFault | null {
    this.read += 1;
    const position = Number(line.position);
    const expected = this.#position + 1;
    if (position !== expected) return this.#fault(expected, null, 'MISSING');
    if (line.previousHash !== this.#hash) return this.#fault(position, line.id, 'REORDERED');
    if (hashOfLine(line) !== line.hash) return this.#fault(position, line.id, 'CHANGED');
    if (!isPersonIntact(line)) return this.#fault(position, line.id, 'PERSON_CHANGED');
    this.#position = position;
    this.#hash = line.hash;
    return null;
  }

  #fault(position: number, lineId: string | null, problem: ChainProblem): ChainFault {
    return { chain: this.#end.chain, position, lineId, problem };
  }
}

async function headOf(
  em: Em,
  table: 'audit_chains' | 'audit_checkpoints',
  chain: string,
): Promise<ChainHead | null> {
  const [head] = await em.execute<ChainHead[]>(
    `select chain, lines::int as lines, hash from ${table} where chain = :chain`,
    { chain },
  );
  return head ?? null;
}

/** Uses the expression of the unique index on chain and position. */
async function lineAt(
  em: Em,
  chain: string,
  position: number,
): Promise<{ readonly id: string; readonly hash: string } | null> {
  const [line] = await em.execute<{ id: string; hash: string }[]>(
    'select id, hash from audit_lines where audit_chain_of(store_id) = :chain and position = :position',
    { chain, position },
  );
  return line ?? null;
}

function linesAfter(em: Em, chain: string, after: number, upTo: number): Promise<ChainedLine[]> {
  return em.execute<ChainedLine[]>(
    `select id, store_id as "storeId", dev_mode::text as "devMode", actor_kind as "actorKind", user_id as "userId", role,
       key_id as "keyId", operator, action, subject_id as "subjectId", details, address, submission,
       ((extract(epoch from created_at) * 1000000)::bigint)::text as "createdAtMicros", position::text as position,
       previous_hash as "previousHash", hash, salt, personal_digest as "personalDigest"
     from audit_lines
     where audit_chain_of(store_id) = :chain and position > :after and position <= :upTo
     order by audit_lines.position limit ${LINES_AT_ONCE}`,
    { chain, after, upTo },
  );
}

/** A checkpoint never moves back: another run may have been faster. */
async function noteVerified(em: Em, { chain, lines, hash }: ChainHead, now: Date): Promise<void> {
  await em.execute(
    `insert into audit_checkpoints as checkpoint (chain, lines, hash, verified_at)
     values (:chain, :lines, :hash, :now)
     on conflict (chain) do update set lines = excluded.lines, hash = excluded.hash, verified_at = excluded.verified_at
     where checkpoint.lines <= excluded.lines`,
    { chain, lines, hash, now },
    'run',
  );
}
