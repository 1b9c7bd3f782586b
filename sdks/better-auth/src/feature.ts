import type { Recebe } from '@recebe/sdk';
import type { BetterAuthPlugin } from 'better-auth';
import type { Customers } from './customers.ts';

/** The endpoints of a plugin. */
export type Endpoints = NonNullable<BetterAuthPlugin['endpoints']>;

/** What the endpoints of a feature work with. */
export interface FeatureContext {
  readonly client: Recebe;
  readonly customers: Customers;
}

/** A part of the plugin that you choose: checkout, portal or webhooks. */
export type Feature<Made extends Endpoints = Endpoints> = (context: FeatureContext) => Made;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The endpoints of all features. */
export type EndpointsOf<Features extends readonly Feature[]> = Features extends readonly []
  ? Record<never, never>
  : Intersection<ReturnType<Features[number]>>;
