import { join, resolve } from 'node:path';
import type { Config } from '../src/config.ts';
import type { DataFolder, Endpoints } from './embedded/data-folder.ts';

interface Announced {
  readonly endpoints: Endpoints;
  readonly config: Config;
  readonly folder: DataFolder;
  readonly signInPath: string;
  /** Where anybody can try to pay; null where there is none. */
  readonly checkoutUrl: string | null;
}

/** What a person sees once everything runs: what to open first, a first charge to try, and where the rest is. */
export function announcement({ endpoints, config, folder, signInPath, checkoutUrl }: Announced): string {
  const { host } = new URL(endpoints.databaseUrl);
  const servers = [
    `Postgres ${host}`,
    `Temporal ${endpoints.temporalAddress}`,
    ...(endpoints.temporalUiUrl === null ? [] : [`its UI ${endpoints.temporalUiUrl}`]),
  ];
  return `
Recebe is running. Its demo store is in test mode: no money moves.

  Dashboard    ${endpoints.apiUrl}${signInPath}
               (signs you in once, within 15 minutes)
${
  checkoutUrl === null
    ? ''
    : `  Checkout     ${checkoutUrl}
               (pay it as often as you like: it is simulated)
`
}  Docs         ${endpoints.apiUrl}/docs
  API          ${endpoints.apiUrl}${config.publicUrl === null ? '' : ` (for others: ${config.publicUrl})`}
  Demo key     ${endpoints.demoKey}

Create a Pix charge of R$ 25.00:

  curl -s ${endpoints.apiUrl}/v2/transparents/create \\
    -H 'Authorization: Bearer ${endpoints.demoKey}' -H 'Content-Type: application/json' \\
    -d '{"method":"PIX","data":{"amount":2500}}'

In another terminal, in this folder:

${folder.path === resolve('.data') ? '' : `  export RECEBE_DATA=${folder.path}\n`}  npx recebe users sign-in-link --email demo@recebe.example   another link to the dashboard
  npx recebe trigger transparent.completed                    a test payment
  npx recebe listen --forward-to http://localhost:4000/hooks  webhooks for a program of yours
  npx recebe logs                                             what the service does

Servers: ${servers.join(', ')}
All of this for programs, with the database password: ${join(folder.path, 'endpoints.json')}
Ctrl-C stops everything; the data stays.`;
}
