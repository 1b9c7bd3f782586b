import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addAccount } from '../../../src/accounts/accounts.ts';
import { notificationPath, openAccount } from '../../../src/accounts/open-account.ts';
import type { ProviderAccount } from '../../../src/database/entities/provider-account.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { lastingPort } from '../../../test/support/servers/lasting-port.ts';
import { TcpProxy } from '../../../test/support/servers/tcp-proxy.ts';
import { API_KEY } from '../../psp/asaas/asaas-box.ts';
import type { Cluster } from '../cluster.ts';
import { ServiceProcess } from '../service-process.ts';
import { AsaasDoor } from './asaas-door.ts';

/**
 * The Asaas box as a separate process. It keeps its state in memory, so faults pause it and cut its connections, but never kill
 * it.
 */
export interface ChaosAsaas extends AsyncDisposable {
  readonly process: ServiceProcess;
  /** The connection from the service to Asaas. */
  readonly toAsaas: TcpProxy;
  /** The connection from Asaas to the service, for notifications. */
  readonly toService: TcpProxy;
  readonly door: AsaasDoor;
}

/** Starts the box. @param folder for its key and log. @param apiUrl the receiver of its notifications. */
export async function startAsaas(folder: string, apiUrl: string, seed: number): Promise<ChaosAsaas> {
  await using cleanup = new AsyncDisposableStack();
  const [port, adminPort] = [await lastingPort(), await lastingPort()];
  const options = {
    port: String(port),
    'admin-port': String(adminPort),
    folder: join(folder, 'asaas-box'),
    seed: String(seed),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const program = { name: 'Asaas', args: ['scripts/psp/asaas/main.ts', ...args], readyText: 'Ctrl-C' };
  const process = cleanup.use(new ServiceProcess(program, {}, folder));
  process.start();
  const toAsaas = cleanup.use(await TcpProxy.start(port));
  const toService = cleanup.use(await TcpProxy.start(Number(new URL(apiUrl).port)));
  await process.ready();
  const ends = cleanup.move();
  const door = new AsaasDoor(`http://127.0.0.1:${adminPort}`);
  return { process, toAsaas, toService, door, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

/** Gives a store an account at Asaas, and registers the webhook. */
export async function joinAsaas(
  { database, secretsKey }: Cluster,
  { toAsaas, toService }: ChaosAsaas,
  storeId: StoreId,
): Promise<ProviderAccount> {
  const keys = { keys: new SecretsKeys([secretsKey]), kinds: PROVIDER_KINDS };
  const settings = {
    asaasEnvironment: 'sandbox',
    apiUrl: `http://127.0.0.1:${toAsaas.port}`,
    contactEmail: 'loja@example.com',
    payoutKey: 'loja@banco.example',
  };
  const secrets = { apiKey: API_KEY, webhookToken: randomBytes(32).toString('hex') };
  const given = { storeId, kind: 'asaas', profile: 'asaas', uses: null, settings, secrets };
  const { account } = await addAccount({ em: database.em.fork(), ...keys }, given, new Date());
  const url = `http://127.0.0.1:${toService.port}${notificationPath(account, keys.keys)}`;
  await openAccount(account, keys).notifications?.register(url);
  return account;
}
