import { userInfo } from 'node:os';
import { type AuditDetails, recordActions } from '../audit-log/record-action.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { UsageError } from './usage-error.ts';

/** What a command did, for the audit log. */
export interface CliAction {
  /** Null for an action on the whole service. */
  readonly storeId: StoreId | null;
  readonly action: string;
  readonly subjectId: string | null;
  readonly devMode: boolean | null;
  /** Nothing secret or personal. */
  readonly details?: AuditDetails;
}

const ROOT = 0;
/** Without what breaks lines or reorders text: it is shown beside the names of others. */
const NAME = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,100}$/u;

/**
 * The person who runs the command: `RECEBE_OPERATOR`, needed in containers where everyone shares an account; otherwise the
 * account of the operating system, or the calling account behind `sudo`.
 * @throws UsageError if `RECEBE_OPERATOR` is not a valid name.
 */
export function operatorOf(env: Readonly<Record<string, string | undefined>>): string {
  const { RECEBE_OPERATOR: given, SUDO_USER: caller } = env;
  if (given) {
    if (NAME.test(given)) return given;
    throw new UsageError(
      'RECEBE_OPERATOR: must be 1 to 100 characters, without control characters, line separators or invisible ones',
    );
  }
  if (caller && process.getuid?.() === ROOT) return caller;
  try {
    return userInfo().username;
  } catch {
    // In a container the account may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Records in the audit log what a command did, in the transaction that does it. */
export async function recordCliActions(
  em: Em,
  operator: string,
  actions: readonly CliAction[],
  now: Date,
): Promise<void> {
  const lines = actions.map(({ storeId, ...done }) => ({
    actor: { kind: 'CLI', operator, storeId } as const,
    done: { ...done, now },
  }));
  await recordActions(em, lines);
}
