import type { IncomingMessage } from 'node:http';
import { checkText } from '../../../api/frame/json-body.ts';
import type { ApiContext } from '../../../api/frame/state.ts';
import { csrfTokenOf, hasCsrfToken } from '../../../identity/csrf-token.ts';
import { isCrossSite } from '../../frame/cross-site.ts';
import { type FormWithFiles, readForm, readFormWithFiles } from '../../frame/form-body.ts';
import type { DashboardDeps } from './deps.ts';
import { Refusal } from './route.ts';

/** A request that posts a form. */
interface Sender {
  readonly ctx: ApiContext;
  readonly deps: DashboardDeps;
}

/** Of a request that posts no form. */
export const NO_FORM: FormWithFiles = { fields: new URLSearchParams(), files: new Map() };

/** @throws Refusal if the form was sent by another site or by a page of another session. */
export async function ownForm(
  sender: Sender,
  tokenText: string,
  maxFileBytes: number | undefined,
): Promise<FormWithFiles> {
  const form = await sameSite(sender, (request) =>
    maxFileBytes === undefined ? onlyFields(request) : readFormWithFiles(request, maxFileBytes),
  );
  if (hasCsrfToken(form.fields, csrfTokenOf(tokenText))) return form;
  throw foreignForm();
}

/** The fields of a form that needs no session. @throws Refusal if another site sent it. */
export async function sameSiteForm(sender: Sender): Promise<URLSearchParams> {
  return (await sameSite(sender, onlyFields)).fields;
}

async function sameSite(
  { ctx, deps }: Sender,
  read: (request: IncomingMessage) => Promise<FormWithFiles>,
): Promise<FormWithFiles> {
  if (isCrossSite(ctx.req.headers, deps.publicUrl)) throw foreignForm();
  const form = await read(ctx.req);
  for (const [name, value] of form.fields) checkText(value, name);
  return form;
}

async function onlyFields(request: IncomingMessage): Promise<FormWithFiles> {
  return { fields: await readForm(request), files: new Map() };
}

function foreignForm(): Refusal {
  return new Refusal(403, 'dashboard.frame.theFormDidNotCome');
}
