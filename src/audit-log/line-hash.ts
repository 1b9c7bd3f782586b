import { createHash } from 'node:crypto';

/** A line of the audit log as the chain covers it: every value as Postgres' text. */
export interface ChainedLine {
  readonly id: string;
  readonly storeId: string | null;
  readonly devMode: string | null;
  readonly actorKind: string;
  readonly userId: string | null;
  readonly role: string | null;
  readonly keyId: string | null;
  readonly operator: string | null;
  readonly action: string;
  readonly subjectId: string | null;
  readonly details: string | null;
  readonly address: string | null;
  readonly submission: string | null;
  readonly createdAtMicros: string;
  readonly position: string;
  readonly previousHash: string;
  readonly hash: string;
  /** Null once address and operator are erased. */
  readonly salt: string | null;
  readonly personalDigest: string;
}

/**
 * The hash of a line, as contract section 12 defines it. Computed here, not in the database: a role that can change
 * lines may also change functions.
 */
export function hashOfLine(line: ChainedLine): string {
  return digestOf([
    'audit line 1',
    line.previousHash,
    line.position,
    line.storeId,
    line.id,
    line.createdAtMicros,
    line.actorKind,
    line.userId,
    line.role,
    line.keyId,
    line.devMode,
    line.action,
    line.subjectId,
    line.submission,
    line.details,
    line.personalDigest,
  ]);
}

/** Whether address and operator are unchanged, or both are erased. */
export function isPersonIntact({ salt, address, operator, personalDigest }: ChainedLine): boolean {
  if (salt === null) return address === null && operator === null;
  return digestOf([salt, address, operator]) === personalDigest;
}

/** Each value is preceded by its length in bytes, so that different lists never have the same text. */
function digestOf(parts: readonly (string | null)[]): string {
  const text = parts.map((part) => (part === null ? '-' : `${Buffer.byteLength(part)}:${part}`));
  return createHash('sha256')
    .update(text.map((part) => `${part}\n`).join(''))
    .digest('hex');
}
