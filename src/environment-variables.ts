import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const flag = oneOf(['true', 'false']).transform((text) => text === 'true');
const cents = wholeNumber(0);
/** 32 bytes in base64. */
const SECRETS_KEY = /^[A-Za-z0-9+/]{43}=$/;
/** Used in names of versions and in filters on the Temporal server. */
const BUILD_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const file = z.string().transform((path, context) => {
  try {
    return readFileSync(path);
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must be the path of a file that can be read, not "${path}"`,
    });
    return z.NEVER;
  }
});

const PUBLIC_ADDRESS = 'must be a complete address, such as https://pay.example.com';
/**
 * In normal form, without a trailing slash. The prefix decides whether it is https: with an unnormalized `HTTPS://`, cookies
 * would be sent without `Secure`. Paths are appended to it.
 */
const publicAddress = z
  .url({ protocol: /^https?$/, error: PUBLIC_ADDRESS })
  .transform((text, context): string => {
    const { href, username, password, search, hash } = new URL(text);
    if (username + password + search + hash === '') return href.replace(/(?<!\/)\/+$/, '');
    const message = `${PUBLIC_ADDRESS}, without a user, a query or a fragment`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Longer than deliveries are retried, plus some days in which someone can find a failed one and resend it. */
const LEAST_RETENTION_DAYS = 7;
const RETENTION_DAYS = `must be a whole number of days, ${LEAST_RETENTION_DAYS} to 36500; without it events are kept for ever`;

/** All settings by the name of their environment variable. The table in docs/operating.md lists the same names and defaults. */
export const environment = z.object({
  NODE_ENV: oneOf(['development', 'test', 'production']).default('development'),
  DATABASE_URL: z
    .string({
      error: 'is needed: the address of the database, such as postgres://user:password@host:5432/recebe',
    })
    .regex(/^postgres(ql)?:\/\//, 'must be an address that begins with postgres://'),
  DATABASE_POOL_SIZE: wholeNumber(2).default(20),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('recebe'),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS: flag.default(false),
  TEMPORAL_TLS_CA: file.optional(),
  TEMPORAL_TLS_CERT: file.optional(),
  TEMPORAL_TLS_KEY: file.optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLISHED_ON_LOOPBACK: flag.default(false),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  NOTIFICATIONS_PORT: wholeNumber(0, 65_535).optional(),
  NOTIFICATIONS_CERT: file.optional(),
  NOTIFICATIONS_KEY: file.optional(),
  NOTIFICATIONS_URL: z
    .url({
      protocol: /^https$/,
      error: 'must be a complete https address, such as https://banks.example.com:3443',
    })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be a complete address, such as http://127.0.0.1:4318' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('recebe'),
  MAX_CONNECTIONS: wholeNumber(10).default(2_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1).default(500),
  PUBLIC_URL: publicAddress.optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ALLOW_PRIVATE_ENDPOINTS: flag.default(false),
  ALLOW_LOOPBACK_ENDPOINTS: flag.default(false),
  SECRETS_KEY: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((key) => key !== ''))
    .refine((keys) => keys.every((key) => SECRETS_KEY.test(key)), {
      error:
        'must be 32 bytes in base64, as `openssl rand -base64 32` gives them; older keys follow after a comma',
    }),
  PERSONAL_NUMBERS: oneOf(['encrypted', 'text']).default('encrypted'),
  WEBHOOK_COMPATIBILITY_KEY: z.string().min(1).optional(),
  ERROR_COMPATIBILITY: flag.default(false),
  PLATFORM_FEE_PIX_CENTS: cents.default(80),
  PLATFORM_FEE_BOLETO_CENTS: cents.default(250),
  PLATFORM_FEE_CARD_CENTS: cents.default(60),
  PLATFORM_FEE_CARD_HUNDREDTHS_OF_PERCENT: wholeNumber(0, 10_000).default(350),
  PLATFORM_FEE_CARD_INSTALLMENTS: z.string().default(''),
  RATE_LIMIT_PER_SECOND: wholeNumber(0).default(100),
  RATE_LIMIT_BURST: wholeNumber(1).default(200),
  LIMIT_ANONYMOUS_TRAFFIC: flag.default(true),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((block) => block.trim()))
    .transform((blocks) => blocks.filter((block) => block !== ''))
    .refine((blocks) => blocks.every((block) => ipaddr.isValid(block) || ipaddr.isValidCIDR(block)), {
      error: 'must be addresses or networks, such as 10.0.0.0/8, separated by commas',
    }),
  WORKER_BUILD_ID: z
    .string()
    .regex(BUILD_ID, 'must be letters, digits, dots, hyphens and underscores, such as 2026-11-22.1')
    .optional(),
  WORKFLOW_BUNDLE: z.string().optional(),
  CHECKOUT_EXPIRES_AFTER_DAYS: wholeNumber(1, 365).default(30),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com' })
    .optional(),
  SMTP_FROM: z.email('must be an e-mail address, such as recibos@example.com').optional(),
  EVENT_RETENTION_DAYS: z.coerce
    .number(RETENTION_DAYS)
    .int(RETENTION_DAYS)
    .min(LEAST_RETENTION_DAYS, RETENTION_DAYS)
    .max(36_500, RETENTION_DAYS)
    .optional(),
});

function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, { error: `must be one of ${names.join(', ')}` });
}

function wholeNumber(least: number, most?: number) {
  const error = `must be a whole number${most === undefined ? `, ${least} or more` : ` from ${least} to ${most}`}`;
  const number = z.coerce.number({ error }).int({ error }).min(least, { error });
  return most === undefined ? number : number.max(most, { error });
}
