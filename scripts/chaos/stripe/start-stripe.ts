import { join } from 'node:path';
import { addAccount, rotateAccount } from '../../../src/accounts/accounts.ts';
import { notificationPath, openAccount } from '../../../src/accounts/open-account.ts';
import type { ProviderAccount } from '../../../src/database/entities/provider-account.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { lastingPort } from '../../../test/support/servers/lasting-port.ts';
import { TcpProxy } from '../../../test/support/servers/tcp-proxy.ts';
import { installLocalstripe } from '../../psp/stripe/install-localstripe.ts';
import type { Cluster } from '../cluster.ts';
import { ServiceProcess } from '../service-process.ts';
import { StripeDoor } from './stripe-door.ts';

/**
 * The Stripe box and its localstripe, each a process of its own. Both are paused and cut off, and not killed: the box keeps its
 * part in memory, and localstripe keeps webhooks in memory and writes the rest to one fixed file of the machine.
 */
export interface ChaosStripe extends AsyncDisposable {
  readonly box: ServiceProcess;
  readonly localstripe: ServiceProcess;
  /** The service's way to Stripe. */
  readonly toStripe: TcpProxy;
  /** Stripe's way to the service, for notifications. */
  readonly toService: TcpProxy;
  readonly door: StripeDoor;
}

/** Starts it. @param folder where its key and logs go. @param apiUrl who takes its notifications. */
export async function startStripe(folder: string, apiUrl: string): Promise<ChaosStripe> {
  await using cleanup = new AsyncDisposableStack();
  const command = installLocalstripe();
  if (command === null)
    throw new Error('localstripe cannot be installed: it needs Python 3 and a package index');
  const [target, port, adminPort] = [await lastingPort(), await lastingPort(), await lastingPort()];
  const start = async (program: ConstructorParameters<typeof ServiceProcess>[0]) => {
    // Without it, Python keeps the line that says that it is ready.
    const process = cleanup.use(new ServiceProcess(program, { PYTHONUNBUFFERED: '1' }, folder));
    process.start();
    await process.ready();
    return process;
  };
  const localstripe = await start({
    name: 'localstripe',
    command,
    args: ['--port', String(target), '--from-scratch'],
    readyText: 'Running on',
  });
  const options = {
    port: String(port),
    'admin-port': String(adminPort),
    folder: join(folder, 'stripe-box'),
    localstripe: `http://127.0.0.1:${target}`,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const box = await start({
    name: 'Stripe',
    args: ['scripts/psp/stripe/main.ts', ...args],
    readyText: 'Ctrl-C',
  });
  const toStripe = cleanup.use(await TcpProxy.start(port));
  const toService = cleanup.use(await TcpProxy.start(Number(new URL(apiUrl).port)));
  const ends = cleanup.move();
  const door = new StripeDoor(`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`);
  return { box, localstripe, toStripe, toService, door, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

/** Gives a store an account at Stripe, and tells Stripe where its notifications go. */
export async function joinStripe(
  { database, secretsKey }: Cluster,
  { toStripe, toService }: ChaosStripe,
  storeId: StoreId,
): Promise<ProviderAccount> {
  const keys = { keys: new SecretsKeys([secretsKey]), kinds: PROVIDER_KINDS };
  const keeping = { em: database.em.fork(), ...keys };
  const settings = {
    stripeMode: 'test',
    publishableKey: 'pk_test_12345',
    apiUrl: `http://127.0.0.1:${toStripe.port}`,
  };
  const secrets = { secretKey: 'sk_test_12345' };
  const given = { storeId, kind: 'stripe', profile: 'stripe', uses: null, settings, secrets };
  const { account } = await addAccount(keeping, given, new Date());
  const url = `http://127.0.0.1:${toService.port}${notificationPath(account, keys.keys)}`;
  const made = (await openAccount(account, keys).notifications?.register(url)) ?? {};
  return rotateAccount(keeping, account.id, { settings: {}, secrets: made }, new Date());
}
