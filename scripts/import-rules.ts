/** A part of the code whose files may import the same. */
export interface Room {
  /** A folder or file, from the root of the project; a star stands for any part of a path. */
  readonly name: string;
  /** Rooms further down that may be imported, besides the room itself. */
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

/** The room of a file: the lowest one whose name fits. */
export function roomOf(rooms: readonly Room[], file: string): Room | null {
  return rooms.find(({ name }) => isIn(name, file)) ?? null;
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

/** Every room of the project. Dependencies point one way: down this list. */
export const { rooms: ROOMS } = new Layers()
  // Pure functions, checked by reading them: no clock, no input or output.
  .room('src/domain', { packages: ['cpf-cnpj-validator', 'pix-utils'] })
  .room('src/ids.ts', { imports: ['src/domain'] })
  .room('src/version.ts', {})
  .room('src/environment.ts', {})
  .room('src/config.ts', { imports: ['src/environment.ts'], types: ['src/domain'] })
  .room('src/error-report.ts', { packages: [] })
  .room('src/log.ts', { imports: ['src/error-report.ts'], types: ['src/config.ts'] })
  // What is kept encrypted, and with which keys.
  .room('src/secrets', { packages: ['node:crypto'] })
  .room('src/database', { imports: ['src/domain', 'src/ids.ts', 'src/secrets'] })
  .room('src/outbound', { imports: ['src/domain'] })
  // What each process counts of what it has done.
  .room('src/metrics', {
    imports: ['src/domain'],
    types: ['src/database', 'src/outbound'],
    packages: ['prom-client'],
  })
  // Traces (OpenTelemetry): what they are sent by, and spans of our own.
  .room('src/tracing', { types: ['src/config.ts'] })
  // Shapes that answers and events share.
  .room('src/wire', {
    imports: ['src/domain'],
    types: ['src/database'],
    packages: ['zod', 'qrcode', 'node:zlib'],
  })
  .room('src/providers', { imports: ['src/domain', 'src/ids.ts', 'src/database'] })
  // Accounts of stores at providers of real money: their secrets, and which of them is asked.
  .room('src/accounts', {
    imports: ['src/domain', 'src/ids.ts', 'src/secrets', 'src/database', 'src/metrics', 'src/providers'],
  })
  .room('src/events', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/wire'],
    types: ['src/providers'],
    packages: ['zod', 'zod-openapi'],
  })
  .room('src/charges', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/metrics', 'src/providers'],
  })
  // How payouts end, and what comes back of them.
  .room('src/payouts', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/providers', 'src/events'],
    packages: ['@mikro-orm/core', 'pino'],
  })
  // Rows that a restore lost, rebuilt from what providers remember.
  .room('src/recovery', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/providers', 'src/charges'],
    packages: [],
  })
  // A year of an invented shop, to look at.
  .room('src/demo', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/providers', 'src/charges'],
    packages: ['@mikro-orm/core', 'cpf-cnpj-validator'],
  })
  // The names by which workflows are started and woken; the API imports them, and so they import nothing that
  // runs.
  .room('workflows/*.contract.ts', { imports: ['src/domain'], packages: WORKFLOW_PACKAGES })
  .room('activities', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/error-report.ts',
      'src/secrets',
      'src/database',
      'src/outbound',
      'src/metrics',
      'src/tracing',
      'src/providers',
      'src/events',
      'src/charges',
      'src/payouts',
    ],
    types: ['workflows/*.contract.ts'],
  })
  .room('workflows', {
    imports: ['src/domain', 'workflows/*.contract.ts'],
    types: ['activities'],
    packages: WORKFLOW_PACKAGES,
  })
  // Who comes, from where, and how often.
  .room('src/traffic', { imports: ['src/domain', 'src/database'] })
  .room('src/temporal', {
    imports: ['src/domain', 'src/database', 'src/charges', 'src/traffic', 'workflows/*.contract.ts'],
    types: ['src/config.ts'],
  })
  .room('src/notifications', {
    imports: ['src/domain', 'src/database', 'src/providers', 'src/payouts', 'src/temporal'],
  })
  .room('src/payments', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/providers', 'src/charges', 'src/temporal'],
    types: ['src/config.ts'],
  })
  .room('src/pages', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/secrets',
      'src/database',
      'src/wire',
      'src/outbound',
      'src/providers',
      'src/charges',
      'src/payments',
      'src/traffic',
    ],
    types: ['src/config.ts', 'src/notifications'],
  })
  .room('src/api', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/secrets',
      'src/database',
      'src/wire',
      'src/outbound',
      'src/metrics',
      'src/providers',
      'src/events',
      'src/charges',
      'workflows/*.contract.ts',
      'src/temporal',
      'src/notifications',
      'src/payments',
      'src/traffic',
      'src/pages',
    ],
    types: ['src/config.ts'],
  })
  // People who sign in: passwords, sessions, links that let in once, and what they have done.
  .room('src/identity', {
    imports: ['src/domain', 'src/ids.ts', 'src/database', 'src/secrets'],
    packages: ['node:crypto', '@node-rs/argon2', 'otpauth', 'zod'],
  })
  // What people see and do. Whatever they do goes through the operations of the API.
  .room('src/dashboard', {
    imports: [
      'src/domain',
      'src/ids.ts',
      'src/secrets',
      'src/database',
      'src/wire',
      'src/providers',
      'src/events',
      'src/traffic',
      'src/pages',
      'src/api',
      'src/identity',
      'src/charges',
      'workflows/*.contract.ts',
    ],
    types: ['src/config.ts'],
  })
  // What payers and people who are invited are mailed.
  .room('src/mail', { imports: ['src/domain', 'src/database', 'src/pages', 'src/identity'] })
  // What people read about the API: the documents of this project, and a reference made from the API's own document.
  .room('src/reference', { imports: ['src/pages'] })
  .room('src/app.ts', { imports: ['src/traffic', 'src/pages', 'src/api', 'src/dashboard', 'src/reference'] })
  // How the processes are put together, started and stopped.
  .room('src/run', {
    imports: [
      'src/domain',
      'src/version.ts',
      'src/secrets',
      'src/database',
      'src/outbound',
      'src/metrics',
      'src/providers',
      'src/accounts',
      'activities',
      'src/temporal',
      'src/notifications',
      'src/traffic',
      'src/api',
      'src/mail',
      'src/app.ts',
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
      'src/demo',
      'src/secrets',
      'src/database',
      'src/outbound',
      'src/providers',
      'src/accounts',
      'src/events',
      'src/temporal',
      'src/api',
      'src/identity',
      'src/recovery',
      'src/run',
    ],
  })
  .room('src/server.ts', ENTRY_POINT)
  .room('src/worker.ts', ENTRY_POINT)
  .room('src/service.ts', ENTRY_POINT)
  .room('src/bundle.ts', ENTRY_POINT);
