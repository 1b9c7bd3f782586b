import type { Recebe } from '@recebe/sdk';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { Customers, type GetCustomerParams, type RecebeUser } from './customers.ts';
import type { EndpointsOf, Feature } from './feature.ts';

/** Settings of the plugin. */
export interface RecebePluginOptions<Features extends readonly Feature[]> {
  /** With a key that has `CUSTOMER:CREATE`, `CUSTOMER:READ`, `CHECKOUT:CREATE` and, for subscriptions, `SUBSCRIPTION:CREATE`. */
  readonly client: Recebe;
  /**
   * Creates a customer for each new user. Default: the customer is created with the first checkout or visit to the portal.
   * If the service does not answer, the user signs up all the same, and the customer is created later.
   */
  readonly createCustomerOnSignUp?: boolean;
  /** What a new customer has besides the user's name and address, such as `cellphone`. */
  readonly getCustomerParams?: GetCustomerParams;
  /** The features: `checkout()`, `portal()` and `webhooks()`. */
  readonly use: Features;
}

/** The column of users. The browser cannot write it, and does not get it. */
const SCHEMA = {
  user: {
    fields: { recebeCustomerId: { type: 'string', required: false, input: false, returned: false } },
  },
} as const satisfies BetterAuthPlugin['schema'];

/**
 * Recebe for Better Auth: users are customers, and can buy and see what they have paid.
 *
 * @example
 * recebe({ client, createCustomerOnSignUp: true, use: [checkout({ products: { pro: 'prod_…' } }), portal()] })
 */
export function recebe<const Features extends readonly Feature[]>(options: RecebePluginOptions<Features>) {
  const { client, createCustomerOnSignUp = false, getCustomerParams = () => ({}), use } = options;
  const customers = new Customers(client, getCustomerParams);
  const made = use.map((feature) => feature({ client, customers }));
  return {
    id: 'recebe',
    schema: SCHEMA,
    endpoints: Object.assign({}, ...made) as EndpointsOf<Features>,
    init: (auth: AuthContext) => ({
      options: { databaseHooks: hooksOf(customers, createCustomerOnSignUp, auth) },
    }),
  } satisfies BetterAuthPlugin;
}

function hooksOf(customers: Customers, createsOnSignUp: boolean, auth: AuthContext) {
  /** A user can sign up and change their name while the service does not answer. */
  const orLog = (what: string, work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => {
        auth.logger.error(`Recebe: ${what}: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  return {
    user: {
      create: {
        after: async (user: RecebeUser) => {
          if (createsOnSignUp) await orLog('customer not created', customers.idOf(user, auth));
        },
      },
      update: {
        after: async (user: RecebeUser) => {
          await orLog('customer not updated', customers.update(user));
        },
      },
    },
  };
}
