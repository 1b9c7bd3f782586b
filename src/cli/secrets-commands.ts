import type { Command } from 'commander';
import { reencryptSecrets } from '../database/encryption/reencrypt-secrets.ts';
import { type SealedNumbers, sealNumbers } from '../database/encryption/seal-numbers.ts';
import { personalNumbersOf } from '../database/encryption/sealed-text.ts';
import { keyRecoveryCodes } from '../identity/recovery-codes.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './usage-error.ts';

/** `secrets rotate`. */
export function addSecretsCommands(
  root: Command,
  { output, withDatabase, audited, secretsKeys }: CliContext,
): void {
  root
    .command('secrets')
    .description('Encryption of stored secrets and personal numbers')
    .command('rotate')
    .description(
      'Re-encrypts all secrets with the first key of SECRETS_KEY, and encrypts tax ids and PIX keys stored as text; safe to run again',
    )
    .action(async () => {
      const keys = secretsKeys();
      if (keys.currentId === null) throw new UsageError('SECRETS_KEY: is not set');
      // Recorded before it starts: it is not one transaction and may be interrupted.
      const rotation = { storeId: null, subjectId: null, devMode: null, details: { keyId: keys.currentId } };
      await audited(
        async () => undefined,
        () => [{ action: 'secrets/rotate', ...rotation }],
      );
      const { count, unreadable } = await withDatabase((em) => reencryptSecrets(em, keys));
      await withDatabase(keyRecoveryCodes);
      const numbers = await withDatabase(async (em) => ({
        ...(await sealNumbers(em)),
        areText: !personalNumbersOf(em).encrypts,
      }));
      output.answer(
        {
          encrypted: count,
          keyId: keys.currentId,
          unreadable,
          numbers: numbers.count,
          duplicates: numbers.duplicates,
        },
        `${count} ${count === 1 ? 'secret is' : 'secrets are'} re-encrypted with the key ${keys.currentId}.`,
      );
      if (unreadable.length > 0)
        throw new Error(
          `${unreadable.length} cannot be read with any key of SECRETS_KEY, and stay unchanged: ${unreadable.slice(0, 10).join(', ')}`,
        );
      output.note('All secrets use the first key: the other keys can be removed from SECRETS_KEY.');
      for (const note of notesOn(numbers)) output.note(note);
    });
}

function notesOn({ count, duplicates, areText }: SealedNumbers & { readonly areText: boolean }): string[] {
  if (areText) return ['Tax ids and PIX keys stay text, as PERSONAL_NUMBERS says.'];
  const notes = count === 0 ? [] : [`Rows with a tax id or PIX key that are encrypted now: ${count}.`];
  if (duplicates.length === 0) return notes;
  return [
    ...notes,
    `Customers with the tax id of another one, found by their ids only: ${duplicates.join(', ')}`,
  ];
}
