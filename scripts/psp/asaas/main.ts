import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, runAndStop, say } from '../../embedded/run-and-stop.ts';
import { numberOf, portTaken } from '../box-options.ts';
import { startAdmin } from './admin.ts';
import { API_KEY, AsaasBox } from './asaas-box.ts';

const USAGE = `usage: npm run asaas-box -- [--port N] [--admin-port N] [--folder PATH] [--fault RULE]… [--seed N]
  --port N         where the API is, 8453 unless given
  --admin-port N   where payers pay and faults are ordered, 8454 unless given
  --folder PATH    the API key, <RECEBE_DATA or .data>/asaas-box unless given
  --fault RULE     a rule of what goes wrong from the start, as JSON; may be given several times
  --seed N         draws the chances of rules; 1 unless given
  --help           prints this`;

/** `npm run asaas-box`: Asaas on this machine, to try production accounts without real money. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '8453' },
      'admin-port': { type: 'string', default: '8454' },
      folder: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.help) return say(USAGE);
  const box = new AsaasBox({ seed: numberOf('--seed', values.seed, USAGE) });
  for (const rule of values.fault) box.faults.order(JSON.parse(rule));
  await box.open(numberOf('--port', values.port, USAGE)).catch(portTaken);
  atEnd(() => box.close());
  const admin = await startAdmin(box, numberOf('--admin-port', values['admin-port'], USAGE)).catch(portTaken);
  atEnd(() => admin.close());
  const folder = resolve(values.folder ?? join(process.env.RECEBE_DATA ?? '.data', 'asaas-box'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'api-key'), API_KEY, { mode: 0o600 });
  say(`Asaas in a box; the money is play money, and is gone when it stops.

  API v3       ${box.url}
  API key      ${join(folder, 'api-key')}

Pay and break things at ${admin.url}, or:
  curl -X POST ${admin.url}/pay/pay_0000000000000001 -d '{"atBank":true}'
  curl -X POST ${admin.url}/clock -d '{"advanceMs":86400000}'
  curl -X POST ${admin.url}/faults -d '{"on":"POST /v3/payments","fault":{"kind":"DROP_AFTER_EFFECT"},"times":1}'

Ctrl-C stops it.`);
  await new Promise(() => {});
}

await runAndStop(main);
