import { createHash } from 'node:crypto';

/** A line of the audit log as the chain reads it: every value as text, as Postgres writes it. */
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
 * The hash of a line, as contract section 12 describes it. It is computed here and not by the database: whoever can
 * change lines there can change functions, too.
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

/** Whether address and operator are those that the line was written with, or both are erased. */
export function isPersonIntact({ salt, address, operator, personalDigest }: ChainedLine): boolean {
  if (salt === null) return address === null && operator === null;
  return digestOf([salt, address, operator]) === personalDigest;
}

/** Each value is written with its length in bytes, so that no two lists of values have the same text. */
function digestOf(parts: readonly (string | null)[]): string {
  const text = parts.map((part) => (part === null ? '-' : `${Buffer.byteLength(part)}:${part}`));
  return createHash('sha256')
    .update(text.map((part) => `${part}\n`).join(''))
    .digest('hex');
}
