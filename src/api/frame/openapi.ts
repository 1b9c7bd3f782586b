import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { operationPaths } from '../operations/openapi.ts';
import { FRAME_ERRORS, failures, success } from './openapi-answers.ts';
import { eventWebhooks } from './openapi-events.ts';
import { v1Answers } from './openapi-v1-answers.ts';
import { documentedPaths, isV1Path, type Route } from './route.ts';
import { FORM_RULES, RULES } from './rules.ts';

/**
 * The API's description in OpenAPI 3.1, made from the very declarations and schemas that serve it. Paths are
 * listed with their prefix; every one under `/v2` is served without it too.
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
        },
      },
      paths: { ...routePaths(routes), ...operationPaths },
      webhooks: eventWebhooks,
      tags: TAGS,
      'x-common-codes': FRAME_ERRORS,
      'x-rules': rulesOfCodes(),
    },
    { override: plainIntegers },
  );
}

/** A schema of Zod bounds every integer by what JavaScript can hold; to other languages it is one of 64 bits. */
const plainIntegers: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.type !== 'integer') return;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  jsonSchema.format = 'int64';
};

/** What the reference's sections are, in the order in which an integrator meets them. */
const TAGS: { readonly name: string; readonly description: string }[] = [
  { name: 'transparents', description: 'PIX charges and boletos that you show on pages of your own.' },
  { name: 'checkouts', description: 'Hosted pages on which a payer pays once, by PIX, boleto or card.' },
  { name: 'payment-links', description: 'Hosted pages that any number of payers pay through.' },
  { name: 'payments', description: 'Every payment, whatever it pays for.' },
  { name: 'customers', description: 'Who pays.' },
  { name: 'products', description: 'What is sold, once or every cycle.' },
  { name: 'coupons', description: 'What is taken off the price, for whom, and how often.' },
  {
    name: 'subscriptions',
    description: 'What is charged every cycle, with trials, usage and changes of plan.',
  },
  { name: 'webhooks', description: 'Endpoints that are told of events, and what was delivered to them.' },
  { name: 'events', description: 'What is told, event by event.' },
  { name: 'store', description: 'The store behind the key, and its balance.' },
  { name: 'balance', description: 'What has changed the balance.' },
  { name: 'payouts', description: "Money from the balance to the store's own account." },
  { name: 'pix', description: 'Money from the balance to any PIX key.' },
  { name: 'public-mrr', description: 'What a store may show of its revenue.' },
  { name: 'dev', description: 'What banks and payers do, simulated in dev mode.' },
  { name: 'operations', description: 'What load balancers and tools ask for: no key is needed.' },
  { name: 'v1', description: 'The deprecated version, with the same objects.' },
];

const INTRODUCTION = `Collects payments in Brazilian reais.

- Every path under \`/v2\` is also served without the prefix.
- Paths under \`/v1\` show the same objects as \`{ data, error }\`, with \`Deprecation\` and \`Sunset\` headers, through 1 March
  2028 in São Paulo; from then on they answer 410. Their lists return everything, newest first, 1000 objects at a time: follow the \`Link\`
  header for more.
- The API key decides store and environment: \`devMode\` is true for simulated payments.
- A key may be read-only (every POST is refused with \`READ_ONLY_KEY\`), expire (\`KEY_EXPIRED\`), or be kept to IP networks
  (\`ADDRESS_NOT_ALLOWED\`).
- Amounts are whole cents, timestamps ISO 8601 in UTC.
- Unknown body fields and query parameters are refused; only \`page\`, \`offset\` and \`cursor\` are ignored. What is answered as null
  may be sent as null, and an \`id\` that a POST takes as a parameter may stand in its body.
- A POST with an \`Idempotency-Key\` is carried out once: within 24 hours the same request (equal as JSON) is answered with the stored status
  and body and \`Idempotent-Replayed: true\`. Only successes are stored; after an error the same key may be sent again.
- Every answer carries \`X-Request-Id\`, a new one for each request. An \`X-Request-Id\` that you send comes back as
  \`X-Client-Request-Id\` if it is 1 to 128 letters, digits and \`. _ : / = + -\` with a letter among them.`;

/** Every rule with its code and what it means. */
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
    for (const path of documentedPaths(route)) {
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path) };
    }
  }
  return paths;
}

function operation(route: Route, path: string): ZodOpenApiOperationObject {
  const v1 = isV1Path(path);
  const permissions = route.permission === null ? [] : [route.permission].flat();
  return {
    operationId: path
      .replace('/v2/', '/')
      .slice(1)
      .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: route.summary,
    description: [route.description, permissionNote(permissions, route.alsoNeeds)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [v1 ? 'v1' : (route.path.split('/')[1] ?? '')],
    ...(v1 && { deprecated: true }),
    'x-permission': permissions,
    ...(route.alsoNeeds && { 'x-also-needs': route.alsoNeeds }),
    requestParams: {
      query: route.query,
      ...(route.method === 'POST' && { header: postHeaders }),
      ...(route.stream && { header: streamHeaders }),
    },
    ...(route.body !== null && { requestBody: requestBody(route) }),
    responses: v1 ? v1Answers(route) : { '200': success(route), ...failures(route) },
  };
}

function permissionNote(permissions: readonly string[], also: readonly string[] = []): string {
  if (permissions.length === 0) return 'Needs a valid API key, whatever its permissions.';
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const others = also.length === 0 ? '' : `, and also ${quoted(also).join(' and ')}`;
  return `Needs the permission ${quoted(permissions).join(' or ')}${others}.`;
}

/** Without an example: programs that make requests of the document would send that one with every request. */
const postHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'Makes a retry safe: the same key and request are carried out once within 24 hours. Make a new one, such as a UUID, for each new request.',
  }),
});

const streamHeaders = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description:
      'Go on after this event; `0` for everything there is. Left out: begin with what happens now.',
  }),
});

function requestBody(route: Route) {
  const { example } = route;
  const schema = route.body ?? z.object({});
  const required = !schema.safeParse({}).success;
  const content = { schema, ...(example.body !== undefined && { example: example.body }) };
  return { required, content: { 'application/json': content } };
}
