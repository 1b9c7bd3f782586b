import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BACEN_PROFILES, type BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import { errorCode } from '../embedded/errors.mjs';
import { atEnd, runAndStop, say } from '../embedded/run-and-stop.ts';
import { certificatesIn } from './certificates.ts';
import { FaultPlanError, readPlan } from './faults/plan.ts';
import type { FaultPlan } from './faults.ts';
import { CREDENTIALS, PAYOUT_KEY, PIX_KEY, startPsp } from './start-psp.ts';

const USAGE = `usage: npm run psp -- [--profile NAME] [--port N] [--admin-port N] [--folder PATH] [--faults FILE] [--fault RULE]…
  --profile NAME     whose dialect it speaks: ${Object.keys(BACEN_PROFILES).join(', ')}; efi unless given
  --port N           where API Pix is, 8443 unless given
  --admin-port N     where payers pay and faults are ordered, 8444 unless given
  --folder PATH      certificates, secret and books, .data/psp unless given
  --faults FILE      a fault plan: what goes wrong from the start (docs/guides/bank.md)
  --fault RULE       one rule of such a plan, as JSON; may be given several times
  --seed N           draws the plan's chances; the file's own, or 1, unless given
  --transfers-by-amount   as in Efí's sandbox: sends up to R$ 10.00, fails later up to R$ 20.00, refuses above
  --help             prints this`;

/** `npm run psp`: a local bank to try production accounts without real money. */
async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return say(USAGE);
  const { folder } = options;
  const certificates = await certificatesIn(folder);
  const psp = await startPsp({ ...options, certificates, stateFile: join(folder, 'books.json') }).catch(
    portTaken,
  );
  atEnd(() => psp.close());
  const { settings } = psp.account;
  writeFileSync(join(folder, 'client-secret'), CREDENTIALS.clientSecret, { mode: 0o600 });
  say(`A bank that speaks like ${BACEN_PROFILES[options.profile].institution}; the money is play money.

  API Pix      ${settings.apiUrl}
  tokens       ${settings.tokenUrl}
  client id    ${settings.clientId}
  PIX key      ${PIX_KEY}, and payouts go to ${PAYOUT_KEY}
  files        ${folder}: client.pem, client-key.pem, client-secret, authority.pem, books.json

Pay, take back and break things at ${psp.adminUrl}, or:
  curl -X POST ${psp.adminUrl}/pay -d '{"code":"000201…"}'
  curl -X POST ${psp.adminUrl}/clock -d '{"advanceMs":86400000}'
  curl -X POST ${psp.adminUrl}/faults -d '{"fault":{"kind":"DROP_AFTER_EFFECT"},"on":"PUT cob"}'

Ctrl-C stops it; its books stay, also where it is killed.`);
  await new Promise(() => {});
}

/** @throws Error naming the taken port and its option, in place of the system's error. */
function portTaken(error: unknown): never {
  if (errorCode(error) !== 'EADDRINUSE') throw error;
  const { port } = error as { readonly port?: number };
  throw new Error(
    `port ${port} is taken, by another bank in a box perhaps; choose others with --port and --admin-port`,
  );
}

/** @returns null if the usage was asked for. @throws Error naming the wrong option. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      profile: { type: 'string', default: 'efi' },
      port: { type: 'string', default: '8443' },
      'admin-port': { type: 'string', default: '8444' },
      folder: { type: 'string' },
      'transfers-by-amount': { type: 'boolean', default: false },
      faults: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
    },
  });
  if (values.help) return null;
  const [port, adminPort] = [Number(values.port), Number(values['admin-port'])];
  if (!Object.hasOwn(BACEN_PROFILES, values.profile))
    throw wrong('--profile', 'must be one of the names below');
  if (!isPort(port)) throw wrong('--port', PORT);
  if (!isPort(adminPort)) throw wrong('--admin-port', PORT);
  return {
    profile: values.profile as BacenProfileName,
    port,
    adminPort,
    folder: values.folder ?? join(process.env.RECEBE_DATA ?? '.data', 'psp'),
    transfersByAmount: values['transfers-by-amount'],
    faults: readFaults(values),
  };
}

const PORT = 'must be a whole number from 0 to 65535';
const isPort = (each: number) => Number.isInteger(each) && each >= 0 && each <= 65_535;
const wrong = (option: string, rule: string) => new Error(`${option}: ${rule}\n${USAGE}`);

/** The file's rules, and then those of the command line. @throws Error naming every wrong field. */
function readFaults(given: { faults?: string; fault: string[]; seed?: string }): FaultPlan {
  const file = given.faults === undefined ? {} : jsonOf(readFileSync(given.faults, 'utf8'), given.faults);
  const { rules = [], ...rest } = file as Partial<FaultPlan>;
  const plan = {
    ...rest,
    ...(given.seed !== undefined && { seed: Number(given.seed) }),
    rules: Array.isArray(rules) ? [...rules, ...given.fault.map((rule) => jsonOf(rule, '--fault'))] : rules,
  };
  readPlan(plan);
  return plan as FaultPlan;
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FaultPlanError([{ field: where, message: 'must be JSON' }]);
  }
}

await runAndStop(main);
