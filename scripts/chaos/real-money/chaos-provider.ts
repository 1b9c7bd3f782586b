import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import type { Chance } from '../../../test/support/chance.ts';
import type { Cluster } from '../cluster.ts';
import type { Endpoint, Endpoints } from '../endpoints.ts';
import type { Target } from '../inject-faults.ts';
import type { Tally } from '../integrator.ts';
import type { Open } from '../open.ts';
import type { MoneyRows } from './money-rows.ts';
import type { RealShop } from './real-shop.ts';

/** The scenarios of customers of a provider's store, by their weight. */
export type RealScenarios = Readonly<
  Record<string, { readonly weight: number; readonly scenario: (chance: Chance) => Promise<void> }>
>;

/** Open work at the provider, and work that a person must resolve. */
export interface RealSettling {
  /**
   * Lists open work, and runs the requests to the provider now that Recebe would send within minutes.
   * @param isServing whether clients may still repeat a request whose charge was not stored.
   */
  open(isServing: boolean): Promise<readonly Open[]>;
  /** Ids of rows that may stay open. */
  staysOpen(): Promise<ReadonlySet<string>>;
}

/** The final comparison of the provider's state with the rows and the ledger. */
export interface ComparedProvider {
  /** One line for each difference. */
  readonly differences: readonly string[];
  /** The `<event> of <id>` that an endpoint of the store must have received, once each. */
  readonly expectedEvents: readonly string[];
  /** The counts by the provider's own state, for the report. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A provider in a box that takes real money while faults are injected, its store, and its customers. */
export interface ChaosProvider extends AsyncDisposable {
  /** As the report names it. */
  readonly name: string;
  readonly shop: RealShop;
  readonly scenarios: RealScenarios;
  /** The faults of its process, of both connections between it and the service, and of the provider itself. */
  readonly faultTargets: readonly Target[];
  /** How often its processes have ended without being stopped. */
  readonly endedByItself: number;
  /** Ends every fault inside it. @returns how often each has happened since its last start. */
  clear(): Promise<ReadonlyMap<string, number>>;
  settling(database: Database, temporal: Client): RealSettling;
  /** @param database a connection without faults. The connections to the provider have none left by then. */
  compare(database: Database, rows: MoneyRows): Promise<ComparedProvider>;
}

/** What a provider starts with. */
export interface ChaosProviderOptions {
  readonly cluster: Cluster;
  readonly endpoints: Endpoints;
  readonly tally: Tally;
  readonly givesUp: AbortSignal;
  readonly seed: number;
  /** Where its books and logs go. */
  readonly folder: string;
}

/** The endpoints of a provider's store. */
export function endpointsOf({ all }: Endpoints, { storeId }: RealShop): readonly Endpoint[] {
  return all.filter((each) => each.storeId === storeId);
}
