import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestApp } from '../test/support/api/app.ts';
import { createMoneyApp } from '../test/support/api/money-app.ts';
import { startTestServers } from '../test/support/servers/test-servers.ts';
import { sendCollection } from './bruno-collection.ts';
import { recordClients, recordedClients } from './clients-record.ts';
import { runToEnd } from './embedded/process.mjs';
import { atEnd, runAndStop, say } from './embedded/run-and-stop.ts';
import { chargeByOpenApiGenerator } from './openapi-generator-clients.ts';
import type { Run } from './sdks/run.ts';
import { usePackages } from './sdks/use-packages.ts';

const SDKS = fileURLToPath(new URL('../sdks', import.meta.url));
const FOLDER = fileURLToPath(new URL('../conformance/clients', import.meta.url));
const SPECTRAL = ['--ruleset', 'spectral.yaml', '--fail-severity', 'warn'];
/** The simple compiler and garbage collector halve what a generator takes. */
const SHORT_RUNS_OF_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
const PYTHON_PACKAGES = ['openapi-python-client==0.29.1', 'openapi-generator-cli==7.26.0'];

/**
 * `npm run clients`: has two linters read the API's document without a warning, makes clients from it with generators
 * that people use, compiles them, and has each make a charge and find it. Packs our own SDKs and has each installed
 * package charge, be paid and verify the webhook; with `--sdks`, only this. With `--recorded`, the clients of others run only if the
 * document, their programs or their versions have changed since a run that left none out, which the repository has. These tools are packages of their own
 * (conformance/clients): they need another compiler than ours, and nobody who only runs the service needs them.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recebe-clients-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const app = await startApp();
  const document = join(folder, 'openapi.json');
  const documentText = await (await fetch(`${app.api.url}/openapi.json`)).text();
  writeFileSync(document, documentText);
  // The port differs from run to run.
  const recordedText = documentText.replaceAll(app.api.url, '');
  const env = {
    ...process.env,
    RECEBE_URL: app.api.url,
    RECEBE_KEY: app.api.key,
    JAVA_TOOL_OPTIONS: SHORT_RUNS_OF_JAVA,
  };
  const run: Run = (what, command, args, cwd = FOLDER, more = {}) =>
    runToEnd(what, command, args, { log: say, cwd, env: { ...env, ...more } });

  const sdks = usePackages(run, SDKS, join(folder, 'sdks'));
  // They mostly wait for packages, and so do the generators of others.
  const recorded = process.argv.includes('--recorded') ? recordedClients(recordedText) : null;
  const hasNone = process.argv.includes('--sdks') || recorded !== null;
  const others = hasNone ? NO_CLIENTS : clientsOfOthers({ app, folder, document, run });
  const [{ made, leftOut }, ofOthers] = await Promise.all([sdks, others]);
  if (!hasNone && ofOthers.leftOut.length === 0) recordClients(recordedText, ofOthers.made);
  if (recorded !== null) say(`As recorded for the same document: ${recorded.join(', ')}`);
  if (leftOut.length > 0) say(`Left out of our SDKs: ${leftOut.join(', ')}`);
  await requireCharges(app, [...made, ...ofOthers.made]);
  say(`${[...made, ...ofOthers.made].join(', ')}: each has made a charge and found it.`);
}

interface Place {
  readonly app: TestApp;
  /** A folder for what this run alone needs. */
  readonly folder: string;
  /** The API's document. */
  readonly document: string;
  readonly run: Run;
}

interface Clients {
  /** The names under which they made charges. */
  readonly made: readonly string[];
  /** Those whose language is not installed here. */
  readonly leftOut: readonly string[];
}

const NO_CLIENTS: Clients = { made: [], leftOut: [] };

async function clientsOfOthers({ app, folder, document, run }: Place): Promise<Clients> {
  await run('Installing the generators', 'npm', ['ci']);
  const program = (name: string) => join(FOLDER, 'node_modules', '.bin', name);
  await run('Redocly reads the document', program('redocly'), [
    'lint',
    '--extends',
    'recommended-strict',
    document,
  ]);
  await run('Spectral reads the document', program('spectral'), ['lint', ...SPECTRAL, document]);
  const made = ['openapi-typescript', '@hey-api/openapi-ts'];
  const leftOut: string[] = [];
  await run('openapi-typescript', program('openapi-typescript'), [
    document,
    '--output',
    'openapi-typescript/generated.d.ts',
  ]);
  await run('@hey-api/openapi-ts', program('openapi-ts'), [
    '--input',
    document,
    '--output',
    'hey-api/generated',
  ]);
  await run('Compiling what they made', program('tsc'), ['--project', '.']);
  await run('A charge by openapi-typescript', process.execPath, ['compiled/openapi-typescript/charge.js']);
  await run('A charge by @hey-api/openapi-ts', process.execPath, ['compiled/hey-api/charge.js']);

  const python = await pythonOf(join(folder, 'python'), run);
  if (python === null) {
    leftOut.push('openapi-python-client', 'openapi-generator');
    say('Left out: openapi-python-client and openapi-generator, as there is no Python 3.11 here');
  } else {
    const output = ['--path', document, '--meta', 'none', '--overwrite', '--output-path', 'python/generated'];
    await run('openapi-python-client', join(python, 'openapi-python-client'), ['generate', ...output]);
    await run(
      'A charge by openapi-python-client',
      join(python, 'python'),
      ['charge.py'],
      join(FOLDER, 'python'),
    );
    made.push('openapi-python-client');
    const others = await chargeByOpenApiGenerator({ document, clients: FOLDER, python, run });
    made.push(...others.made);
    leftOut.push(...others.leftOut);
    if (others.leftOut.length > 0) say(`Left out of openapi-generator: ${others.leftOut.join(', ')}`);
  }
  const collection = join(folder, 'bruno');
  mkdirSync(collection);
  await sendCollection({
    documentFile: document,
    folder: collection,
    url: app.api.url,
    key: app.api.key,
    run,
  });
  return { made, leftOut };
}

async function startApp(): Promise<TestApp> {
  const servers = await startTestServers(() => {});
  atEnd(servers.stop);
  Object.assign(process.env, servers.environment);
  const app = await createMoneyApp();
  atEnd(app.close);
  return app;
}

/** @returns the programs of an environment of its own with the generator in it; null where there is no Python. */
async function pythonOf(folder: string, run: Run): Promise<string | null> {
  try {
    await run('Looking for Python', 'python3', [
      '-c',
      'import sys, venv; sys.exit(sys.version_info < (3, 11))',
    ]);
  } catch {
    return null;
  }
  await run('Making a Python environment', 'python3', ['-m', 'venv', folder]);
  const programs = join(folder, existsSync(join(folder, 'Scripts')) ? 'Scripts' : 'bin');
  await run('Installing the generators for Python', join(programs, 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...PYTHON_PACKAGES,
  ]);
  return programs;
}

/** What the clients say of themselves is not believed: each has left a charge that carries its name. */
async function requireCharges({ api }: TestApp, made: readonly string[]): Promise<void> {
  const { json } = await api.get('/v2/transparents/list');
  const charges = json.data as { readonly metadata: { readonly client?: string }; readonly amount: number }[];
  const makers = new Set(
    charges.filter(({ amount }) => amount === 1500).map(({ metadata }) => metadata.client),
  );
  const missing = made.filter((name) => !makers.has(name));
  if (missing.length > 0) throw new Error(`no charge was made by ${missing.join(', ')}`);
}

await runAndStop(main);
