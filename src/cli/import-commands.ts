import { closeSync, openSync, writeSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { StoreEntity } from '../database/entities/store.ts';
import type { StoreId } from '../domain/ids.ts';
import { IMPORT_KINDS } from '../domain/imports.ts';
import { ABACATEPAY_KEY, abacatepaySource } from '../imports/abacatepay/abacatepay-source.ts';
import { ASAAS_KEY, asaasSource } from '../imports/asaas/asaas-source.ts';
import { cardsOf, methodProblemsOf, readCardMap } from '../imports/cards.ts';
import { csvSource } from '../imports/csv/csv-source.ts';
import { References } from '../imports/references.ts';
import { ImportReport, REPORT_HEADER, type ReportedRow } from '../imports/report.ts';
import { runImport } from '../imports/run-import.ts';
import { type Source, SourceError } from '../imports/source.ts';
import { STRIPE_KEY, stripeSource } from '../imports/stripe/stripe-source.ts';
import type { CliContext } from './context.ts';
import type { CliHost } from './host.ts';
import { recordCliActions } from './operator.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';

/** Rows that need a person and are printed; the report has all. */
const MOST_PRINTED = 50;
/** Between two lines of progress. */
const ROWS_PER_NOTE = 500;
const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;

interface ImportOptions {
  readonly store: string;
  readonly environment: 'dev' | 'prod';
  readonly cards?: string;
  readonly report?: string;
  readonly dryRun?: true;
}

/** `import csv`. */
export function addImportCommands(root: Command, context: CliContext, host: CliHost): void {
  const imports = root
    .command('import')
    .description(
      'Moves customers, products, coupons, subscriptions and past payments here from another system',
    )
    .addHelpText('after', HELP);
  importCommand(
    imports,
    'csv',
    'From CSV files: customers.csv, products.csv, coupons.csv, subscriptions.csv, payments.csv',
  )
    .argument('<folder>', 'the folder of the files; each may be missing')
    .option('--name <name>', 'what tells these rows from those of another system', 'csv')
    .action(async (folder: string, options: ImportOptions & { readonly name: string }) => {
      if (!SOURCE_NAME.test(options.name))
        throw new UsageError('--name: must be 1 to 30 lower-case letters, digits and -, such as csv');
      await importFrom(context, host, options, async () => csvSource(folder, options.name));
    });
  for (const system of SYSTEMS) addSystem(imports, context, host, system);
}

/** A system that is read by its API. */
interface System {
  readonly name: string;
  readonly description: string;
  /** The environment variable of its key, which is never an argument: other users of the machine see those. */
  readonly keyName: string;
  readonly source: (given: { readonly key: string; readonly apiUrl: string | undefined }) => Source;
  /** Whether it may be the store's own provider, so that its cards can be charged as they are. */
  readonly isProvider: boolean;
}

const SYSTEMS: readonly System[] = [
  {
    name: 'stripe',
    description: 'From an account at Stripe, by its API',
    keyName: STRIPE_KEY,
    source: stripeSource,
    isProvider: true,
  },
  {
    name: 'abacatepay',
    description: 'From a store at AbacatePay, or at another Recebe, by version 2 of the API',
    keyName: ABACATEPAY_KEY,
    source: abacatepaySource,
    isProvider: false,
  },
  {
    name: 'asaas',
    description: 'From an account at Asaas, by its API',
    keyName: ASAAS_KEY,
    source: asaasSource,
    isProvider: false,
  },
];

function addSystem(imports: Command, context: CliContext, host: CliHost, system: System): void {
  importCommand(imports, system.name, `${system.description}; its key is read from ${system.keyName}`)
    .option('--api-url <url>', 'another address of its API')
    .action(async (options: ImportOptions & { readonly apiUrl?: string }) => {
      const { keyName, source, isProvider } = system;
      const open = async () => {
        const key = host.env[keyName] || (await host.askSecret?.(`${keyName} (not shown)`));
        if (!key) throw new UsageError(`${keyName}: set it to a key of the other system that can read`);
        if (!/^[\x21-\x7e]{1,500}$/.test(key))
          throw new UsageError(`${keyName}: must be a key without blanks`);
        return source({ key, apiUrl: options.apiUrl });
      };
      await importFrom(context, host, options, open, isProvider);
    });
}

const HELP = `
An import can be stopped at any point and run again: rows that were imported stay as they are.
Start with --dry-run, which writes nothing. See docs/guides/importing.md.`;

function importCommand(imports: Command, name: string, description: string): Command {
  return imports
    .command(name)
    .description(description)
    .requiredOption('--store <id>', 'the store that they become part of')
    .addOption(
      new Option('--environment <environment>', 'dev to try it out, prod for real subscriptions')
        .choices(['dev', 'prod'])
        .makeOptionMandatory(),
    )
    .option(
      '--cards <file>',
      "a CSV file of the other system's card ids and your provider's tokens (card,token)",
    )
    .option('--report <file>', 'writes a line per row, with its id here, or what is wrong with it')
    .option('--dry-run', 'writes nothing, and reports what would be imported');
}

async function importFrom(
  context: CliContext,
  host: CliHost,
  options: ImportOptions,
  open: () => Promise<Source>,
  isOwnProvider = false,
): Promise<void> {
  const { output } = context;
  const owner = { storeId: options.store as StoreId, devMode: options.environment === 'dev' };
  const isDry = options.dryRun === true;
  const report = new ImportReport(MOST_PRINTED);
  const stopped = await asUsage(async () => {
    const source = await open();
    const map = options.cards === undefined ? new Map() : await readCardMap(options.cards);
    return context.withProviders(async ({ database, providers }) => {
      if ((await database.em.fork().findOne(StoreEntity, { id: owner.storeId })) === null)
        throw new UsageError(`--store: there is no store ${options.store}; see "stores list"`);
      const into = { ...owner, source: source.name };
      const job = {
        ...into,
        publicUrl: context.publicUrl(),
        references: new References(database, into),
        findCard: cardsOf({ providers, owner, map, isOwnProvider }),
        methodProblem: methodProblemsOf(providers, owner),
      };
      const file = options.report === undefined ? null : openSync(options.report, 'w', 0o600);
      const note = async (action: string, details: Record<string, string | number>) => {
        if (isDry) return;
        const done = {
          ...owner,
          action,
          subjectId: owner.storeId,
          details: { source: source.name, ...details },
        };
        const em = database.em.fork();
        await em.transactional((tx) => recordCliActions(tx, context.operator(), [done], new Date()));
      };
      let rows = 0;
      try {
        if (file !== null) writeSync(file, REPORT_HEADER);
        await note('import/start', {});
        await runImport({
          ...{ database, job, source, isDry, signal: host.signal },
          onRow: (row, result) => {
            const lines = report.add(row, result);
            if (file !== null) writeSync(file, lines);
            rows += 1;
            if (rows % ROWS_PER_NOTE === 0) output.note(`${rows} rows`);
          },
        });
        await note('import/end', totals(report));
        return null;
      } catch (error) {
        if (error instanceof SourceError || host.signal?.aborted) return error;
        throw error;
      } finally {
        if (file !== null) closeSync(file);
      }
    });
  });
  output.answer(
    { dryRun: isDry, counts: report.counts, refused: report.refused, notes: report.notes },
    textOf(report, isDry, options.report),
  );
  if (stopped !== null) {
    const why = stopped instanceof SourceError ? stopped.message : 'it was stopped';
    throw new Error(`${why}; run the same command again afterwards, and it continues where it ended`);
  }
}

function totals({ counts }: ImportReport): Record<string, number> {
  return Object.fromEntries(IMPORT_KINDS.map((kind) => [`${kind}s`, counts[kind].made + counts[kind].found]));
}

/** Nothing has begun yet, so a wrong file is a wrong use of the command. */
async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw new UsageError(error.message);
    throw error;
  }
}

function textOf({ counts, refused, notes }: ImportReport, isDry: boolean, file: string | undefined): string {
  const rows = IMPORT_KINDS.map((kind) => {
    const { made, found, unchanged, skipped, refused: wrong } = counts[kind];
    return [`${kind}s`, ...[made, found, unchanged, skipped, wrong].map(String)];
  });
  const all = IMPORT_KINDS.reduce((sum, kind) => sum + counts[kind].refused, 0);
  return [
    isDry ? 'Nothing was written. This would be imported:' : 'Imported:',
    table(['', 'NEW', 'FOUND', 'IMPORTED BEFORE', 'LEFT OUT', 'REFUSED'], rows, ''),
    ...listed(`${all} rows are refused. Correct them and run the same command again:`, refused),
    ...listed('What to do next:', notes),
    ...(file === undefined ? [] : [`Every row is in ${file}.`]),
  ].join('\n\n');
}

function listed(heading: string, rows: readonly ReportedRow[]): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ place, id, field, problem }) => [place, id, field ?? '', problem]);
  return [`${heading}\n${table(['WHERE', 'ID', 'FIELD', 'WHAT'], cells, '')}`];
}
