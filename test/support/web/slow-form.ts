import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** A form whose body arrives in two parts. */
export interface SlowForm {
  /** The full address it is posted to. */
  readonly url: string;
  /** The `Cookie` header of its browser. */
  readonly cookie: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The time in which the service receives the headers and the first part. */
const RECEIVED_MS = 300;

/**
 * Posts a form and stops in the middle of its body until `meanwhile` is done. The service checks the session as soon as the headers
 * are there.
 */
export async function postSlowly(
  { url, cookie, fields }: SlowForm,
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly status: number; readonly location: string | null }> {
  const body = new URLSearchParams(fields).toString();
  const sent = request(url, {
    method: 'POST',
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': body.length,
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(body.slice(0, 1));
  await new Promise((resolve) => setTimeout(resolve, RECEIVED_MS));
  await meanwhile();
  sent.end(body.slice(1));
  const [answer] = await answered;
  answer.resume();
  return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null };
}
