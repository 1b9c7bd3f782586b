import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import { CARD_FEES_RULE, type CardFees, readCardFees } from './domain/card-fees.ts';
import type { PlatformFees } from './domain/platform-fee.ts';
import { environment } from './environment-variables.ts';
import { isLoopbackHost } from './outbound/loopback.ts';

export type Config = ReturnType<typeof loadConfig>;

/**
 * Reads the settings from `env` (normally `process.env`, which no other code under `src` reads).
 * @throws Error with one line per invalid setting: its name and the correct form.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(present);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  const settings = parsed.data;
  if (settings.ALLOW_PRIVATE_ENDPOINTS && settings.NODE_ENV === 'production') {
    throw new Error(
      'ALLOW_PRIVATE_ENDPOINTS: must be false when NODE_ENV is production, or webhooks could reach your own network',
    );
  }
  if (settings.ALLOW_LOOPBACK_ENDPOINTS && !servesThisMachineOnly(settings)) {
    throw new Error(
      'ALLOW_LOOPBACK_ENDPOINTS: must be false when NODE_ENV is production, or HOST or PUBLIC_URL is not this machine, or anyone with a dev key could reach programs on this machine',
    );
  }
  if (settings.SECRETS_KEY.length === 0 && settings.NODE_ENV === 'production') {
    throw new Error(
      "SECRETS_KEY: is needed when NODE_ENV is production, to encrypt webhooks' secrets: make one with `openssl rand -base64 32`, give it to every API and worker, and keep it",
    );
  }
  if (settings.NODE_ENV === 'production' && isPlainHttp(settings.PUBLIC_URL)) {
    throw new Error(
      'PUBLIC_URL: must be an https address when NODE_ENV is production, or passwords, sessions and keys travel unencrypted; only a trial on this machine may be at http://localhost',
    );
  }
  if (settings.NODE_ENV === 'production' && isOpenOverHttp(settings)) {
    throw new Error(
      `PUBLIC_URL: must be an https address when NODE_ENV is production and HOST is ${settings.HOST}, which other machines reach over plain HTTP; for a trial on this machine, set HOST to 127.0.0.1, or PUBLISHED_ON_LOOPBACK to true if a container's port is published on 127.0.0.1 only`,
    );
  }
  if (settings.NODE_ENV === 'production' && isOpenWithoutAddress(settings)) {
    throw new Error(
      'PUBLIC_URL: is needed when NODE_ENV is production and HOST is not this machine alone: the https address by which others reach this service, or their passwords, sessions and keys travel unencrypted',
    );
  }
  if ((settings.SMTP_URL === undefined) !== (settings.SMTP_FROM === undefined)) {
    throw new Error(
      'SMTP_FROM: is needed with SMTP_URL, and has no effect without it: the sender of receipts',
    );
  }
  if (settings.WORKER_BUILD_ID !== undefined && /^__|[.:]/.test(settings.TEMPORAL_TASK_QUEUE)) {
    throw new Error(
      'TEMPORAL_TASK_QUEUE: must not contain a dot or colon, nor begin with __, if WORKER_BUILD_ID is set, because it also names the deployment',
    );
  }
  return {
    databaseUrl: settings.DATABASE_URL,
    notifications: notificationsOf(settings),
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    temporal: {
      address: settings.TEMPORAL_ADDRESS,
      namespace: settings.TEMPORAL_NAMESPACE,
      taskQueue: settings.TEMPORAL_TASK_QUEUE,
      /**
       * The build of this worker; null to take tasks together with all other workers (docs/decisions/0018).
       */
      workerBuildId: settings.WORKER_BUILD_ID ?? null,
      apiKey: settings.TEMPORAL_API_KEY,
      tls:
        settings.TEMPORAL_TLS ||
        settings.TEMPORAL_API_KEY !== undefined ||
        settings.TEMPORAL_TLS_CERT !== undefined,
      tlsCa: settings.TEMPORAL_TLS_CA,
      tlsCert: settings.TEMPORAL_TLS_CERT,
      tlsKey: settings.TEMPORAL_TLS_KEY,
    },
    host: settings.HOST,
    port: settings.PORT,
    /** The port for Prometheus; null for none. */
    metricsPort: settings.METRICS_PORT ?? null,
    /** The endpoint for traces, without a trailing slash, and the service name; null for no traces. */
    tracing:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, ''),
            serviceName: settings.OTEL_SERVICE_NAME,
          },
    /** Maximum connections to the API, per process. */
    maxConnections: settings.MAX_CONNECTIONS,
    /** Maximum connections of one address; null if a gateway in front limits addresses. */
    maxConnectionsPerAddress: settings.LIMIT_ANONYMOUS_TRAFFIC ? settings.MAX_CONNECTIONS_PER_ADDRESS : null,
    /** The base URL for payers and integrators; null means the address that the API listens on. */
    publicUrl: settings.PUBLIC_URL ?? null,
    /** The address at which providers reach this service; null if it is that of the API. */
    notificationsUrl: notificationsUrlOf(settings, settings.PUBLIC_URL ?? null),
    logLevel: settings.LOG_LEVEL,
    allowPrivateEndpoints: settings.ALLOW_PRIVATE_ENDPOINTS,
    /** Whether dev keys may register endpoints on this machine. */
    allowLoopbackEndpoints: settings.ALLOW_LOOPBACK_ENDPOINTS,
    /** Null unless webhooks are also signed in the way that clients of API v1 expect (contract section 7). */
    webhookCompatibilityKey: settings.WEBHOOK_COMPATIBILITY_KEY ?? null,
    /** Whether the API answers some failures as AbacatePay's documents show them (contract section 1). */
    errorCompatibility: settings.ERROR_COMPATIBILITY,
    /**
     * In base64: the first encrypts webhook secrets, all decrypt them. Without keys they are stored as text.
     */
    secretsKeys: settings.SECRETS_KEY,
    /** Whether new CPFs, CNPJs and PIX keys are encrypted; requires a SECRETS_KEY. */
    encryptsNumbers: settings.PERSONAL_NUMBERS === 'encrypted',
    /** The address of Temporal's UI, without a trailing slash; null if not configured. */
    temporalUiUrl: settings.TEMPORAL_UI_URL?.replace(/\/$/, '') ?? null,
    platformFee: platformFeesOf(settings),
    /** Requests of one store in one environment (contract section 1, "Rate limit"); null for no limit. */
    rateLimit:
      settings.RATE_LIMIT_PER_SECOND === 0
        ? null
        : { perSecond: settings.RATE_LIMIT_PER_SECOND, burst: settings.RATE_LIMIT_BURST },
    /** Whether requests without a key are limited (src/http). */
    limitAnonymousTraffic: settings.LIMIT_ANONYMOUS_TRAFFIC,
    /** Addresses and networks of the proxies in front, whose `X-Forwarded-For` is trusted. */
    trustedProxies: settings.TRUSTED_PROXIES,
    /**
     * The path of the workflow bundle built by `src/bundle.ts`; null means that each worker bundles at
     * startup.
     */
    workflowBundle: settings.WORKFLOW_BUNDLE ?? null,
    /** Days until a checkout expires (contract section 5). */
    checkoutExpiresAfterDays: settings.CHECKOUT_EXPIRES_AFTER_DAYS,
    /** The mail server for receipts; null for no mails. */
    mail:
      settings.SMTP_URL === undefined || settings.SMTP_FROM === undefined
        ? null
        : { smtpUrl: settings.SMTP_URL, from: settings.SMTP_FROM },
    /** Days until events and their deliveries are deleted; null keeps them forever. */
    eventRetentionDays: settings.EVENT_RETENTION_DAYS ?? null,
  };
}

/** The separate TLS port for provider notifications; null if they share the API's port. */
function notificationsOf(settings: z.output<typeof environment>) {
  const { NOTIFICATIONS_PORT: port, NOTIFICATIONS_CERT: certificate, NOTIFICATIONS_KEY: key } = settings;
  if (port === undefined) return null;
  if (certificate === undefined || key === undefined)
    throw new Error(
      'NOTIFICATIONS_CERT, NOTIFICATIONS_KEY: are needed with NOTIFICATIONS_PORT: the files of the certificate that banks see, and of its key',
    );
  if (!isKeyOf(certificate, key))
    throw new Error(
      'NOTIFICATIONS_KEY: must be the unencrypted key of the certificate in NOTIFICATIONS_CERT',
    );
  return { port, certificate, key };
}

function isKeyOf(certificate: Buffer, key: Buffer): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

const notificationsAddress = environment.pick({ NOTIFICATIONS_URL: true, NOTIFICATIONS_PORT: true });

/** Whether the address uses plain HTTP over a network, that is, to another host than this machine. */
function isPlainHttp(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

type Openness = Pick<z.output<typeof environment>, 'PUBLIC_URL' | 'HOST' | 'PUBLISHED_ON_LOOPBACK'>;

/** Whether other machines reach a service whose own address is plain HTTP: nothing in front of it encrypts their requests. */
function isOpenOverHttp({ PUBLIC_URL, HOST, PUBLISHED_ON_LOOPBACK }: Openness): boolean {
  if (PUBLIC_URL === undefined || PUBLISHED_ON_LOOPBACK) return false;
  return new URL(PUBLIC_URL).protocol === 'http:' && !isLoopbackHost(HOST);
}

/** Without a public address the service is reached by plain HTTP, which is safe only on this machine. */
function isOpenWithoutAddress({
  PUBLIC_URL,
  HOST,
}: Pick<z.output<typeof environment>, 'PUBLIC_URL' | 'HOST'>) {
  return PUBLIC_URL === undefined && !isLoopbackHost(HOST);
}

type Reach = Pick<z.output<typeof environment>, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL'>;

/** Whether a service is for development on one machine: others can reach it neither directly nor through a proxy that it names. */
function servesThisMachineOnly({ NODE_ENV, HOST, PUBLIC_URL }: Reach): boolean {
  if (NODE_ENV === 'production' || !isLoopbackHost(HOST)) return false;
  return PUBLIC_URL === undefined || isLoopbackHost(new URL(PUBLIC_URL).hostname);
}

const reach = environment.pick({ NODE_ENV: true, HOST: true, PUBLIC_URL: true });

/**
 * The settings that `npm start` adds: webhooks to this machine, if the instance serves only this machine and nobody has decided.
 * @throws Error if a setting is invalid.
 */
export function developmentSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly ALLOW_LOOPBACK_ENDPOINTS?: string;
} {
  if (env.ALLOW_LOOPBACK_ENDPOINTS) return {};
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return servesThisMachineOnly(reach.parse(present)) ? { ALLOW_LOOPBACK_ENDPOINTS: 'true' } : {};
}

/**
 * The address for provider notifications, for the command line: the configured one, otherwise `publicUrl`
 * with the notification port, otherwise `publicUrl`. @throws Error if a setting is invalid.
 */
export function notificationsUrlIn(
  env: Readonly<Record<string, string | undefined>>,
  publicUrl: string | null,
): string | null {
  return notificationsUrlOf(notificationsAddress.parse(env), publicUrl);
}

function notificationsUrlOf(
  { NOTIFICATIONS_URL: url, NOTIFICATIONS_PORT: port }: z.output<typeof notificationsAddress>,
  publicUrl: string | null,
): string | null {
  if (url !== undefined) return url.replace(/\/$/, '');
  if (port === undefined || publicUrl === null) return publicUrl;
  return `https://${new URL(publicUrl).hostname}:${port}`;
}

const fees = environment.pick({
  PLATFORM_FEE_PIX_CENTS: true,
  PLATFORM_FEE_BOLETO_CENTS: true,
  PLATFORM_FEE_CARD_CENTS: true,
  PLATFORM_FEE_CARD_HUNDREDTHS_OF_PERCENT: true,
  PLATFORM_FEE_CARD_INSTALLMENTS: true,
});

const secretsKeys = environment.pick({ SECRETS_KEY: true });

/** The keys of webhook secrets in base64, for the command line. @throws Error if they are not valid keys. */
export function secretsKeysIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const keys = secretsKeys.safeParse(env);
  if (keys.success) return keys.data.SECRETS_KEY;
  throw new Error(`SECRETS_KEY: ${keys.error.issues[0]?.message}`);
}

const personalNumbers = environment.pick({ PERSONAL_NUMBERS: true });

/**
 * Whether new personal numbers are encrypted, for the command line. @throws Error if the setting is invalid.
 */
export function encryptsNumbersIn(env: Readonly<Record<string, string | undefined>>): boolean {
  const present = env.PERSONAL_NUMBERS === '' ? {} : env;
  const parsed = personalNumbers.safeParse(present);
  if (parsed.success) return parsed.data.PERSONAL_NUMBERS === 'encrypted';
  throw new Error(`PERSONAL_NUMBERS: ${parsed.error.issues[0]?.message}`);
}

/** The platform's fees on payments, for the command line. @throws Error if a setting is invalid. */
export function platformFeesIn(env: Readonly<Record<string, string | undefined>>): PlatformFees {
  return platformFeesOf(fees.parse(env));
}

/**
 * Loads the settings of a starting process. If some are invalid, prints each with its correct form and exits;
 * a stack trace would not help.
 */
export function loadConfigOrExit(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Invalid configuration (docs/operating.md lists all settings):\n${wrong}\n`);
    process.exit(1);
  }
}

/** @throws Error if the text is no list of fees. */
function feesByInstallments(text: string): CardFees {
  const fees = text === '' ? new Map() : readCardFees(text);
  if (fees !== null) return fees;
  throw new Error(`PLATFORM_FEE_CARD_INSTALLMENTS: ${CARD_FEES_RULE}`);
}

function platformFeesOf(settings: z.output<typeof fees>): PlatformFees {
  return {
    PIX: { fixedCents: settings.PLATFORM_FEE_PIX_CENTS, share: 0 },
    BOLETO: { fixedCents: settings.PLATFORM_FEE_BOLETO_CENTS, share: 0 },
    CARD: {
      fixedCents: settings.PLATFORM_FEE_CARD_CENTS,
      share: settings.PLATFORM_FEE_CARD_HUNDREDTHS_OF_PERCENT,
      byInstallments: feesByInstallments(settings.PLATFORM_FEE_CARD_INSTALLMENTS),
    },
  };
}
