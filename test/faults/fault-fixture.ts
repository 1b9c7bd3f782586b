import { randomBytes } from 'node:crypto';
import { createActivities } from '../../activities/index.ts';
import { type Certificates, makeCertificates } from '../../scripts/psp/certificates.ts';
import { PIX_KEY, type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { AccountProviders } from '../../src/accounts/account-providers.ts';
import { addAccount } from '../../src/accounts/accounts.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { takeSent } from '../../src/notifications/take-sent.ts';
import type { Providers } from '../../src/providers/providers.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { activityDeps } from '../support/fixtures/activity-deps.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { Mortality, mortalBacen } from './mortal.ts';
import { Runs } from './runs.ts';
import type { WorkerState } from './table.ts';

/** Notifications are sent without gathering or pauses. */
const AT_ONCE = { gatheringMs: 0, firstPauseMs: 1, heldBackMs: 10 };
/** Pause between two rounds of reconciliation. */
const LISTED_EVERY_MS = 5 * 60_000;
const LONG_AGO = new Date('2001-01-01T00:00:00Z');

/** A store with an account at a bank of its own, and the service that works for both. */
export interface FaultFixture {
  readonly psp: Psp;
  readonly storeId: StoreId;
  readonly account: ProviderAccount;
  readonly api: ApiClient;
  readonly runs: Runs;
  readonly database: TestApp['database'];
  readonly mortality: Mortality;
  readonly providers: Providers;
  now(): Date;
  /** Advances the time of bank and service and runs what is due. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The service without Temporal, in one database. Scenarios run in it one after the other. */
export class Stage implements AsyncDisposable {
  readonly #test: TestDatabase;
  readonly #app: TestApp;
  readonly #keys: SecretsKeys;
  readonly #certificates: Certificates;
  readonly #current: { fixture: FaultFixture | null; mortality: Mortality };
  readonly #providersOf: () => Providers;

  private constructor(given: {
    test: TestDatabase;
    app: TestApp;
    keys: SecretsKeys;
    certificates: Certificates;
    current: { fixture: FaultFixture | null; mortality: Mortality };
    providersOf: () => Providers;
  }) {
    this.#test = given.test;
    this.#app = given.app;
    this.#keys = given.keys;
    this.#certificates = given.certificates;
    this.#current = given.current;
    this.#providersOf = given.providersOf;
  }

  static async open(): Promise<Stage> {
    const secret = randomBytes(32).toString('base64');
    const keys = new SecretsKeys([secret]);
    const [test, certificates] = await Promise.all([createTestDatabase(), makeCertificates()]);
    const current: { fixture: FaultFixture | null; mortality: Mortality } = {
      fixture: null,
      mortality: new Mortality('ALIVE'),
    };
    const runs = () => {
      if (current.fixture === null) throw new Error('no scenario is played');
      return current.fixture.runs;
    };
    const kinds = { bacen: mortalBacen(() => current.mortality) };
    const providersOf = () =>
      new AccountProviders({
        database: test.database,
        secretsKeys: keys,
        kinds,
        sandbox: new MisbehavingProvider(),
        log: SILENT_LOG,
      });
    const updates: Runs['updates'] = {
      confirmPayment: (...given) => runs().updates.confirmPayment(...given),
      askProviderNow: (...given) => runs().updates.askProviderNow(...given),
      lookUpPayment: (...given) => runs().updates.lookUpPayment(...given),
      confirmDispute: (...given) => runs().updates.confirmDispute(...given),
      cancel: (...given) => runs().updates.cancel(...given),
      refund: (...given) => runs().updates.refund(...given),
    };
    const app = await createTestApp(
      {
        providers: providersOf(),
        intake: new Intake(test.database, updates),
        chargeUpdates: { ...updates, authorize: () => Promise.reject(new Error('no card is charged here')) },
        starter: { startSoon: () => {} },
        clock: () => current.fixture?.now() ?? new Date(),
        log: SILENT_LOG,
      },
      { database: test.database, secretsKeys: [secret] },
    );
    return new Stage({ test, app, keys, certificates, current, providersOf });
  }

  /** Opens the fixture of one scenario. The previous one must be closed. */
  async fixture(workerState: WorkerState): Promise<FaultFixture> {
    const { database } = this.#test;
    const psp = await startPsp({ profile: 'efi', certificates: this.#certificates, pace: AT_ONCE });
    const now = () => psp.bank.now();
    const { id: storeId } = await createTestStore(database);
    const { profile, settings, secrets } = psp.account;
    const kinds = { bacen: mortalBacen(() => this.#current.mortality) };
    const keeping = { em: database.em.fork(), keys: this.#keys, kinds };
    const given = { storeId, kind: 'bacen', profile, uses: null, settings, secrets };
    const { account } = await addAccount(keeping, given, now());
    const url = `${this.#app.api.url}${notificationPath(account, this.#keys)}`;
    psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url, createdAt: '', withoutCertificate: true };
    const mortality = new Mortality(workerState);
    const providers = this.#providersOf();
    const runs = new Runs({
      database,
      storeId,
      nowMs: () => now().getTime(),
      newWorker: () => this.#worker(),
    });
    const intake = new Intake(database, runs.updates);
    const client = { withDeadline: <Result>(_: number | Date, call: () => Promise<Result>) => call() };
    let listedAtMs = 0;
    const pass = async (ms: number) => {
      psp.bank.state.clockAheadMs += ms;
      psp.ownActs.runDue();
      psp.poster.repeatDue();
      await psp.poster.idle();
      await runs.tick();
      if (!runs.isAway && now().getTime() - listedAtMs >= LISTED_EVERY_MS) {
        listedAtMs = now().getTime();
        await takeListed({ client, database, providers, intake, log: SILENT_LOG }, now());
        await takeSent({ database, providers, log: SILENT_LOG, publicUrl: 'https://recebe.test' }, now());
      }
      await psp.poster.idle();
    };
    const fixture: FaultFixture = {
      psp,
      storeId,
      account,
      api: await this.#app.clientWith({ storeId, devMode: false }),
      runs,
      database,
      mortality,
      providers,
      now,
      pass,
      close: async () => {
        this.#current.fixture = null;
        // Rounds of later scenarios must not ask a bank that is gone.
        const removed = { removedAt: LONG_AGO };
        await database.em.fork().nativeUpdate(ProviderAccountEntity, { id: account.id }, removed);
        await psp.close();
      },
    };
    this.#current.fixture = fixture;
    this.#current.mortality = mortality;
    return fixture;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
    await this.#test.drop();
  }

  /** A worker of a new process, without tokens or connections. */
  #worker() {
    const done = async () => {};
    return createActivities(
      activityDeps({
        database: this.#test.database,
        providers: this.#providersOf(),
        dispatcher: this.#app.deps.dispatcher,
        startDelivery: done,
        startSettlement: done,
      }),
    );
  }
}
