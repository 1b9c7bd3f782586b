import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { collectPages } from '../../sdks/n8n/nodes/Recebe/collect-pages.ts';
import { type Cause, idempotencyKeyOf } from '../../sdks/n8n/nodes/Recebe/idempotency-key.ts';
import { OPERATIONS, requestOf } from '../../sdks/n8n/nodes/Recebe/requests.ts';
import { failureOf } from '../../sdks/n8n/shared/api-answer.ts';
import { normalBaseUrl } from '../../sdks/n8n/shared/base-url.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: object;
}

const DOCUMENT = JSON.parse(readFileSync(new URL('../../sdks/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const FIELDS = { externalId: 'order-1', coupons: 'A, B', maxInstallments: 3, metadata: '{ "a": 1 }' };

/** Parameters as n8n has them after a user filled in what an operation needs. */
function parameters(values: Readonly<Record<string, unknown>>) {
  return (name: string) => values[name];
}

const EVERY_OPERATION = Object.entries(OPERATIONS).flatMap(([resource, operations]) =>
  Object.keys(operations).map((operation) => [resource, operation] as const),
);

/** A field of the node, as n8n's editor shows it. */
interface Property {
  readonly name: string;
  readonly options?: readonly { readonly value?: string }[];
  readonly displayOptions: { readonly show: { readonly resource?: string[]; readonly operation?: string[] } };
}

const DESCRIPTIONS = ['charge', 'checkout', 'customer', 'payout', 'subscription'];

/** The fields of all resources. Their types are those of n8n, which is not installed for these tests. */
async function properties(): Promise<readonly Property[]> {
  const modules = DESCRIPTIONS.map(async (name): Promise<Readonly<Record<string, Property[]>>> => {
    const file = new URL(`../../sdks/n8n/nodes/Recebe/descriptions/${name}.ts`, import.meta.url);
    return import(file.href);
  });
  return (await Promise.all(modules)).flatMap((each) => Object.values(each).flat());
}

describe('the editor of the node', () => {
  it('offers every operation, and no other', async () => {
    const offered = (await properties())
      .filter(({ name }) => name === 'operation')
      .flatMap(({ options = [], displayOptions: { show } }) =>
        (show.resource ?? []).flatMap((resource) => options.map(({ value }) => `${resource} ${value}`)),
      );
    expect(new Set(offered)).toEqual(new Set(EVERY_OPERATION.map((each) => each.join(' '))));
  });

  it.each(EVERY_OPERATION)('shows all parameters that %s %s reads', async (resource, operation) => {
    const shown = (await properties()).filter(
      ({ displayOptions: { show } }) =>
        show.resource?.includes(resource) && (show.operation ?? [operation]).includes(operation),
    );
    const names = shown.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
    const read: string[] = [];
    requestOf(resource, operation, (name) => void read.push(name));
    expect(names).toEqual(expect.arrayContaining(read));
  });
});

describe('requestOf', () => {
  it.each(EVERY_OPERATION)('sends %s %s to an operation of the API', (resource, operation) => {
    const { method, path, query, isList } = requestOf(resource, operation, parameters({ filters: {} }));
    const described = DOCUMENT.paths[`/v2/${path}`]?.[method.toLowerCase()];
    expect(described).toBeDefined();
    const names = described?.parameters?.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(Object.keys(query ?? {})));
    if (isList) expect(names).toEqual(expect.arrayContaining(['limit', 'after']));
  });

  it('leaves out fields that were added and left empty', () => {
    const additionalFields = {
      description: '',
      externalId: 'order-1',
      customerName: '',
      customerTaxId: null,
    };
    const read = parameters({ amount: 2500, additionalFields });
    expect(requestOf('charge', 'createPix', read).body).toEqual({
      method: 'PIX',
      data: { amount: 2500, externalId: 'order-1' },
    });
  });

  it('puts the fields of a payer into the customer of a charge', () => {
    const read = parameters({
      amount: 2500,
      customerName: 'Ana Souza',
      customerTaxId: '529.982.247-25',
      additionalFields: { customerEmail: 'ana@example.com', dueDate: '2026-12-10' },
    });
    const customer = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
    expect(requestOf('charge', 'createBoleto', read).body).toEqual({
      method: 'BOLETO',
      data: { amount: 2500, dueDate: '2026-12-10', customer },
    });
  });

  it('sends items, coupons and installments of a checkout as the API wants them', () => {
    const item = [{ id: 'prod_1', quantity: 2 }];
    const read = parameters({ items: { item }, additionalFields: FIELDS });
    expect(requestOf('checkout', 'create', read).body).toEqual({
      items: item,
      externalId: 'order-1',
      coupons: ['A', 'B'],
      card: { maxInstallments: 3 },
      metadata: { a: 1 },
    });
  });

  it.each(['{', '[]', '"text"', 'null'])('refuses metadata that is %s', (metadata) => {
    const read = parameters({ additionalFields: { metadata } });
    expect(() => requestOf('customer', 'create', read)).toThrow('Metadata must be a JSON object');
  });
});

describe('idempotencyKeyOf', () => {
  const cause: Cause = {
    instanceId: 'instance',
    workflowId: 'workflow',
    executionId: '7',
    nodeId: 'node',
    runIndex: 0,
    itemIndex: 0,
    isTool: false,
  };
  const request = { path: 'payouts/create', body: { amount: 350 } };

  it('returns the same key for a retry, even if an expression gives another body', () => {
    const other = { ...request, body: { amount: 351 } };
    expect(idempotencyKeyOf({ ...cause }, other)).toBe(idempotencyKeyOf(cause, request));
    expect(idempotencyKeyOf(cause, request).length).toBeLessThan(100);
  });

  it.each([
    { instanceId: 'other' },
    { workflowId: 'other' },
    { executionId: '8' },
    { nodeId: 'other' },
    { runIndex: 1 },
    { itemIndex: 1 },
  ])('differs with %j', (change) => {
    expect(idempotencyKeyOf({ ...cause, ...change }, request)).not.toBe(idempotencyKeyOf(cause, request));
  });

  it('returns the same key for equal calls of a tool in one execution', () => {
    const tool = { ...cause, isTool: true };
    const other = { ...request, body: { amount: 351 } };
    expect(idempotencyKeyOf({ ...tool, runIndex: 1 }, request)).toBe(idempotencyKeyOf(tool, request));
    expect(idempotencyKeyOf(tool, other)).not.toBe(idempotencyKeyOf(tool, request));
  });
});

describe('collectPages', () => {
  const objects = Array.from({ length: 250 }, (_, index) => index);

  /** Answers like the API, and notes how much was asked for. */
  function pagesOf(asked: number[]) {
    return async ({ limit, after }: { limit: number; after?: string }) => {
      asked.push(limit);
      const start = Number(after ?? 0);
      const end = start + limit;
      return { data: objects.slice(start, end), pagination: { next: end < 250 ? String(end) : null } };
    };
  }

  it.each([
    [null, 250, [100, 100, 100]],
    [120, 120, [100, 20]],
    [5, 5, [5]],
    [0, 0, []],
  ])('reads at most %s objects', async (maximum, length, limits) => {
    const asked: number[] = [];
    expect(await collectPages(maximum, pagesOf(asked))).toEqual(objects.slice(0, length));
    expect(asked).toEqual(limits);
  });
});

describe('failureOf', () => {
  it('returns the message of the service with its code, fields and request', () => {
    const issues = [{ path: 'data.amount', message: 'must be positive' }];
    const body = { error: 'Amount is wrong', code: 'VALIDATION_ERROR', issues };
    expect(failureOf(400, body, 'req_1')).toEqual({
      message: 'Amount is wrong',
      description: 'HTTP 400 VALIDATION_ERROR. data.amount: must be positive. Request: req_1',
    });
  });

  it.each(['<html>', null, undefined, { error: '' }])('reports that %j is not from the service', (body) => {
    expect(failureOf(502, body, undefined).message).toContain('HTTP 502');
  });
});

describe('normalBaseUrl', () => {
  it.each(['https://a.example', 'https://a.example/', ' https://a.example/v2', 'https://a.example/v2/'])(
    'removes slash and version of "%s"',
    (address) => {
      expect(normalBaseUrl(address)).toBe('https://a.example');
    },
  );
});
