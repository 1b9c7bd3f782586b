import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKey } from '../../../src/api/keys/api-keys.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import { UserEntity } from '../../../src/database/entities/user.ts';
import type { StoreId, UserId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { csrfTokenOf } from '../../../src/identity/csrf-token.ts';
import { DASHBOARD_ROUTES } from '../../../src/web/dashboard/routes.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import {
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertCustomer,
  insertProduct,
  paid,
  type Shop,
} from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';

/* Forms name rows by addresses and by fields. Those of another store must be the same as those of nobody. */

type Ids = Readonly<Record<keyof typeof NOBODYS, string>>;
const NOBODYS = {
  product: 'prod_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  plan: 'prod_01KAK0Z7Q3C5D7E9F1G3H5J7KN',
  usage: 'prod_01KAK0Z7Q3C5D7E9F1G3H5J7KP',
  coupon: 'NOBODYS',
  customer: 'cust_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  checkout: 'bill_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  charge: 'pix_char_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  first: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  subscription: 'subs_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  webhook: 'webh_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  key: 'key_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  member: 'user_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
};

let app: TestApp;
let owner: DashboardUser;
let own: Ids;
let others: Ids;
let other: StoreId;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  const fixture = { url: app.api.url, database: app.database };
  owner = await signedIn(fixture, app.storeId, 'owner');
  other = (await createTestStore(app.database)).id;
  await signedIn(fixture, other, 'finance', 'other@example.com');
  await signedIn(fixture, app.storeId, 'finance', 'own@example.com');
  await givePassword(app.database);
  own = await idsOf(app.storeId, 'own@example.com');
  others = await idsOf(other, 'other@example.com');
});
afterAll(() => app.close());

const em = () => app.database.em.fork();

async function idsOf(storeId: StoreId, email: string): Promise<Ids> {
  const shop: Shop = { database: app.database, storeId };
  const customer = await insertCustomer(shop);
  const product = await insertProduct(shop);
  const plan = await insertProduct(shop, { cycle: 'MONTHLY' });
  const usage = await insertProduct(shop);
  const checkout = await insertCheckout(shop);
  const charge = await insertCharge(shop, checkout, 'PIX', paid(5_000));
  const subscribed = await insertSubscribed(shop, 'CARD');
  const webhook = await insertWebhook(app.database, { storeId });
  const asked = { storeId, devMode: true, description: 'Loja', permissions: PERMISSIONS };
  const { key } = await createKey(em(), asked, new Date());
  const coupon = await insertCoupon(shop);
  const member = await em().findOneOrFail(UserEntity, { email });
  return {
    product: product.id,
    plan: plan.id,
    usage: usage.id,
    coupon: coupon.code,
    customer: customer.id,
    checkout: checkout.id,
    charge: charge.id,
    first: subscribed.first.id,
    subscription: subscribed.subscription.id,
    webhook: webhook.id,
    key: key.id,
    member: member.id,
  };
}

/** Every row of a store, as text. */
async function rowsOf(storeId: StoreId): Promise<string[]> {
  const tables = await em().execute<{ name: string }[]>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'store_id' order by 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await em().execute<{ row: string }[]>(
      `select row_to_json(of)::text as row from "${name}" of where store_id = ? order by 1`,
      [storeId],
    );
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return rows;
}

/** What a form may name rows by, whichever it reads. */
function fieldsOf(ids: Ids): Record<string, string> {
  return {
    ...{ id: ids.charge, productId: ids.product, usedProductId: ids.usage },
    ...{ coupons: ids.coupon, portalPlans: ids.plan },
  };
}

/** The other fields that forms need. */
const VALID = {
  ...{ password: PASSWORD, quantity: '1', frequency: 'ONE_TIME', methods: 'PIX', planStart: 'next_cycle' },
  ...{ units: '1', counted: 'add', step: 'open', role: 'support', decision: 'approve', amount: '1,00' },
  ...{
    portalCancellation: 'NEVER',
    portalUndo: 'no',
    portalPauseDays: '',
    portalCard: 'no',
    portalRefund: 'no',
  },
};

async function send(address: string, fields: Record<string, string>) {
  const csrf = csrfTokenOf(owner.cookie('recebe_session') ?? '');
  const form = { ...fields, csrf, submission: crypto.randomUUID() };
  const { status, location } = await owner.post(`/dashboard/${app.storeId}/dev${address}`, form);
  return { status, location };
}

const posted = DASHBOARD_ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => path);
const named = posted.filter((path) => path.includes(':') && !path.includes(':institution'));

it('takes ids of another store in an address for ids of nobody', async () => {
  const before = await rowsOf(other);
  expect(before.length).toBeGreaterThan(10);
  const ours = await rowsOf(app.storeId);
  for (const path of named)
    for (const kind of Object.keys(NOBODYS) as (keyof typeof NOBODYS)[]) {
      const at = (ids: Ids) => send(path.replace(/:\w+/g, ids[kind]), { ...fieldsOf(ids), ...VALID });
      const [theirs, nobodys] = [await at(others), await at(NOBODYS)];
      const text = JSON.stringify(theirs).replaceAll(others[kind], NOBODYS[kind]);
      expect(`${path} ${kind} ${text}`).toBe(`${path} ${kind} ${JSON.stringify(nobodys)}`);
    }
  expect(await rowsOf(other)).toEqual(before);
  expect(await rowsOf(app.storeId)).toEqual(ours);
});

it.each([
  ['/checkouts', 'productId', 'product'],
  ['/checkouts', 'coupons', 'coupon'],
  ['/sandbox/dispute', 'id', 'charge'],
  ['/settings/portal', 'portalPlans', 'plan'],
  ['/subscriptions/:subscription/usage', 'usedProductId', 'usage'],
] as const)('takes ids of another store in a form for ids of nobody: %s, %s', async (path, field, kind) => {
  const before = await rowsOf(other);
  const ours = await rowsOf(app.storeId);
  const address = path.replace(':subscription', own.subscription);
  const sendWith = (ids: Ids) => send(address, { ...fieldsOf(own), ...VALID, [field]: ids[kind] });
  const [theirs, nobodys] = [await sendWith(others), await sendWith(NOBODYS)];
  expect(theirs).toEqual(nobodys);
  expect(await rowsOf(other)).toEqual(before);
  expect(await rowsOf(app.storeId)).toEqual(ours);
  // The other fields are right: with an id of the store itself, the form is carried out.
  await sendWith(own);
  expect((await rowsOf(app.storeId)).length).toBeGreaterThan(ours.length);
});

it('leaves a member of another store its role and membership', async () => {
  const membership = { userId: others.member as UserId, storeId: other } as const;
  expect(await em().findOneOrFail(MembershipEntity, membership)).toMatchObject({ role: 'finance' });
  expect(await em().count(MembershipEntity, { ...membership, storeId: app.storeId })).toBe(0);
});
