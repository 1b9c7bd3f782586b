import type { Logger } from 'pino';
import { noteAttention, resolveAttention } from '../database/attention.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { type AuditReport, type ChainHead, SERVICE_CHAIN, verifyAudit } from './verify-audit.ts';

interface Options {
  /** Warns of each chain that is found broken for the first time. */
  readonly log?: Logger;
  readonly isFull?: boolean;
  /** Heads that were stored elsewhere. */
  readonly kept?: readonly ChainHead[];
}

/** Verifies the audit log, and notes broken chains for a person. */
export async function noteBrokenAudit(
  em: Em,
  now: Date,
  { log, isFull = false, kept = [] }: Options = {},
): Promise<AuditReport> {
  const report = await verifyAudit(em, now, isFull, kept);
  const kind = 'AUDIT_LOG_BROKEN';
  const broken = new Set(report.faults.map(({ chain }) => chain));
  for (const chain of broken) {
    const storeId = chain === SERVICE_CHAIN ? null : (chain as StoreId);
    await noteAttention(em, { kind, subjectId: chain, storeId, devMode: null, since: now, now }, log);
  }
  // Verifying only the new lines cannot clear a break among the old ones.
  for (const chain of await notedChains(em, kind))
    if (isFull && !broken.has(chain)) await resolveAttention(em, { kind, subjectId: chain, now });
  return report;
}

async function notedChains(em: Em, kind: string): Promise<string[]> {
  const open = await em.execute<{ chain: string }[]>(
    'select subject_id as chain from attention where kind = :kind and resolved_at is null',
    { kind },
  );
  return open.map(({ chain }) => chain);
}
