import type { Command } from 'commander';
import { reencryptSecrets } from '../database/reencrypt-secrets.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './usage-error.ts';

/** `secrets rotate`. */
export function addSecretsCommands(
  root: Command,
  { output, withDatabase, audited, secretsKeys }: CliContext,
): void {
  root
    .command('secrets')
    .description('Secrets of webhooks, second factors and provider accounts, as they are kept')
    .command('rotate')
    .description('Encrypts them all with the first key of SECRETS_KEY; safe to run at any time, and again')
    .action(async () => {
      const keys = secretsKeys();
      if (keys.currentId === null) throw new UsageError('SECRETS_KEY: is not set');
      // Before it begins: it is no single transaction, and may be ended in the middle.
      const rotation = { storeId: null, subjectId: null, devMode: null, details: { keyId: keys.currentId } };
      await audited(
        async () => undefined,
        () => [{ action: 'secrets/rotate', ...rotation }],
      );
      const { count, unreadable } = await withDatabase((em) => reencryptSecrets(em, keys));
      output.answer(
        { encrypted: count, keyId: keys.currentId, unreadable },
        `${count} ${count === 1 ? 'secret is' : 'secrets are'} encrypted anew, with the key ${keys.currentId}.`,
      );
      if (unreadable.length > 0)
        throw new Error(
          `${unreadable.length} can be read with no key of SECRETS_KEY, and stay as they are: ${unreadable.slice(0, 10).join(', ')}`,
        );
      output.note('All are encrypted with it: SECRETS_KEY needs no other one any more.');
    });
}
