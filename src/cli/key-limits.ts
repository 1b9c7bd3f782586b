import { instantOf } from '../api/frame/time-range.ts';
import { MAX_NETWORKS, networksIn, type WrongEntry } from '../api/keys/given-limits.ts';
import type { KeyLimits } from '../api/keys/usable-key.ts';
import { UsageError } from './usage-error.ts';

/** The value that removes a limit. */
const NEVER = 'never';
const ANYWHERE = 'anywhere';

export interface LimitOptions {
  readonly expires?: string;
  readonly allow?: string;
}

/**
 * The limits that were given; the others are omitted.
 * @throws UsageError that names the option, the invalid value and the valid format.
 */
export function limitsIn({ expires, allow }: LimitOptions, now: Date): Partial<KeyLimits> {
  return {
    ...(expires !== undefined && { expiresAt: expires === NEVER ? null : instantIn(expires, now) }),
    ...(allow !== undefined && { allowedNetworks: allow === ANYWHERE ? null : listIn(allow) }),
  };
}

function instantIn(text: string, now: Date): Date {
  const instant = instantOf(text, 'after');
  if (instant === null)
    throw new UsageError(
      '--expires: must be an instant with its offset, such as 2027-11-01T12:00:00Z, a day in São Paulo, such as 2027-11-01, ' +
        `through the end of which the key works, or "${NEVER}"`,
    );
  if (instant <= now)
    throw new UsageError('--expires: must be in the future; "keys revoke" ends a key at once');
  return instant;
}

function listIn(text: string): readonly string[] {
  const { networks, wrong, tooMany } = networksIn(text);
  if (wrong.length > 0) throw new UsageError(`--allow: ${wrong.map(wordsOf).join('; ')}`);
  if (tooMany) throw new UsageError(`--allow: must be at most ${MAX_NETWORKS} addresses and networks`);
  if (networks.length === 0)
    throw new UsageError(`--allow: must be addresses or networks separated by commas, or "${ANYWHERE}"`);
  return networks;
}

function wordsOf({ entry, wrong }: WrongEntry): string {
  if (wrong.problem === 'NOT_ITS_BEGINNING')
    return `${entry} is an address within a network; write ${wrong.network} for the whole network`;
  if (wrong.problem === 'EVERYWHERE') return `${entry} is every address; write "${ANYWHERE}" for no limit`;
  return `${entry} is neither an address nor a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32`;
}
