/** Reads a parameter of the node for one item. */
export type ReadParameter = (name: string) => unknown;

type Values = Readonly<Record<string, unknown>>;

/** What an operation sends. Lists have a query and no body. */
export interface OperationRequest {
  readonly method: 'GET' | 'POST';
  /** Without `/v2/`. */
  readonly path: string;
  readonly query?: Values;
  readonly body?: Values;
  /** Whether the answer has pages. */
  readonly isList?: true;
}

type Operation = (read: ReadParameter) => OperationRequest;

/** The request of each operation, by resource. Names of parameters are those of the descriptions. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  charge: {
    cancel: byId('transparents/cancel'),
    createBoleto: (read) => post('transparents/create', { method: 'BOLETO', data: boletoOf(read) }),
    createPix: (read) => post('transparents/create', { method: 'PIX', data: pixOf(read) }),
    get: getById('transparents/get'),
    getAll: listOf('transparents/list'),
    refund: (read) => post('transparents/refund', { id: read('id'), ...filled(read('additionalFields')) }),
    simulatePayment: byId('transparents/simulate-payment'),
  },
  checkout: {
    create: (read) => post('checkouts/create', checkoutOf(read)),
    get: getById('checkouts/get'),
    getAll: listOf('checkouts/list'),
  },
  customer: {
    create: (read) => post('customers/create', withMetadata(filled(read('additionalFields')))),
    get: getById('customers/get'),
    getAll: listOf('customers/list'),
  },
  paymentLink: {
    create: (read) => post('payment-links/create', checkoutOf(read)),
    getAll: listOf('payment-links/list'),
  },
  payout: {
    create: (read) =>
      post('payouts/create', {
        amount: read('amount'),
        externalId: read('externalId'),
        ...filled(read('additionalFields')),
      }),
  },
  subscription: {
    cancel: (read) => post('subscriptions/cancel', { id: read('id'), atPeriodEnd: read('atPeriodEnd') }),
    get: getById('subscriptions/get'),
    getAll: listOf('subscriptions/list'),
  },
};

/** The request of an operation. @throws Error if there is no such operation, or a parameter has no valid JSON. */
export function requestOf(resource: string, operation: string, read: ReadParameter): OperationRequest {
  const build = OPERATIONS[resource]?.[operation];
  if (build === undefined) throw new Error(`${resource} has no operation ${operation}`);
  return build(read);
}

function post(path: string, body: Values): OperationRequest {
  return { method: 'POST', path, body };
}

function byId(path: string): Operation {
  return (read) => post(path, { id: read('id') });
}

function getById(path: string): Operation {
  return (read) => ({ method: 'GET', path, query: { id: read('id') } });
}

function listOf(path: string): Operation {
  return (read) => ({ method: 'GET', path, query: filled(read('filters')), isList: true });
}

function pixOf(read: ReadParameter): Values {
  const { customerName, customerEmail, customerTaxId, customerCellphone, ...fields } = filled(
    read('additionalFields'),
  );
  const customer = filled({
    name: customerName,
    email: customerEmail,
    taxId: customerTaxId,
    cellphone: customerCellphone,
  });
  const hasCustomer = Object.keys(customer).length > 0;
  return { amount: read('amount'), ...withMetadata(fields), ...(hasCustomer && { customer }) };
}

function boletoOf(read: ReadParameter): Values {
  const { customerEmail, customerCellphone, ...fields } = filled(read('additionalFields'));
  const customer = {
    name: read('customerName'),
    taxId: read('customerTaxId'),
    ...filled({ email: customerEmail, cellphone: customerCellphone }),
  };
  return { amount: read('amount'), ...withMetadata(fields), customer };
}

function checkoutOf(read: ReadParameter): Values {
  const { coupons, maxInstallments, ...fields } = filled(read('additionalFields'));
  const { item = [] } = filled(read('items'));
  return {
    items: item,
    ...withMetadata(fields),
    ...(typeof coupons === 'string' && { coupons: coupons.split(',').map((code) => code.trim()) }),
    ...(maxInstallments !== undefined && { card: { maxInstallments } }),
  };
}

/** Without fields that were added and left empty. */
function filled(values: unknown): Record<string, unknown> {
  const all = Object.entries((values ?? {}) as Values);
  return Object.fromEntries(
    all.filter(([, value]) => value !== undefined && value !== null && value !== '' && !isEmptyList(value)),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** `metadata` is text in the editor, and an object if an expression makes it. */
function withMetadata({ metadata, ...fields }: Values): Values {
  if (metadata === undefined) return fields;
  const object = typeof metadata === 'string' ? parsed(metadata) : metadata;
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new Error('Metadata must be a JSON object, such as { "orderId": "A-1042" }');
  return { ...fields, metadata: object };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
