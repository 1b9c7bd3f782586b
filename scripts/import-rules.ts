/** A part of the code whose files may import the same. */
export interface Room {
  /** A folder or file, from the root of the project; a star stands for any part of a path. */
  readonly name: string;
  /** Rooms further down that may be imported, in addition to the room itself. */
  readonly imports: readonly string[];
  /** Rooms further down of which only types may be imported (`import type`), and so nothing that runs. */
  readonly types: readonly string[];
  readonly packages: 'any' | readonly string[];
}

interface Allowed<Below extends string> {
  readonly imports?: readonly Below[];
  readonly types?: readonly Below[];
  /** Any, where nothing is said. */
  readonly packages?: readonly string[];
}

/**
 * Rooms from the bottom up. One may only allow itself what was named before it: an arrow up does not compile.
 */
export class Layers<Below extends string = never> {
  readonly rooms: readonly Room[];

  constructor(rooms: readonly Room[] = []) {
    this.rooms = rooms;
  }

  room<Name extends string>(name: Name, allowed: Allowed<Below>): Layers<Below | Name> {
    const { imports = [], types = [], packages = 'any' } = allowed;
    return new Layers([...this.rooms, { name, imports, types, packages }]);
  }
}

/** The room of a file: the one whose name says most about it. */
export function roomOf(rooms: readonly Room[], file: string): Room | null {
  const [room = null] = rooms
    .filter(({ name }) => isIn(name, file))
    .toSorted((one, other) => other.name.length - one.name.length);
  return room;
}

function isIn(name: string, file: string): boolean {
  const [start = '', end] = name.split('*');
  if (end !== undefined) return file.startsWith(start) && file.endsWith(end);
  return file === name || file.startsWith(`${name}/`);
}

/** What runs in Temporal's sandbox, where nothing else loads or is deterministic. */
const WORKFLOW_PACKAGES = ['@temporalio/workflow', '@temporalio/common'];

/** What an entry point puts together. */
const ENTRY_POINT = {
  imports: [
    'src/run',
    'src/temporal',
    'src/tracing',
    'src/database',
    'src/secrets',
    'src/log.ts',
    'src/config.ts',
  ],
} as const;

/** Every room of the product. Dependencies point one way: down this list. */
const PRODUCT = new Layers()
  // Pure functions, checked by reading them: no clock, no input or output.
  .room('src/domain', { packages: ['cpf-cnpj-validator', 'pix-utils'] })
  .room('src/ids.ts', { imports: ['src/domain'] })
  .room('src/version.ts', {})
  .room('src/environment-variables.ts', {})
  // Requests to addresses that strangers chose.
  .room('src/outbound', { imports: ['src/domain'] })
  .room('src/config.ts', { imports: ['src/environment-variables.ts', 'src/outbound', 'src/domain'] })
  .room('src/error-report.ts', { packages: [] })
  .room('src/log.ts', { imports: ['src/error-report.ts'], types: ['src/config.ts'] })
  // How workflows are started and woken. Capabilities and the API import it, so it imports nothing that runs.
  .room('workflows/*.contract.ts', { types: ['src/domain'], packages: WORKFLOW_PACKAGES })
  // What is stored encrypted, and with which keys.
  .room('src/secrets', { packages: ['node:crypto'] })
  // How long each request keeps the main thread busy.
  .room('src/request-cost.ts', { packages: ['node:async_hooks', 'node:timers/promises'] })
  // How a request leaves its turn before its end.
  .room('src/request-turn.ts', {})
  // Tables, migrations and the query kit.
  .room('src/database', { imports: ['src/domain', 'src/ids.ts', 'src/secrets', 'src/request-cost.ts'] })
  // Stores: their profile, and how each reminds, bills and lets payers help themselves.
  .room('src/stores', { imports: ['src/domain', 'src/database'], packages: [] })
  // What each process counts.
  .room('src/metrics', { types: ['src/domain', 'src/database', 'src/outbound'], packages: ['prom-client'] })
  // Traces (OpenTelemetry).
  .room('src/tracing', { types: ['src/config.ts'] })
  // Shapes that responses and events share.
  .room('src/wire', {
    imports: ['src/domain'],
    types: ['src/database'],
    packages: ['zod', 'qrcode', 'node:zlib'],
  })
  // The texts of pages, mails and invoices, in every language.
  .room('src/web/i18n', { imports: ['src/domain'] })
  // What every HTTP surface shares: client addresses, connections, rate limits.
  .room('src/http', { imports: ['src/domain', 'src/database'] })
  // Mails that wait to be sent.
  .room('src/mail/queue', { imports: ['src/domain', 'src/database'], packages: [] })
  // What people and keys did, in a chain that shows a change.
  .room('src/audit-log', { imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/mail/queue'] })
  // The port to payment providers, and a folder per provider.
  .room('src/providers', { imports: ['src/domain', 'src/ids.ts', 'src/outbound', 'src/database'] })
  // Money: movements, balances, suspense, and their verification.
  .room('src/ledger', { imports: ['src/domain', 'src/ids.ts', 'src/database'] })
  // Money of third parties in a store's books: sub-accounts and the splits that fill them.
  .room('src/sub-accounts', { imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/ledger'] })
  // What is published, as stores see it.
  .room('src/events', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/wire', 'src/ledger'],
    types: ['src/providers'],
    packages: ['zod', 'zod-openapi'],
  })
  // Cards that payers typed on a shop's page or saved, and what becomes of stored cards.
  .room('src/cards', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/providers', 'src/events'],
    types: ['src/secrets'],
    packages: ['node:crypto', 'pino', 'p-limit'],
  })
  // Invoices: their rows, numbers, events and PDFs, and the documents of the NFS-e.
  .room('src/invoices', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/wire',
      'src/web/i18n',
      'src/version.ts',
      'src/events',
      'src/stores',
    ],
    packages: [
      'node:timers/promises',
      'node:fs',
      'node:module',
      'node:worker_threads',
      '@mikro-orm/core',
      'pino',
      'pdfkit',
      'fast-xml-builder',
    ],
  })
  // A charge from its creation to its refund.
  .room('src/charges', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/secrets',
      'src/database',
      'src/metrics',
      'src/providers',
      'src/ledger',
      'src/sub-accounts',
      'src/events',
      'src/cards',
      'src/invoices',
    ],
    types: ['workflows/*.contract.ts'],
  })
  .room('src/customers', {
    imports: ['src/domain', 'src/ids.ts', 'src/database'],
    types: ['src/secrets'],
    packages: ['node:crypto', '@mikro-orm/core'],
  })
  // Cycles, retries of failed ones, plans.
  .room('src/subscriptions', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/secrets',
      'src/request-cost.ts',
      'src/database',
      'src/metrics',
      'src/providers',
      'src/events',
      'src/cards',
      'src/invoices',
      'src/charges',
      'src/stores',
    ],
    types: ['workflows/*.contract.ts'],
  })
  // Authorizations of debits by PIX, and the debits under them.
  .room('src/mandates', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/mail/queue',
      'src/providers',
      'src/charges',
      'src/subscriptions',
      'src/stores',
    ],
    packages: ['pino', 'p-limit', 'node:timers/promises'],
  })
  .room('src/payouts', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/providers',
      'src/ledger',
      'src/sub-accounts',
      'src/events',
    ],
    types: ['src/secrets', 'src/charges'],
  })
  // Delivery of events to endpoints.
  .room('src/webhooks', {
    imports: ['src/domain', 'src/database', 'src/outbound', 'src/metrics', 'src/tracing', 'src/events'],
    types: ['src/secrets'],
  })
  // Starts, signals and updates of workflows.
  .room('src/temporal', {
    imports: [
      'src/domain',
      'workflows/*.contract.ts',
      'src/database',
      'src/http',
      'src/events',
      'src/charges',
    ],
    types: ['src/config.ts', 'src/ledger'],
  })
  // Payments through a hosted checkout, and its end.
  .room('src/checkouts', {
    imports: [
      'src/domain',
      'src/database',
      'src/mail/queue',
      'src/events',
      'src/cards',
      'src/charges',
      'src/customers',
      'src/providers',
      'src/temporal',
      'src/mandates',
    ],
    types: ['src/config.ts'],
  })
  // Reminders of unpaid charges and subscriptions: which are due, what they say, who may get them, who wants no more.
  .room('src/reminders', {
    imports: [
      'src/domain',
      'src/database',
      'src/mail/queue',
      'src/events',
      'src/customers',
      'src/subscriptions',
      'src/stores',
    ],
    packages: ['node:crypto', 'pino'],
  })
  // Deletes what is no longer kept.
  .room('src/retention', { imports: ['src/ids.ts', 'src/database'], types: ['src/domain'] })
  // Registration: each activity parses its input, calls its capability, and sends heartbeats.
  .room('activities', {
    imports: [
      'src/domain',
      'src/error-report.ts',
      'src/database',
      'src/providers',
      'src/ledger',
      'src/events',
      'src/charges',
      'src/cards',
      'src/subscriptions',
      'src/payouts',
      'src/webhooks',
      'src/checkouts',
      'src/reminders',
      'src/retention',
      'src/mandates',
    ],
    types: ['workflows/*.contract.ts'],
  })
  .room('workflows', {
    imports: ['src/domain', 'workflows/*.contract.ts'],
    types: ['src/mandates', 'src/subscriptions', 'src/webhooks', 'activities'],
    packages: WORKFLOW_PACKAGES,
  })
  // What providers notify or list: payments, refunds, disputes, transfers.
  .room('src/notifications', {
    imports: [
      'src/domain',
      'src/database',
      'src/providers',
      'src/cards',
      'src/charges',
      'src/payouts',
      'src/mandates',
    ],
    types: ['src/temporal'],
  })
  // Stores' accounts at providers of real money.
  .room('src/accounts', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/metrics',
      'src/providers',
      'src/ledger',
      'src/mandates',
      'src/notifications',
    ],
    types: ['src/secrets'],
  })
  // Finds overdue and lost work and resumes it: sweeper, auditor, rebuild, lost rows.
  .room('src/recovery', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'workflows/*.contract.ts',
      'src/database',
      'src/audit-log',
      'src/providers',
      'src/ledger',
      'src/invoices',
      'src/charges',
      'src/payouts',
      'src/temporal',
      'src/notifications',
      'src/accounts',
    ],
  })
  // Test clocks that stores move.
  .room('src/clock', {
    imports: [
      'src/domain',
      'workflows/*.contract.ts',
      'src/http',
      'src/database',
      'src/events',
      'src/subscriptions',
      'src/temporal',
      'src/recovery',
      'src/mandates',
    ],
  })
  // A year of an invented shop.
  .room('src/demo', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/providers',
      'src/ledger',
      'src/charges',
      'src/customers',
      'src/invoices',
    ],
    packages: ['@mikro-orm/core', 'cpf-cnpj-validator'],
  })
  // A folder per resource.
  .room('src/api', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'workflows/*.contract.ts',
      'src/secrets',
      'src/request-cost.ts',
      'src/request-turn.ts',
      'src/database',
      'src/metrics',
      'src/wire',
      'src/http',
      'src/audit-log',
      'src/providers',
      'src/ledger',
      'src/sub-accounts',
      'src/events',
      'src/charges',
      'src/cards',
      'src/invoices',
      'src/customers',
      'src/subscriptions',
      'src/mandates',
      'src/payouts',
      'src/webhooks',
      'src/temporal',
      'src/checkouts',
      'src/notifications',
      'src/recovery',
      'src/reminders',
      'src/stores',
    ],
    types: ['src/config.ts', 'src/clock'],
  })
  // The older version of the API, in its own format. Nothing that it is made of imports it.
  .room('src/api/v1', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/wire', 'src/customers', 'src/api'],
  })
  // The document that describes every version.
  .room('src/api/openapi', { imports: ['src/domain', 'src/events', 'src/api', 'src/api/v1'] })
  // Customers, products, coupons, subscriptions and payments of other systems. What is imported keeps the rules of the API.
  .room('src/imports', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/outbound',
      'src/database',
      'src/wire',
      'src/providers',
      'src/customers',
      'src/api',
    ],
  })
  // People who sign in: passwords, sessions, one-time links, roles.
  .room('src/identity', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/mail/queue', 'src/payouts'],
    types: ['src/secrets'],
    packages: ['node:crypto', '@node-rs/argon2', 'otpauth', 'zod'],
  })
  // Payers who sign in to the customer portal: links, codes, sessions, and which rows are theirs.
  .room('src/portal', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/database',
      'src/identity',
      'src/audit-log',
      'src/customers',
      'src/events',
    ],
    packages: ['node:crypto', '@mikro-orm/core'],
  })
  // What all pages share.
  .room('src/web/frame', {
    imports: [
      'src/domain',
      'src/request-turn.ts',
      'src/request-cost.ts',
      'src/database',
      'src/providers',
      'src/web/i18n',
      'src/stores',
    ],
    types: ['src/secrets', 'src/wire', 'src/http', 'src/checkouts', 'src/notifications'],
  })
  // What members see. Every change goes through an operation of the API.
  .room('src/web/dashboard', {
    imports: [
      'src/domain',
      'workflows/*.contract.ts',
      'src/secrets',
      'src/wire',
      'src/audit-log',
      'src/providers',
      'src/ledger',
      'src/sub-accounts',
      'src/events',
      'src/charges',
      'src/customers',
      'src/invoices',
      'src/mandates',
      'src/subscriptions',
      'src/payouts',
      'src/webhooks',
      'src/notifications',
      'src/accounts',
      'src/api',
      'src/identity',
      'src/web/i18n',
      'src/request-turn.ts',
      'src/web/frame',
      'src/stores',
      'src/http',
      'src/recovery',
    ],
    // Rows only: what is read or changed is a capability's, which the API uses too.
    types: ['src/database'],
  })
  // The guides, and the reference made of the API's own document.
  .room('src/web/docs', { imports: ['src/domain', 'src/web/frame', 'src/web/i18n'] })
  // What payers see: checkout, boleto, receipt, portal. Every change in the portal goes through an operation of the API.
  .room('src/web', {
    imports: [
      'src/domain',
      'src/request-turn.ts',
      'src/outbound',
      'src/secrets',
      'src/database',
      'src/wire',
      'src/providers',
      'src/cards',
      'src/charges',
      'src/checkouts',
      'src/customers',
      'src/invoices',
      'src/subscriptions',
      'src/mandates',
      'src/api',
      'src/identity',
      'src/portal',
      'src/reminders',
      'src/web/i18n',
      'src/web/frame',
      'src/stores',
    ],
    types: ['src/http'],
  })
  // Receipts, invoices, reminders, invitations and notices.
  .room('src/mail', {
    imports: [
      'src/domain',
      'src/database',
      'src/http',
      'src/mail/queue',
      'src/audit-log',
      'src/customers',
      'src/identity',
      'src/invoices',
      'src/mandates',
      'src/portal',
      'src/reminders',
      'src/web/i18n',
      'src/web/frame',
      'src/web',
      'src/stores',
    ],
  })
  .room('src/app.ts', {
    imports: [
      'src/request-cost.ts',
      'src/http',
      'src/api',
      'src/api/v1',
      'src/api/openapi',
      'src/web/dashboard',
      'src/web/docs',
      'src/web',
    ],
  })
  // Puts processes together, starts and stops them.
  .room('src/run', {
    imports: [
      'src/domain',
      'src/version.ts',
      'src/secrets',
      'src/database',
      'src/outbound',
      'src/metrics',
      'src/http',
      'src/providers',
      'src/events',
      'src/invoices',
      'src/charges',
      'src/subscriptions',
      'src/reminders',
      'src/temporal',
      'activities',
      'src/notifications',
      'src/accounts',
      'src/recovery',
      'src/clock',
      'src/api',
      'src/mail',
      'src/app.ts',
      'src/webhooks',
      'src/mandates',
    ],
    types: ['src/config.ts', 'src/tracing'],
  })
  .room('src/cli', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/version.ts',
      'src/config.ts',
      'src/log.ts',
      'src/secrets',
      'src/database',
      'src/outbound',
      'src/audit-log',
      'src/providers',
      'src/ledger',
      'src/events',
      'src/payouts',
      'src/webhooks',
      'src/temporal',
      'src/notifications',
      'src/accounts',
      'src/recovery',
      'src/demo',
      'src/api',
      'src/imports',
      'src/identity',
      'src/run',
      'src/stores',
    ],
  })
  .room('src/server.ts', ENTRY_POINT)
  .room('src/worker.ts', ENTRY_POINT)
  .room('src/service.ts', ENTRY_POINT)
  .room('src/bundle.ts', ENTRY_POINT)
  .room('src/compile.ts', { imports: ['src/service.ts'] });

/** What tests and tools may always import. */
const WHOLE_PRODUCT = PRODUCT.rooms.map(({ name }) => name) as (typeof PRODUCT extends Layers<infer Name>
  ? Name
  : never)[];

/** Every room of the project: the product, and above it the tests and tools, which the product never imports. */
export const { rooms: ROOMS } = PRODUCT
  // Servers and processes for development: Postgres, Temporal, the instance's folder.
  .room('scripts/embedded', { imports: WHOLE_PRODUCT })
  // A bank that speaks API Pix and injects faults.
  .room('scripts/psp', { imports: [...WHOLE_PRODUCT, 'scripts/embedded'] })
  .room('examples', { imports: [] })
  // Fixtures, factories and faults.
  .room('test/support', { imports: [...WHOLE_PRODUCT, 'scripts/embedded', 'scripts/psp'] })
  // The money model that tests, chaos and soak compare with.
  .room('test/model', { imports: [...WHOLE_PRODUCT, 'test/support'] })
  .room('test/replay', { imports: [...WHOLE_PRODUCT, 'test/support'] })
  .room('scripts/conformance', {
    imports: [...WHOLE_PRODUCT, 'scripts/embedded', 'scripts/psp', 'test/support'],
  })
  .room('scripts/chaos', {
    imports: [...WHOLE_PRODUCT, 'scripts/embedded', 'scripts/psp', 'test/support', 'test/model'],
  })
  // Judges the Helm chart.
  .room('scripts/chart', { imports: [...WHOLE_PRODUCT, 'scripts/embedded'] })
  .room('scripts/bench', { imports: [...WHOLE_PRODUCT, 'scripts/embedded', 'scripts/psp', 'test/support'] })
  .room('scripts/prose', {})
  .room('scripts/advisories', {})
  // Makes what is generated in the SDKs.
  .room('scripts/sdks', { imports: WHOLE_PRODUCT })
  // Packages that users install: they import nothing of this project. Adapters are built on the packed SDK.
  .room('sdks/better-auth', {
    imports: [],
    packages: ['@recebe/sdk', 'better-auth', 'better-auth/api', 'better-auth/client'],
  })
  .room('sdks/nextjs', { imports: [], packages: ['@recebe/sdk', 'next/server.js'] })
  // Nodes that n8n verifies have no packages of their own, so they do not use the SDK.
  .room('sdks/n8n', { imports: [], packages: ['n8n-workflow', 'node:crypto'] })
  .room('sdks', { imports: [], packages: [] })
  // Templates of a provider.
  .room('scripts/scaffold', { packages: ['node:fs'] })
  // Commands: what npm scripts start.
  .room('scripts', {
    imports: [
      ...WHOLE_PRODUCT,
      'scripts/embedded',
      'scripts/prose',
      'scripts/advisories',
      'scripts/scaffold',
      'scripts/sdks',
      'scripts/conformance',
      'test/support',
      'test/model',
      'test/replay',
    ],
  })
  // Long runs against banks in a box, with Banco Central's document between.
  .room('test/banks', {
    imports: [...WHOLE_PRODUCT, 'scripts/embedded', 'scripts/psp', 'scripts/conformance', 'test/support'],
  })
  // Tests of the tools themselves.
  .room('test/scripts', {
    imports: [
      ...WHOLE_PRODUCT,
      'scripts/embedded',
      'scripts/psp',
      'test/support',
      'scripts/conformance',
      'scripts/chaos',
      'scripts/bench',
      'scripts/prose',
      'scripts/advisories',
      'scripts',
    ],
  })
  .room('test', {
    imports: [
      ...WHOLE_PRODUCT,
      'scripts/embedded',
      'scripts/psp',
      'scripts/sdks',
      'sdks/n8n',
      'sdks',
      'examples',
      'test/support',
      'test/model',
      'test/replay',
    ],
  });
