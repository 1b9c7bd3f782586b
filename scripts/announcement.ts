import { join } from 'node:path';
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

/** What a person sees once everything runs: where it is, and a first charge to try. */
export function announcement({ endpoints, config, folder, signInPath, checkoutUrl }: Announced): string {
  const { host } = new URL(endpoints.databaseUrl);
  return `
Recebe is running.

  API          ${endpoints.apiUrl}${config.publicUrl === null ? '' : ` (for others: ${config.publicUrl})`}
  Docs         ${endpoints.apiUrl}/docs
  Temporal UI  ${endpoints.temporalUiUrl ?? 'that of your Temporal server'}
  Temporal     ${endpoints.temporalAddress}
  Postgres     ${host}
  Demo key     ${endpoints.demoKey}
${
  checkoutUrl === null
    ? ''
    : `  Checkout     ${checkoutUrl}
               (pay it as often as you like: it is simulated)
`
}  Dashboard    ${endpoints.apiUrl}${signInPath}
               (signs in once, within 15 minutes; for another: npx recebe users sign-in-link --email demo@recebe.example)

The same for programs, with the database password: ${join(folder.path, 'endpoints.json')}
Create a PIX charge of R$ 25.00:

  curl -s ${endpoints.apiUrl}/v2/transparents/create \\
    -H 'Authorization: Bearer ${endpoints.demoKey}' -H 'Content-Type: application/json' \\
    -d '{"method":"PIX","data":{"amount":2500}}'

In another terminal: "npx recebe listen --forward-to http://localhost:4000/hooks" forwards webhooks to a program of yours,
"npx recebe trigger transparent.completed" has something happen, "npx recebe logs" shows what the service does
("npm start -- --log" shows it here).
Ctrl-C stops everything; the data stays.`;
}
