/** What the service answers: `data`, or an error for people and its code for programs. */
export interface ApiAnswer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly code?: unknown;
  readonly issues?: unknown;
  readonly pagination?: { readonly next?: string | null };
}

/** Why a request failed, in words for the person who sees the workflow. */
export interface Failure {
  readonly message: string;
  readonly description: string;
}

/** The failure of an answer. @param body text if a proxy in front of the service sent it. */
export function failureOf(status: number, body: unknown, requestId: unknown): Failure {
  const { error, code, issues }: ApiAnswer = typeof body === 'object' && body !== null ? body : {};
  const isOurs = typeof error === 'string' && error !== '';
  const request = typeof requestId === 'string' ? [`Request: ${requestId}`] : [];
  return {
    message: isOurs ? error : `HTTP ${status} from an address that does not answer like Recebe`,
    description: [
      `HTTP ${status}${typeof code === 'string' ? ` ${code}` : ''}`,
      ...wrongFields(issues),
      ...request,
    ].join('. '),
  };
}

function wrongFields(issues: unknown): string[] {
  if (!Array.isArray(issues)) return [];
  return issues.map((issue: { path?: unknown; message?: unknown }) => `${issue.path}: ${issue.message}`);
}
