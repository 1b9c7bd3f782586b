import type { Command } from 'commander';
import { MAX_OVERLAP_MS, type Rotation, rotationDetails } from '../api/keys/rotate-key.ts';
import type { CliContext } from './context.ts';
import { type LimitOptions, limitsIn } from './key-limits.ts';
import { rotateServingKey } from './keys.ts';
import { keepNote, keyJson } from './present.ts';
import { UsageError } from './usage-error.ts';

interface Options extends Pick<LimitOptions, 'expires'> {
  readonly overlap: string;
  readonly yes?: boolean;
  readonly json?: true;
}

const HOUR_MS = 3_600_000;

/** `keys rotate`. */
export function addRotateKey(keys: Command, { print, output, audited }: CliContext): void {
  keys
    .command('rotate')
    .description('Replaces a key by a new one with the same permissions and prints it once')
    .argument('<id>', "the old key's id, not its text")
    .option(
      '--overlap <hours>',
      'for how many hours the old key still works, at most 168; 0 revokes it at once',
      '24',
    )
    .option(
      '--expires <when>',
      'when the new key stops working; default: after as long as the old one was given',
    )
    .option('--yes', 'skips the confirmation')
    .option('--json', 'prints JSON')
    .action(async (id: string, { overlap, expires, yes = false, json }: Options) => {
      const rotation = rotationOf({ overlap, ...(expires !== undefined && { expires }) }, new Date());
      await output.confirm(`${id} stops working ${overlap === '0' ? 'now' : `in ${overlap} hours`}.`, yes);
      const { key, keyText, replaced } = await audited(
        (em, now) => rotateServingKey(em, id, rotation, now),
        (rotated) => [
          {
            action: 'keys/rotate',
            storeId: rotated.key.storeId,
            subjectId: rotated.replaced.id,
            devMode: rotated.key.devMode,
            details: rotationDetails(rotated),
          },
        ],
      );
      if (json) return print(JSON.stringify({ ...keyJson(key), key: keyText, replaced: keyJson(replaced) }));
      print(`Created ${key.id}, which replaces ${id}\n\n  ${keyText}\n\n${keepNote(key)}`);
    });
}

function rotationOf({ overlap, expires }: Pick<Options, 'overlap' | 'expires'>, now: Date): Rotation {
  const overlapMs = /^\d{1,3}$/.test(overlap) ? Number(overlap) * HOUR_MS : Number.NaN;
  if (!(overlapMs <= MAX_OVERLAP_MS)) throw new UsageError('--overlap: must be whole hours from 0 to 168');
  const { expiresAt } = limitsIn(expires === undefined ? {} : { expires }, now);
  return { overlapMs, ...(expiresAt !== undefined && { expiresAt }) };
}
