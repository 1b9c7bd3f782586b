import { cpf } from 'cpf-cnpj-validator';
import { taxIdHashOf } from '../../../src/database/encryption/tax-id-search.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity, NEW_CHECKOUT } from '../../../src/database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../../../src/database/entities/coupon.ts';
import { type Customer, CustomerEntity } from '../../../src/database/entities/customer.ts';
import { type Product, ProductEntity } from '../../../src/database/entities/product.ts';
import type { Database } from '../../../src/database/orm.ts';
import { buildBarCode, buildFreeField } from '../../../src/domain/boleto.ts';
import { boletoDeadlines } from '../../../src/domain/charge-deadlines.ts';
import { itemOf, totalCentsOf } from '../../../src/domain/checkout.ts';
import { civilDate } from '../../../src/domain/civil-date.ts';
import type {
  ChargeId,
  CheckoutId,
  CouponId,
  CustomerId,
  ProductId,
  StoreId,
} from '../../../src/domain/ids.ts';
import { merchantsCustomer } from '../../../src/domain/payer.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';
import { mintId } from '../../../src/ids.ts';

/** A line of a checkout. */
export { itemOf };

/** What the rows belong to. */
export interface Shop {
  readonly database: Database;
  readonly storeId: StoreId;
}

/** A Wednesday at noon in São Paulo. */
export const NOON = new Date('2026-12-02T15:00:00.000Z');

/** A product of R$ 50.00 without picture and file. */
export async function insertProduct({ database, storeId }: Shop, changes: Partial<Product> = {}) {
  const id = mintId<ProductId>('product', NOON);
  const product: Product = {
    id,
    storeId,
    devMode: true,
    externalId: id,
    name: 'Camiseta azul',
    description: null,
    imageUrl: null,
    fileUrl: null,
    priceCents: 5_000,
    cycle: null,
    trialDays: null,
    billsFinalUsage: false,
    usageCycle: null,
    usagePrice: null,
    madeBySale: false,
    archivedAt: null,
    createdAt: NOON,
    updatedAt: NOON,
    deletedAt: null,
    ...changes,
  };
  await database.em.fork().insert(ProductEntity, product);
  return product;
}

/** A customer with name, tax id and e-mail. */
export async function insertCustomer({ database, storeId }: Shop, changes: Partial<Customer> = {}) {
  const taxId = cpf.generate();
  const customer: Customer = {
    id: mintId<CustomerId>('customer', NOON),
    storeId,
    devMode: true,
    taxId,
    taxIdHash: taxIdHashOf(database, { storeId, devMode: true }, taxId),
    name: 'Ana Souza',
    email: 'ana@example.com',
    cellphone: null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    typedByPayer: false,
    createdAt: NOON,
    updatedAt: NOON,
    deletedAt: null,
    ...changes,
  };
  await database.em.fork().insert(CustomerEntity, customer);
  return customer;
}

/** A coupon of 10 % without a cap. */
export async function insertCoupon({ database, storeId }: Shop, changes: Partial<Coupon> = {}) {
  const id = mintId<CouponId>('coupon', NOON);
  const coupon: Coupon = {
    id,
    storeId,
    devMode: true,
    code: id,
    discountKind: 'PERCENTAGE',
    discountValue: 1_000,
    duration: 'ONCE',
    durationCycles: null,
    maxRedeems: -1,
    redeemsCount: 0,
    reservedCount: 0,
    status: 'ACTIVE',
    validFrom: null,
    validUntil: null,
    notes: null,
    metadata: {},
    createdAt: NOON,
    updatedAt: NOON,
    deletedAt: null,
    ...changes,
  };
  await database.em.fork().insert(CouponEntity, coupon);
  return coupon;
}

type Changes = { [Field in keyof Checkout as Field extends string ? Field : never]?: Checkout[Field] };

/** An open ONE_TIME checkout of two shirts, R$ 100.00, by PIX or card, that expires in 30 days. */
export async function insertCheckout(shop: Shop, changes: Changes = {}): Promise<Checkout> {
  const items = changes.items ?? [itemOf(await insertProduct(shop), 2)];
  const checkout: Checkout = {
    ...NEW_CHECKOUT,
    id: mintId<CheckoutId>('checkout', NOON),
    storeId: shop.storeId,
    devMode: true,
    frequency: 'ONE_TIME',
    amountCents: totalCentsOf(items),
    items,
    methods: ['PIX', 'CARD'],
    coupons: [],
    expiresAt: new Date(NOON.getTime() + 30 * 86_400_000),
    createdAt: NOON,
    updatedAt: NOON,
    workflowStartedAt: NOON,
    ...merchantsCustomer(changes.customerId ?? null),
    ...changes,
  };
  await shop.database.em.fork().insert(CheckoutEntity, checkout);
  return checkout;
}

type Made = 'PIX' | 'BOLETO' | 'CARD' | 'FREE';

/** A PENDING charge of the checkout, made at noon; for `changes` that pay or end it no workflow runs. */
export async function insertCharge(
  { database }: Shop,
  checkout: Checkout,
  method: Made,
  changes: Partial<Charge> = {},
): Promise<Charge> {
  const charge: Charge = {
    ...NEW_CHARGE,
    ...rowOf(checkout, method),
    ...codesOf(method, checkout.amountCents),
    ...changes,
  };
  await database.em.fork().insert(ChargeEntity, charge);
  return charge;
}

/** What a payment leaves in its charge. */
export function paid(amountCents: number): Partial<Charge> {
  const paidAt = new Date(NOON.getTime() + 60_000);
  return { status: 'PAID', paidAt, settlesAt: paidAt, settledAt: paidAt, paidAmountCents: amountCents };
}

const ID_KIND = { PIX: 'pixCharge', BOLETO: 'boletoCharge', CARD: 'cardCharge', FREE: 'freeCharge' } as const;

function rowOf(
  { id: checkoutId, storeId, amountCents, items, customerId, customerNamedBy }: Checkout,
  method: Made,
) {
  const id = mintId<ChargeId>(ID_KIND[method], NOON);
  return {
    id,
    storeId,
    devMode: true,
    method,
    amountCents,
    platformFeeCents: 80,
    customerId,
    customerNamedBy,
    provider: 'sandbox',
    providerReference: id.slice(-25),
    expiresAt: NOON,
    closesAt: NOON,
    lateFrom: null,
    createdAt: NOON,
    updatedAt: NOON,
    paidAt: null,
    checkoutId,
    submissionKey: id,
    items,
    workflowStartedAt: NOON,
  };
}

function codesOf(method: Made, amountCents: number): Partial<Charge> {
  const inHalfAnHour = new Date(NOON.getTime() + 30 * 60_000);
  const brCode = buildBrCode({
    key: '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50',
    merchantName: 'Loja Teste',
    merchantCity: 'SAO PAULO',
    amountCents: Math.max(1, amountCents),
    txid: '01KBFTQ0M0AAAAAAAAAAAAAAA',
  });
  if (method === 'PIX') return { brCode, expiresAt: inHalfAnHour, closesAt: inHalfAnHour };
  if (method === 'CARD')
    return {
      cardBrand: 'visa',
      cardLastFour: '4242',
      cardExpiryMonth: '2049-12',
      cardToken: 'token',
      installmentsCount: 1,
    };
  if (method === 'FREE') return { amountCents: 0, discountCents: amountCents };
  const dueDate = civilDate('2026-12-07');
  const freeField = buildFreeField({
    agency: '0001',
    account: '1234567',
    wallet: '17',
    ourNumber: '00000000001',
  });
  return {
    brCode,
    barCode: buildBarCode({ bankCode: '999', dueDate, amountCents, freeField }),
    ourNumber: '00000000001',
    dueDate,
    ...boletoDeadlines(dueDate, null, null),
  };
}

/** The charges of a checkout or subscription, oldest first. */
export function chargesOf({ database }: Pick<Shop, 'database'>, checkoutId: CheckoutId): Promise<Charge[]> {
  const orderBy = { createdAt: 'asc', id: 'asc' } as const;
  return database.em.fork().find(ChargeEntity, { checkoutId }, { orderBy });
}
