import { type Case, failed, get, ok, post } from '../case.ts';
import {
  absent,
  flag,
  instant,
  listOf,
  listWith,
  object,
  oneOf,
  orNull,
  startsWith,
  text,
  whole,
} from '../shape.ts';
import { CUSTOMER } from '../shop.ts';

const customer = {
  id: startsWith('cust_'),
  devMode: true,
  name: text,
  cellphone: text,
  email: text,
  taxId: text,
};
const coupon = {
  id: text,
  discountKind: oneOf('PERCENTAGE', 'FIXED'),
  discount: whole,
  maxRedeems: whole,
  redeemsCount: whole,
  status: oneOf('ACTIVE', 'INACTIVE', 'EXPIRED'),
  devMode: flag,
  createdAt: instant,
  updatedAt: instant,
};
const cursors = { hasMore: flag, next: orNull(text), before: orNull(text) };

/** Customers, coupons, and what all lists have in common. */
export const CUSTOMERS: readonly Case[] = [
  {
    page: 'openapi.yaml /customers/create',
    fact: 'the e-mail is the only required field',
    send: () => post('/customers/create', { email: 'so-email@example.com' }),
    status: 200,
    body: ok({ ...customer, email: 'so-email@example.com' }),
  },
  {
    page: 'openapi.yaml /customers/create',
    fact: 'all fields may be sent at the top level, with metadata',
    send: () =>
      post('/customers/create', {
        ...CUSTOMER,
        taxId: '390.533.447-05',
        zipCode: '01310-100',
        metadata: { source: 'landing-page' },
      }),
    status: 200,
    body: ok({ ...customer, zipCode: '01310-100', country: 'BR', metadata: { source: 'landing-page' } }),
  },
  {
    page: 'pages/client/create',
    fact: 'a tax id that is known returns the customer who has it',
    send: () => post('/customers/create', { email: 'outro@example.com', taxId: CUSTOMER.taxId }),
    status: 200,
    body: (shop) => ok({ ...customer, id: shop.customer, name: CUSTOMER.name }),
  },
  {
    page: 'openapi.yaml /customers/create',
    fact: 'other fields are refused',
    send: () => post('/customers/create', { email: 'so-email@example.com', phone: '1' }),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /customers/list',
    fact: 'lists customers with cursors',
    send: () => get('/customers/list?limit=1'),
    status: 200,
    body: { ...(ok(listOf(customer)) as object), pagination: { ...cursors, hasMore: true, next: text } },
  },
  {
    page: 'openapi.yaml /customers/list',
    fact: 'filters by e-mail',
    send: () => get(`/customers/list?email=${CUSTOMER.email}`),
    status: 200,
    body: ({ customer: id }) => ok(listWith({ id, email: CUSTOMER.email })),
  },
  {
    page: 'openapi.yaml /customers/list',
    fact: 'filters by tax id',
    send: () => get(`/customers/list?taxId=${CUSTOMER.taxId}`),
    status: 200,
    body: ({ customer: id }) => ok([{ id, taxId: CUSTOMER.taxId }]),
  },
  {
    page: 'openapi.yaml /customers/list',
    fact: 'filters by name and telephone',
    send: () => get('/customers/list?name=Daniel%20Lima&cellphone=(11)%204002-8922'),
    status: 200,
    body: ok(listWith({ name: 'Daniel Lima' })),
    differs:
      'names and telephones are not unique and have no index: both parameters are a 400, which names the known ones',
  },
  {
    page: 'openapi.yaml /customers/get',
    fact: 'finds a customer by id',
    send: ({ customer: id }) => get(`/customers/get?id=${id}`),
    status: 200,
    body: ({ customer: id }) => ok({ ...customer, id }),
  },
  {
    page: 'openapi.yaml /customers/get',
    fact: 'finds a customer by e-mail',
    send: () => get(`/customers/get?email=${CUSTOMER.email}`),
    status: 200,
    body: ({ customer: id }) => ok({ id }),
    differs:
      'several customers may have one address, and get returns one object: customers/list filters by it',
  },
  {
    page: 'openapi.yaml /customers/get',
    fact: 'an unknown id is a 404',
    send: () => get('/customers/get?id=cust_unknown'),
    status: 404,
    body: failed(text),
  },
  {
    page: 'pages/reference/introduction',
    fact: 'startDate and endDate are days in São Paulo, both included',
    send: () => get('/customers/list?startDate=2026-01-01&endDate=2026-01-31'),
    status: 200,
    body: { ...(ok([]) as object), pagination: { hasMore: false, next: null, before: null } },
  },
  {
    page: 'pages/changelog (4 August 2026)',
    fact: 'startDate must not be after endDate',
    send: () => get('/customers/list?startDate=2026-02-01&endDate=2026-01-31'),
    status: 400,
    body: failed(text),
  },
  {
    page: 'pages/changelog (4 August 2026)',
    fact: 'no day may be before 2024',
    send: () => get('/customers/list?startDate=2023-12-31'),
    status: 400,
    body: failed(text),
    differs: 'any day is accepted, because a test clock may be there (contract section 1.12)',
  },
  {
    page: 'openapi.yaml QueryLimit',
    fact: 'a page has at most 100 objects',
    send: () => get('/customers/list?limit=101'),
    status: 400,
    body: failed(text),
  },
  {
    page: 'openapi.yaml /coupons/create',
    fact: 'creates a coupon whose id is its code',
    send: () =>
      post('/coupons/create', { code: 'DEZ', discount: 10, discountKind: 'PERCENTAGE', maxRedeems: -1 }),
    status: 200,
    body: ok({ ...coupon, id: 'DEZ', discount: 10, maxRedeems: -1, redeemsCount: 0, status: 'ACTIVE' }),
  },
  {
    page: 'openapi.yaml /coupons/create',
    fact: 'startsAt and expiresAt limit its validity',
    send: () =>
      post('/coupons/create', {
        code: 'PRAZO',
        discount: 1_000,
        discountKind: 'FIXED',
        maxRedeems: 1,
        expiresAt: '2099-12-31T23:59:59.000Z',
      }),
    status: 200,
    body: ok({ ...coupon, id: 'PRAZO' }),
    differs: 'the same is validFrom and validUntil here; the service specification has neither name',
  },
  {
    page: 'openapi.yaml /coupons/list',
    fact: 'filters by status',
    send: () => get('/coupons/list?status=ACTIVE'),
    status: 200,
    body: { ...(ok(listOf({ ...coupon, status: 'ACTIVE' })) as object), pagination: cursors },
  },
  {
    page: 'openapi.yaml /coupons/get',
    fact: 'finds a coupon by id',
    send: () => get('/coupons/get?id=DEYVIN_20'),
    status: 200,
    body: ok({ ...coupon, id: 'DEYVIN_20', notes: 'Vinte', metadata: object }),
  },
  {
    page: 'openapi.yaml /coupons/toggle',
    fact: 'turns a coupon off by its id in the query',
    send: () => post('/coupons/toggle?id=DEZ'),
    status: 200,
    body: ok({ ...coupon, id: 'DEZ', status: 'INACTIVE' }),
  },
  {
    page: 'openapi.yaml /coupons/delete',
    fact: 'deletes a coupon by its id in the query',
    send: () => post('/coupons/delete?id=DEZ'),
    status: 200,
    body: ok({ ...coupon, id: 'DEZ' }),
  },
  {
    page: 'openapi.yaml Customer',
    fact: 'shows no field that the schema does not name',
    send: ({ customer: id }) => get(`/customers/get?id=${id}`),
    status: 200,
    body: ok({ createdAt: absent }),
    differs: 'createdAt, updatedAt and typedByPayer are shown beside the fields of the schema',
  },
];
