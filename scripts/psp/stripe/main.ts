import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, runAndStop, say } from '../../embedded/run-and-stop.ts';
import { numberOf, portTaken } from '../box-options.ts';
import { startAdmin } from './admin.ts';
import { installLocalstripe } from './install-localstripe.ts';
import { startProgram } from './start-program.ts';
import { StripeBox } from './stripe-box.ts';

const USAGE = `usage: npm run stripe-box -- [--port N] [--admin-port N] [--folder PATH] [--localstripe URL]
  --port N         where the API is, 8455 unless given
  --admin-port N   where boletos are paid and payments disputed, 8456 unless given
  --folder PATH    the secret key, <RECEBE_DATA or .data>/stripe-box unless given
  --localstripe URL   a localstripe that runs already; one is installed and started unless given
  --help           prints this`;
const SECRET_KEY = 'sk_test_12345';

/** `npm run stripe-box`: Stripe on this machine, to try production accounts without real money. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '8455' },
      'admin-port': { type: 'string', default: '8456' },
      folder: { type: 'string' },
      localstripe: { type: 'string' },
    },
  });
  if (values.help) return say(USAGE);
  const target = values.localstripe ?? (await startLocalstripe());
  const box = new StripeBox(target);
  await box.open(numberOf('--port', values.port, USAGE)).catch(portTaken);
  atEnd(() => box.close());
  const admin = await startAdmin(box, numberOf('--admin-port', values['admin-port'], USAGE)).catch(portTaken);
  atEnd(() => admin.close());
  const folder = resolve(values.folder ?? join(process.env.RECEBE_DATA ?? '.data', 'stripe-box'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'secret-key'), SECRET_KEY, { mode: 0o600 });
  say(`Stripe in a box; the money is play money, and is gone when it stops.

  API          ${box.url}
  secret key   ${join(folder, 'secret-key')}

Pay boletos and dispute payments at ${admin.url}

Ctrl-C stops it.`);
  await new Promise(() => {});
}

/** @returns its address. It keeps nothing of an earlier start. */
async function startLocalstripe(): Promise<string> {
  const program = installLocalstripe();
  if (program === null)
    throw new Error(
      'The box needs Python 3 and a package index that it can be installed from (localstripe).',
    );
  const cwd = mkdtempSync(join(tmpdir(), 'recebe-stripe-box-'));
  atEnd(() => rmSync(cwd, { recursive: true, force: true }));
  return startProgram(program, (port) => ['--port', String(port), '--from-scratch'], cwd);
}

await runAndStop(main);
