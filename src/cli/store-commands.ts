import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { storeJson, storeTable } from './present.ts';
import { createStore, listStores, type NewStore } from './stores.ts';

interface Json {
  readonly json?: true;
}

/** `stores create` and `stores list`. */
export function addStoreCommands(root: Command, { print, withDatabase }: CliContext): void {
  const stores = root.command('stores').description('Stores, which own everything else');
  stores
    .command('create')
    .description('Creates a store')
    .requiredOption('--name <name>', 'printed on BR Codes and boletos')
    .requiredOption('--city <city>', 'printed on BR Codes')
    .option('--tax-id <number>', 'CPF or CNPJ, printed on boletos')
    .option('--website <url>')
    .option('--json', 'prints JSON')
    .action(async ({ json, ...given }: NewStore & Json) => {
      const store = await withDatabase((em) => createStore(em, given, new Date()));
      print(json ? JSON.stringify(storeJson(store)) : `Created ${store.id}`);
    });
  stores
    .command('list')
    .description('Lists the stores, oldest first')
    .option('--json', 'prints JSON')
    .action(async ({ json }: Json) => {
      const found = await withDatabase(listStores);
      print(json ? JSON.stringify(found.map(storeJson)) : storeTable(found));
    });
}
