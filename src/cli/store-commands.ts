import type { Command } from 'commander';
import type { StoreId } from '../domain/ids.ts';
import type { GivenStoreProfile } from '../domain/store-profile.ts';
import type { CliContext } from './context.ts';
import type { CliAction } from './operator.ts';
import { addPayoutControlsCommand } from './payout-controls-command.ts';
import { storeJson, storeTable } from './present.ts';
import { createStore, listStores, type NewStore, updateStore } from './stores.ts';

interface Json {
  readonly json?: true;
}

/** `stores create`, `stores update`, `stores list` and `stores payout-controls`. */
export function addStoreCommands(root: Command, context: CliContext): void {
  const { print, withDatabase, audited } = context;
  const stores = root.command('stores').description('Stores, which own everything else');
  const create = stores
    .command('create')
    .description('Creates a store')
    .requiredOption('--name <name>', 'printed on BR Codes and boletos')
    .requiredOption('--city <city>', 'printed on BR Codes');
  addProfileOptions(create).action(async ({ json, ...given }: NewStore & Json) => {
    const store = await audited(
      (em, now) => createStore(em, given, now),
      ({ id }) => [storeAction('stores/create', id, given)],
    );
    print(json ? JSON.stringify(storeJson(store)) : `Created ${store.id}`);
  });
  const update = stores
    .command('update')
    .description("Changes what a store's payers see of it; an empty text takes it away")
    .argument('<id>', 'the store')
    .option('--name <name>', 'printed on BR Codes and boletos')
    .option('--city <city>', 'printed on BR Codes');
  addProfileOptions(update).action(async (id: string, { json, ...given }: GivenStoreProfile & Json) => {
    const store = await audited(
      (em) => updateStore(em, id, given),
      (updated) => [storeAction('stores/update', updated.id, given)],
    );
    print(json ? JSON.stringify(storeJson(store)) : `Updated ${store.id}`);
  });
  stores
    .command('list')
    .description('Lists the stores, oldest first')
    .option('--json', 'prints JSON')
    .action(async ({ json }: Json) => {
      const found = await withDatabase(listStores);
      print(json ? JSON.stringify(found.map(storeJson)) : storeTable(found));
    });
  addPayoutControlsCommand(stores, context);
}

function storeAction(action: string, storeId: StoreId, given: GivenStoreProfile): CliAction {
  return {
    action,
    storeId,
    subjectId: storeId,
    devMode: null,
    details: { fields: Object.keys(given) },
  };
}

function addProfileOptions(command: Command): Command {
  return command
    .option('--tax-id <number>', 'CPF or CNPJ, printed on boletos, which need it in production')
    .option('--website <url>')
    .option('--logo-url <url>', 'https URL of the image shown to payers')
    .option('--accent-color <color>', 'of buttons and links, such as #0b5d46')
    .option('--support-email <address>', 'email address for payers')
    .option('--support-phone <number>')
    .option('--support-url <url>')
    .option('--legal-footer <text>', 'at the foot of the pages where payers pay')
    .option('--json', 'prints JSON');
}
