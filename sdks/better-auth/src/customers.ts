import type { CustomersCreateRequest, Recebe } from '@recebe/sdk';
import type { AuthContext } from 'better-auth';

/** A user of Better Auth, with the column of this plugin. */
export interface RecebeUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly recebeCustomerId?: string | null;
}

/**
 * What a new customer has besides the user's name and address. No `taxId`: there is one customer per tax id, so a user who
 * types that of somebody else would get their customer. Payers type it on the checkout's page.
 */
export type CustomerParams = Pick<CustomersCreateRequest, 'cellphone' | 'zipCode' | 'metadata'>;

export type GetCustomerParams = (user: RecebeUser) => Promise<CustomerParams> | CustomerParams;

/** The parts of Better Auth that store which customer a user is. */
export type UserStore = Pick<AuthContext, 'adapter' | 'logger'>;

/** The key of `metadata` that names the user. Payers cannot write it. */
const USER_KEY = 'betterAuthUserId';

/** The customers of users: one each, which the user's row names. */
export class Customers {
  readonly #client: Recebe;
  readonly #paramsOf: GetCustomerParams;

  constructor(client: Recebe, paramsOf: GetCustomerParams) {
    this.#client = client;
    this.#paramsOf = paramsOf;
  }

  /**
   * The id of the user's customer, who is created if necessary. If an earlier attempt created one but could not store
   * it, that one is found.
   */
  async idOf(user: RecebeUser, store: UserStore): Promise<string> {
    // The user of a session may be older than the row.
    const stored = await store.adapter.findOne<RecebeUser>({
      model: 'user',
      where: [{ field: 'id', value: user.id }],
    });
    if (stored?.recebeCustomerId) return stored.recebeCustomerId;
    const id = (await this.#find(user)) ?? (await this.#create(user));
    // Not by the functions that run hooks: nothing of the user has changed.
    await store.adapter.update({
      model: 'user',
      where: [{ field: 'id', value: user.id }],
      update: { recebeCustomerId: id },
    });
    return id;
  }

  /** Passes a new name and address on. */
  async update({ recebeCustomerId, name, email }: RecebeUser): Promise<void> {
    if (recebeCustomerId) await this.#client.customers.update({ id: recebeCustomerId, name, email });
  }

  async #find({ id }: RecebeUser): Promise<string | null> {
    const { data } = await this.#client.customers.list({ metadata: { [USER_KEY]: id }, limit: 1 });
    return data[0]?.id ?? null;
  }

  async #create(user: RecebeUser): Promise<string> {
    const { metadata, ...params } = await this.#paramsOf(user);
    const customer = await this.#client.customers.create(
      {
        ...params,
        name: user.name,
        email: user.email,
        metadata: { ...metadata, [USER_KEY]: user.id },
      },
      // Two requests at once create one customer.
      { idempotencyKey: `better-auth-customer-${user.id}` },
    );
    return customer.id;
  }
}
