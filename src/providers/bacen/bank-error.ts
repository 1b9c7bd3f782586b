import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** What a bank answered that is no success; `status` is null where nothing was answered. */
export class BankError extends ProviderError {
  readonly status: number | null;
  /** Why the bank will not do what it has understood, in its words and without what they quote; null of all else. */
  readonly refusal: string | null;
  /** Whether the token was not good for it (RFC 6750 section 3.1, `insufficient_scope`), so that nothing was done. */
  readonly lacksScope: boolean;

  constructor(
    kind: ProviderErrorKind,
    status: number | null,
    message: string,
    details: {
      readonly refusal?: string | null;
      readonly lacksScope?: boolean;
      readonly retryAfterMs?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(kind, message, details);
    this.status = status;
    this.refusal = details.refusal ?? null;
    this.lacksScope = details.lacksScope ?? false;
  }
}

const REASON_MAX_LENGTH = 300;

/**
 * The error that stands for an answer of the bank's.
 * @param body as it came. What is no JSON comes from a gateway that stands before the bank, which refuses nothing for it.
 */
export function bankErrorOf(
  request: string,
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string },
): BankError {
  const message = `${request} was answered with ${status}`;
  const said = jsonOf(body);
  const retryAfterMs = retryAfterMsOf(headers['retry-after']);
  if (said === null && status === 400)
    return new BankError(/certificate/i.test(body) ? 'UNAUTHORIZED' : 'RETRY', status, message);
  const isRefusal = status === 400 || status === 422 || isSwitchedOff(said);
  const refusal = isRefusal ? reasonOf(said).slice(0, REASON_MAX_LENGTH) || message : null;
  const why = refusal === null || refusal === message ? '' : `: ${withoutPersons(refusal)}`;
  return new BankError(kindOf(status), status, `${message}${why}`, {
    refusal,
    retryAfterMs,
    lacksScope: status === 403 && recordOf(said).error === 'insufficient_scope',
  });
}

/** Efí's sandbox has no payment of codes, and says so with 500 (its document of sent Pix, "Pagar QR Code Pix"). */
function isSwitchedOff(said: unknown): boolean {
  return /desabilitada em ambiente de homologação/i.test(textOf(recordOf(said).detail));
}

/** Numbers and addresses that a bank quotes may be a person's, and messages stand in logs. */
function withoutPersons(text: string): string {
  const words = text.split(' ').map((word) => (word.includes('@') ? '…' : word));
  return words.join(' ').replace(/[\d.\-/]{5,}/g, '…');
}

/** What a text says, or null where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function kindOf(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'UNAUTHORIZED';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 408 || status >= 500) return 'RETRY';
  return 'INVALID';
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterMsOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1_000;
  const dateMs = Date.parse(value);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - Date.now());
}

/**
 * Why, in any of the dialects: RFC 7807 as Bacen's document has it, and Banco do Brasil's own. A violation's `valor`
 * quotes what was sent, which may name a person, and is left out.
 */
function reasonOf(body: unknown): string {
  const { detail, title, violacoes, erros, mensagem } = recordOf(body);
  const violations = listOf(violacoes).map(({ propriedade, razao }) => textOf(propriedade, razao));
  const errors = listOf(erros).map((each) => textOf(each.mensagem));
  return textOf(textOf(detail) || textOf(title), ...violations, ...errors, mensagem);
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(recordOf) : []);
const textOf = (...values: unknown[]) =>
  values.filter((value): value is string => typeof value === 'string' && value !== '').join(' ');
