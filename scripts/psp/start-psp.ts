import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { BACEN_PROFILES, type BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import type { ProviderAccountInput } from '../../src/providers/provider-kind.ts';
import { startAdmin } from './admin.ts';
import { createApi } from './api.ts';
import { Bank } from './bank.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { OwnActs } from './faults/own-acts.ts';
import { type FaultPlan, Faults } from './faults.ts';
import { closed, listening } from './local-server.ts';
import { type BankState, emptyState } from './state.ts';
import { Tokens } from './tokens.ts';
import { type Pace, WebhookPoster } from './webhook-poster.ts';

/** The PIX key of the bank's one customer, and the key of the customer's account at another bank. */
export const PIX_KEY = 'caixa@loja.example';
export const PAYOUT_KEY = 'loja@outro-banco.example';
export const CREDENTIALS = { clientId: 'Client_Id_caixa', clientSecret: 'Client_Secret_caixa' };
const ACCOUNT_NUMBER = '1234567';
const APPLICATION_KEY = 'gw-caixa';
const TOKEN_SECONDS = 3_600;
/** The body that nginx sends. */
const CERTIFICATE_REFUSED =
  '<html><head><title>400 The SSL certificate error</title></head><body>The SSL certificate error</body></html>';

export interface PspOptions {
  readonly profile?: BacenProfileName;
  /** Any free port if it is 0 or undefined. */
  readonly port?: number;
  readonly adminPort?: number;
  /** The file that keeps the state across restarts. Without it, the state is only in memory. */
  readonly stateFile?: string;
  readonly tokenSeconds?: number;
  /** Like Efí's sandbox, completes transfers up to R$ 10.00, fails them later up to R$ 20.00, and refuses higher amounts. */
  readonly transfersByAmount?: boolean;
  /** The account number that requests must name if the profile has a header for it; null if the bank requires none. */
  readonly accountNumber?: string | null;
  /** Scopes that the application was not granted, such as `gn.qrcodes.pay`. */
  readonly withheldScopes?: readonly string[];
  /** The fault plan at the start. */
  readonly faults?: FaultPlan;
  /** The pace of its notifications. Default: that of real banks. */
  readonly pace?: Pace;
  /** Existing certificates, for several banks of one test. */
  readonly certificates?: Certificates;
}

/** A bank in a box that runs. */
export interface Psp {
  readonly bank: Bank;
  readonly faults: Faults;
  readonly ownActs: OwnActs;
  readonly tokens: Tokens;
  readonly poster: WebhookPoster;
  readonly certificates: Certificates;
  /** The profile, settings and secrets of an account at this bank. */
  readonly account: Omit<ProviderAccountInput, 'id'>;
  readonly adminUrl: string;
  /** Starts or stops refusing all client certificates. */
  refuseCertificates(refuses: boolean): void;
  close(): Promise<void>;
}

/**
 * Starts a bank: API Pix over mTLS on one port, and the API that controls it over plain HTTP on another port of this machine.
 */
export async function startPsp(options: PspOptions = {}): Promise<Psp> {
  const { profile: profileName = 'generic', stateFile, transfersByAmount = false } = options;
  const certificates = options.certificates ?? (await makeCertificates());
  const profile = BACEN_PROFILES[profileName];
  const state = readState(stateFile);
  const faults = new Faults(() => bank.now().getTime());
  const bank: Bank = new Bank({
    state,
    keys: [PIX_KEY],
    notify: ({ payments }) => poster.gather(payments),
    notifyOfMandates: (changed) => poster.gatherNews(changed),
    paid: (payment) => ownActs.afterPayment(payment),
    transfersByAmount,
  });
  const poster = new WebhookPoster(bank, faults, certificates, options.pace);
  const tokens = new Tokens({
    profile,
    credentials: CREDENTIALS,
    lifetimeSeconds: options.tokenSeconds ?? TOKEN_SECONDS,
    now: () => bank.now(),
    withheld: options.withheldScopes ?? [],
  });
  const changed = () => stateFile !== undefined && writeState(stateFile, state);
  const ownActs = new OwnActs(bank, faults, changed);
  if (options.faults !== undefined) faults.follow(options.faults);
  bank.goOn();
  changed();
  const basePath = profile.production === null ? '/api/v2' : pathOf(profile.production.api);
  const tokenPath = profile.production === null ? '/oauth/token' : pathOf(profile.production.token);
  const values = {
    clientId: CREDENTIALS.clientId,
    accountNumber: options.accountNumber ?? ACCOUNT_NUMBER,
    applicationKey: APPLICATION_KEY,
  };
  const required = (wanted: Readonly<Record<string, keyof typeof values>>) =>
    Object.fromEntries(
      Object.entries(wanted)
        .filter(([, setting]) => setting !== 'accountNumber' || options.accountNumber !== null)
        .map(([name, setting]) => [name, values[setting]]),
    );
  const app = createApi({
    bank,
    faults,
    ownActs,
    tokens,
    poster,
    profile,
    basePath,
    tokenPath,
    required: { headers: required(profile.headers), query: required(profile.query) },
    changed,
  });

  let refusing = false;
  const listener = app.callback();
  const server = createServer(
    {
      key: certificates.server.key,
      cert: certificates.server.certificate,
      ca: certificates.authority,
      requestCert: true,
      // Refused with an HTTP answer, as gateways do. Node would close the connection without one.
      rejectUnauthorized: false,
    },
    (request, response) => {
      const isKnown = !refusing && (request.socket as TLSSocket).authorized;
      if (isKnown) void listener(request, response);
      else response.writeHead(400, { 'content-type': 'text/html' }).end(CERTIFICATE_REFUSED);
    },
  );
  await listening(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const refuseCertificates = (refuses: boolean) => {
    refusing = refuses;
  };
  const admin = await startAdmin(
    { bank, faults, ownActs, tokens, poster, changed, refuseCertificates },
    options.adminPort ?? 0,
  );

  return {
    bank,
    faults,
    ownActs,
    tokens,
    poster,
    certificates,
    account: {
      profile: profileName,
      settings: {
        ...values,
        apiUrl: `https://localhost:${port}${basePath}`,
        tokenUrl: `https://localhost:${port}${tokenPath}`,
        pixKey: PIX_KEY,
        payoutKey: PAYOUT_KEY,
      },
      secrets: {
        clientSecret: CREDENTIALS.clientSecret,
        certificate: certificates.client.certificate,
        privateKey: certificates.client.key,
        ca: certificates.authority,
      },
    },
    adminUrl: admin.url,
    refuseCertificates,
    async close() {
      ownActs.close();
      await poster.close();
      await Promise.all([closed(server), admin.close()]);
    },
  };
}

const pathOf = (address: string) => new URL(address).pathname.replace(/\/$/, '');

function readState(file: string | undefined): BankState {
  if (file === undefined || !existsSync(file)) return emptyState();
  // The file of an earlier version lacks newer fields.
  return { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8')) as BankState) };
}

/** Replaces the file in one step, so that a kill leaves either the previous state or the new one. */
function writeState(file: string, state: BankState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
