import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { publishedDays, rangeOf } from '../frame/list-habits.ts';
import type { Route } from '../frame/route.ts';
import { documentedPath } from '../frame/route-paths.ts';
import { FORM_RULES, RULES } from '../frame/rules.ts';
import { operationPaths } from '../operations/openapi.ts';
import { isV1Path } from '../v1/envelope.ts';
import { FRAME_ERRORS, failures, success } from './answers.ts';
import { eventWebhooks } from './events.ts';
import { v1Answers } from './v1-answers.ts';

/**
 * The OpenAPI 3.1 description, generated from the same route declarations and schemas that serve requests.
 * Paths include their prefix; every `/v2` path is also served without it.
 */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Recebe',
        version: '2',
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service', url: publicUrl },
      },
      servers: [{ url: publicUrl }],
      security: [{ apiKey: [] }],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `abc_dev_…` or `abc_prod_…`.' },
          publicKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A public key, `pk_dev_…` or `pk_prod_…`.',
          },
        },
      },
      paths: { ...routePaths(routes), ...operationPaths },
      webhooks: eventWebhooks,
      tags: TAGS,
      'x-common-codes': FRAME_ERRORS,
      'x-rules': rulesOfCodes(),
    },
    { override: forGenerators },
  );
}

/** Forms that generators of clients understand; conformance/clients/README.md says which ones are tried. */
const forGenerators: ZodOpenApiOverride = (schema) => {
  plainConstants(schema);
  plainIntegers(schema);
  nullWithType(schema);
  withoutObjectDefault(schema);
  plainNullable(schema);
};

/** A field that is always null. Several generators have no type for `null` alone, so it is described as text that is null. */
const nullWithType: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (zodSchema._zod.def.type === 'null') jsonSchema.type = ['string', 'null'];
};

/** `["string", "null"]` instead of a choice of two schemas, which generators turn into a class of its own. */
const plainNullable: ZodOpenApiOverride = ({ jsonSchema }) => {
  const [of, nothing, ...more] = jsonSchema.anyOf ?? [];
  if (of === undefined || nothing?.type !== 'null' || more.length > 0) return;
  if (typeof of.type !== 'string' || of.enum !== undefined || of.const !== undefined) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...of, ...jsonSchema, type: [of.type, 'null'] });
};

/** Generators write a default into the client's code, which several of them cannot do for objects. */
const withoutObjectDefault: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (typeof jsonSchema.default === 'object' && !Array.isArray(jsonSchema.default)) delete jsonSchema.default;
};

/** A whole number that is always the same is an integer, and a truth value that is always the same has no constant: both fail in Java. */
const plainConstants: ZodOpenApiOverride = ({ jsonSchema }) => {
  const { type, const: only } = jsonSchema;
  if (type === 'number' && Number.isInteger(only)) jsonSchema.type = 'integer';
  if (type !== 'boolean' || only === undefined) return;
  delete jsonSchema.const;
  jsonSchema.description ??= `Always ${only}.`;
};

/** Zod limits integers to JavaScript's safe range. Clients in other languages should use 64-bit integers. */
const plainIntegers: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.type !== 'integer') return;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  jsonSchema.format = 'int64';
};

/** The sections of the reference, in the order in which an integrator needs them. */
const TAGS: { readonly name: string; readonly description: string }[] = [
  { name: 'transparents', description: 'PIX charges, boletos and card charges on pages of your own.' },
  { name: 'card-tokens', description: 'Cards that payers type on pages of your own.' },
  { name: 'saved-cards', description: 'Cards that a customer has agreed to keep for later payments.' },
  { name: 'checkouts', description: 'Hosted pages on which a payer pays once, by PIX, boleto or card.' },
  { name: 'payment-links', description: 'Hosted pages that any number of payers pay through.' },
  { name: 'payments', description: 'Every payment, of every kind.' },
  {
    name: 'mandates',
    description: 'Authorizations of debits by PIX (Pix Automático), which subscriptions ask for.',
  },
  { name: 'invoices', description: 'Numbered invoices of cycles and of payments of checkouts.' },
  { name: 'reminders', description: 'When and how payers are reminded of boletos and subscriptions.' },
  { name: 'customers', description: 'Who pays.' },
  {
    name: 'customer-portal',
    description: 'Links with which customers see their payments, and manage their subscriptions.',
  },
  { name: 'products', description: 'Goods and services that you sell, once or every cycle.' },
  { name: 'coupons', description: 'Discounts, with limits on customers and uses.' },
  {
    name: 'subscriptions',
    description: 'Recurring charges, with trials, usage and plan changes.',
  },
  { name: 'webhooks', description: 'Endpoints that receive events, and the deliveries to them.' },
  { name: 'events', description: 'Events of the store, one by one.' },
  { name: 'event-payloads', description: 'The requests that endpoints receive, one per event.' },
  { name: 'store', description: 'The store behind the key, and its balance.' },
  { name: 'balance', description: 'Changes of the balance.' },
  { name: 'bank-statement', description: 'The same changes, in the words of bank statements.' },
  { name: 'payouts', description: "Money from the balance to the store's own account." },
  { name: 'pix', description: 'Money from the balance to any PIX key.' },
  { name: 'sub-accounts', description: 'Money of third parties, such as sellers, apart from the balance.' },
  { name: 'public-mrr', description: 'Revenue figures that a store may publish.' },
  { name: 'dev', description: 'Simulates providers and payers in dev mode.' },
  { name: 'operations', description: 'Endpoints for load balancers and tools, without a key.' },
  { name: 'v1', description: 'The deprecated version, with the same objects.' },
  { name: 'v1-event-payloads', description: 'The requests that endpoints of v1 receive.' },
];

const INTRODUCTION = `Collects payments in Brazilian reais.

- Every path under \`/v2\` is also served without the prefix.
- Paths under \`/v1\` return the same objects as \`{ data, error }\`, with \`Deprecation\` and \`Sunset\` headers, through 1 March
  2028 in São Paulo. After that they return 410. Their lists return everything, newest first, 1000 objects at a time: follow the \`Link\`
  header for more.
- The API key determines store and environment: \`devMode\` is true for simulated payments.
- A key may be read-only (every POST fails with \`READ_ONLY_KEY\`), expire (\`KEY_EXPIRED\`), or be limited to IP networks
  (\`ADDRESS_NOT_ALLOWED\`).
- Amounts are integer cents. Timestamps are ISO 8601 in UTC.
- Unknown body fields and query parameters are refused. Lists have no pages by number: a \`page\` other than 1 and an \`offset\` other
  than 0 are refused, and a \`cursor\` is read as \`after\`. Fields that responses return
  as null accept null in requests. An \`id\` that a POST takes as a parameter may also be sent in the body.
- A POST with an \`Idempotency-Key\` is carried out once. If you repeat the request (equal as JSON) within 24 hours, you get the stored
  status and body with \`Idempotent-Replayed: true\`. Only successes are stored; after an error you can retry with the same key.
- Every response has a new \`X-Request-Id\`. An \`X-Request-Id\` that you send is returned as \`X-Client-Request-Id\` if it has 1 to 128
  letters, digits and \`. _ : / = + -\`, including at least one letter.`;

/** Every rule with its code and meaning. */
function rulesOfCodes() {
  const ofForm = Object.entries(FORM_RULES).map(([name, meaning]) => [
    name,
    { code: 'VALIDATION_ERROR', meaning },
  ]);
  return { ...Object.fromEntries(ofForm), ...RULES };
}

function routePaths(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = documentedPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path) };
  }
  return paths;
}

function operation(route: Route, path: string): ZodOpenApiOperationObject {
  const v1 = isV1Path(path);
  const permissions = route.permission === null ? [] : [route.permission].flat();
  const operationId = operationIdOf(path);
  return {
    operationId,
    summary: route.summary,
    description: [
      route.description,
      route.publicKey ? 'Needs a public key (`pk_…`).' : permissionNote(permissions, route.alsoNeeds),
    ]
      .filter(Boolean)
      .join('\n\n'),
    tags: [v1 ? 'v1' : (route.path.split('/')[1] ?? '')],
    ...(v1 && { deprecated: true }),
    ...(route.publicKey && { security: [{ publicKey: [] }] }),
    'x-permission': permissions,
    ...(route.alsoNeeds && { 'x-also-needs': route.alsoNeeds }),
    requestParams: {
      query: rangeOf(route) === null ? route.query : route.query.extend(publishedDays.shape),
      ...(route.method === 'POST' && !route.publicKey && { header: postHeaders }),
      ...(route.stream && { header: streamHeaders }),
    },
    ...(route.body !== null && { requestBody: requestBody(route, operationId) }),
    responses: v1 ? v1Answers(route) : { '200': success(route), ...failures(route) },
  };
}

function permissionNote(permissions: readonly string[], also: readonly string[] = []): string {
  if (permissions.length === 0) return 'Needs a valid API key with any permissions.';
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const others = also.length === 0 ? '' : `, and also ${quoted(also).join(' and ')}`;
  return `Needs the permission ${quoted(permissions).join(' or ')}${others}.`;
}

/** Has no example: tools that generate requests from the document would send the same key every time. */
const postHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'Makes a retry safe: the same key and request are carried out once within 24 hours. Use a new key, such as a UUID, for each new request.',
  }),
});

const streamHeaders = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description:
      'Continues after this event; `0` starts at the oldest event. Without it, the stream starts with new events.',
  }),
});

/** For example `paymentLinksCreate`, and `v1CustomerCreate`. */
function operationIdOf(path: string): string {
  return path
    .replace('/v2/', '/')
    .slice(1)
    .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A body as a schema of its own, named after the operation. */
function namedBody(schema: z.ZodType, operationId: string): z.ZodType {
  const id = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  return schema.meta({ ...schema.meta(), id });
}

function requestBody(route: Route, operationId: string) {
  const { example } = route;
  const schema = route.body ?? z.object({});
  const required = !schema.safeParse({}).success;
  const content = {
    schema: namedBody(schema, operationId),
    ...(example.body !== undefined && { example: example.body }),
  };
  return { required, content: { 'application/json': content } };
}
