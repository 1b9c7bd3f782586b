/** What the files of one part of the code may import. */
export interface ImportRule {
  /** Paths from the root of the project that the rule is for; the first rule that fits a file counts. */
  files: RegExp;
  /** Own files that may be imported. */
  local: RegExp;
  /** Own files of which only types may be imported (`import type`), and so nothing that runs. */
  localTypes?: RegExp;
  packages: 'any' | readonly string[];
  /** The rule in words, for whoever breaks it. */
  says: string;
}

/** What runs in Temporal's sandbox, where nothing else loads or is deterministic. */
const WORKFLOW_PACKAGES = ['@temporalio/workflow', '@temporalio/common'];

/** Dependencies point one way. Files without a rule are entry points, which wire everything. */
export const RULES: readonly ImportRule[] = [
  {
    files: /^src\/domain\//,
    local: /^src\/domain\//,
    // Pure functions, checked by reading them: no clock, no input or output.
    packages: ['cpf-cnpj-validator', 'pix-utils'],
    says: 'src/domain imports only itself and pure libraries',
  },
  {
    files: /^workflows\/.*\.contract\.ts$/,
    local: /^(src\/domain\/|workflows\/.*\.contract\.ts$)/,
    packages: WORKFLOW_PACKAGES,
    says: 'contracts import only the domain and other contracts, as the API imports them',
  },
  {
    files: /^workflows\//,
    local: /^(src\/domain\/|workflows\/)/,
    localTypes: /^activities\//,
    packages: WORKFLOW_PACKAGES,
    says: 'workflows import only the domain, each other, @temporalio/workflow, and types of activities',
  },
  {
    files: /^activities\//,
    local:
      /^(activities\/|src\/(domain|database|providers|outbound|events|charges)\/|src\/(ids|error-report)\.ts$)/,
    localTypes: /^workflows\/.*\.contract\.ts$/,
    packages: 'any',
    says: 'activities import only the domain, database, providers, outbound, events, charges, ids and error reports',
  },
  {
    files: /^src\/api\//,
    local:
      /^(src\/(api|payments|charges|events|domain|database|providers|outbound|temporal|notifications|pages|wire)\/|src\/ids\.ts$|workflows\/.*\.contract\.ts$)/,
    localTypes: /^src\/config\.ts$/,
    packages: 'any',
    says: 'src/api imports only the domain, database, providers, outbound, temporal, notifications, charges, payments, events, pages, wire, ids and workflow contracts',
  },
  {
    files: /^src\/payments\//,
    local: /^(src\/(payments|charges|domain|database|providers|temporal)\/|src\/ids\.ts$)/,
    localTypes: /^src\/config\.ts$/,
    packages: 'any',
    says: 'src/payments imports only charges, the domain, database, providers, temporal and ids',
  },
  {
    files: /^src\/charges\//,
    local: /^src\/(charges|domain|database|providers)\//,
    packages: 'any',
    says: 'src/charges imports only the domain, database and providers',
  },
  {
    files: /^src\/events\//,
    local: /^(src\/(events|wire|domain|database)\/|src\/ids\.ts$)/,
    localTypes: /^src\/providers\/provider\.ts$/,
    packages: ['zod'],
    says: 'src/events imports only wire, the domain, database, ids, zod and types of the provider',
  },
  {
    files: /^src\/temporal\//,
    local: /^(src\/(temporal|charges|domain|database)\/|workflows\/.*\.contract\.ts$)/,
    localTypes: /^src\/(notifications\/|config\.ts$)/,
    packages: 'any',
    says: 'src/temporal imports only charges, the domain, database and workflow contracts',
  },
  {
    files: /^src\/notifications\//,
    local: /^src\/(notifications|domain|database|providers|temporal)\//,
    packages: 'any',
    says: 'src/notifications imports only the domain, database, providers and temporal',
  },
  {
    files: /^src\/providers\//,
    local: /^src\/((providers|domain|database)\/|ids\.ts$)/,
    packages: 'any',
    says: 'src/providers imports only the domain, database and ids',
  },
  {
    files: /^src\/database\//,
    local: /^src\/((database|domain)\/|ids\.ts$)/,
    packages: 'any',
    says: 'src/database imports only the domain and ids',
  },
  {
    files: /^src\/wire\//,
    local: /^src\/(wire|domain)\//,
    localTypes: /^src\/database\//,
    packages: ['zod', 'qrcode', 'node:zlib'],
    says: 'src/wire imports only the domain, zod, the QR code and types of the database: shapes that answers and events share',
  },
  {
    files: /^src\/outbound\//,
    local: /^src\/(outbound|domain)\//,
    packages: 'any',
    says: 'src/outbound imports only the domain',
  },
  {
    files: /^src\/pages\//,
    local: /^(src\/(pages|payments|charges|wire|domain|database|providers|outbound)\/|src\/ids\.ts$)/,
    localTypes: /^src\/(notifications\/|config\.ts$)/,
    packages: 'any',
    says: 'src/pages imports only the domain, database, providers, charges, payments, wire, outbound and ids',
  },
];
