import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAccount } from '../../../src/accounts/accounts.ts';
import { notificationPath, openAccount } from '../../../src/accounts/open-account.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { lastingPort } from '../../../test/support/servers/lasting-port.ts';
import { TcpProxy } from '../../../test/support/servers/tcp-proxy.ts';
import { certificatesIn } from '../../psp/certificates.ts';
import type { FaultPlan } from '../../psp/faults.ts';
import { CREDENTIALS, PAYOUT_KEY, PIX_KEY } from '../../psp/start-psp.ts';
import type { Cluster } from '../cluster.ts';
import { type Program, ServiceProcess } from '../service-process.ts';
import { BankDoor } from './door.ts';

/** A profile that can also send money. */
const PROFILE = 'efi';

/** A bank in a box as a separate process. Its state is in a file, so faults kill it like every other process. */
export interface ChaosBank extends AsyncDisposable {
  readonly process: ServiceProcess;
  /** The connection from the service to API Pix. */
  readonly toBank: TcpProxy;
  /** The connection from the bank to the service, for notifications. */
  readonly toService: TcpProxy;
  readonly door: BankDoor;
}

/**
 * Starts the bank. @param folder for its state, certificates and log. @param apiUrl the receiver of its notifications.
 * @param faults its fault plan from the start, also after each of its restarts.
 */
export async function startBank(folder: string, apiUrl: string, faults?: FaultPlan): Promise<ChaosBank> {
  await using cleanup = new AsyncDisposableStack();
  const [port, adminPort] = [await lastingPort(), await lastingPort()];
  const process = cleanup.use(new ServiceProcess(program(folder, port, adminPort, faults), {}, folder));
  process.start();
  const toBank = cleanup.use(await TcpProxy.start(port));
  const toService = cleanup.use(await TcpProxy.start(Number(new URL(apiUrl).port)));
  await process.ready();
  const ends = cleanup.move();
  const door = new BankDoor(`http://127.0.0.1:${adminPort}`);
  return { process, toBank, toService, door, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

function program(folder: string, port: number, adminPort: number, faults: FaultPlan | undefined): Program {
  const planFile = join(folder, 'fault-plan.json');
  if (faults !== undefined) writeFileSync(planFile, JSON.stringify(faults, null, 2));
  const options = {
    profile: PROFILE,
    port: String(port),
    'admin-port': String(adminPort),
    folder: join(folder, 'psp'),
    ...(faults !== undefined && { faults: planFile }),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return {
    name: 'bank',
    args: ['scripts/psp/main.ts', ...args, '--transfers-by-amount'],
    readyText: 'Ctrl-C',
  };
}

/** Gives a store an account at the bank, and registers the webhook. */
export async function joinBank(
  { database, secretsKey }: Cluster,
  { toBank, toService }: ChaosBank,
  storeId: StoreId,
  folder: string,
): Promise<void> {
  const keys = { keys: new SecretsKeys([secretsKey]), kinds: PROVIDER_KINDS };
  const { authority, client } = await certificatesIn(join(folder, 'psp'));
  const address = `https://localhost:${toBank.port}`;
  const settings = {
    clientId: CREDENTIALS.clientId,
    apiUrl: address,
    tokenUrl: `${address}/oauth/token`,
    pixKey: PIX_KEY,
    payoutKey: PAYOUT_KEY,
  };
  const secrets = {
    clientSecret: CREDENTIALS.clientSecret,
    certificate: client.certificate,
    privateKey: client.key,
    ca: authority,
  };
  const given = { storeId, kind: 'bacen', profile: PROFILE, uses: null, settings, secrets };
  const { account } = await addAccount({ em: database.em.fork(), ...keys }, given, new Date());
  const url = `http://127.0.0.1:${toService.port}${notificationPath(account, keys.keys)}`;
  await openAccount(account, keys).notifications?.register(url);
}
