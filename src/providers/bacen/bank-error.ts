import { parseAnswer } from '../parse-answer.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** A bank's unsuccessful answer; `status` is null if there was no answer. */
export class BankError extends ProviderError {
  readonly status: number | null;
  /** The bank's reason for refusing a valid request, without quoted values; null for all other errors. */
  readonly refusal: string | null;
  /**
   * Whether the token lacked the scope (RFC 6750 section 3.1, `insufficient_scope`), so that the request had no
   * effect.
   */
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
 * Builds the error for a bank's answer.
 * @param body the raw body. A body that is not JSON comes from a gateway in front of the bank, and is no refusal by
 *   the bank.
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
  const reply = parseAnswer(body);
  const retryAfterMs = retryAfterMsOf(headers['retry-after']);
  if (reply === null && status === 400)
    return new BankError(/certificate/i.test(body) ? 'UNAUTHORIZED' : 'RETRY', status, message);
  const isRefusal = status === 400 || status === 422 || isSwitchedOff(reply);
  const refusal = isRefusal ? reasonOf(reply).slice(0, REASON_MAX_LENGTH) || message : null;
  const why = refusal === null || refusal === message ? '' : `: ${withoutPersons(refusal)}`;
  return new BankError(kindOf(status), status, `${message}${why}`, {
    refusal,
    retryAfterMs,
    lacksScope: status === 403 && recordOf(reply).error === 'insufficient_scope',
  });
}

/** Efí's sandbox cannot pay codes and answers 500 (its document of sent Pix, "Pagar QR Code Pix"). */
function isSwitchedOff(reply: unknown): boolean {
  return /desabilitada em ambiente de homologação/i.test(textOf(recordOf(reply).detail));
}

/** Removes numbers and addresses: they may belong to a person, and messages are logged. */
function withoutPersons(text: string): string {
  const words = text.split(' ').map((word) => (word.includes('@') ? '…' : word));
  return words.join(' ').replace(/[\d.\-/]{5,}/g, '…');
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
 * The reason in any of the dialects: RFC 7807 as in Bacen's document, or Banco do Brasil's own. A violation's
 * `valor` is left out, since it quotes the request and may name a person.
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
