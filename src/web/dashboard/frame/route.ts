import type { Readable } from 'node:stream';
import type { Action } from '../../../domain/role.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { MessageValues } from '../../i18n/translate.ts';
import type { Flash } from './cookies.ts';
import type { Visit } from './visit.ts';

/** The response of a page or form. Its `sessionToken` is the session's token from now on, and `device` the text of the browser's device. */
export type Reply =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly document: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly sessionToken?: string;
      readonly device?: string | null;
    }
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly flash: Flash | null;
      readonly sessionToken?: string;
      readonly device?: string | null;
    }
  | { readonly kind: 'stream'; readonly body: Readable }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly contentType: string;
      readonly body: string | Buffer | Readable;
    };

/** A page or a form of the dashboard. Created by {@link dashboardRoute}. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Relative to `/dashboard/<store>/<environment>`: `/webhooks/:id`. */
  readonly path: `/${string}`;
  /** The reader's role must allow this action. */
  readonly action: Action;
  /** Exists in dev mode only; returns 404 in production. */
  readonly devModeOnly?: true;
  /**
   * Concerns the person only. Members without a second factor may open it even if the store requires one, so that they can set it
   * up.
   */
  readonly isOfPerson?: true;
  /** The most bytes that the files of its form may have together. Without it the form has no files. */
  readonly maxFileBytes?: number;
  /** Its form only shows something, so it leaves no line in the audit log. */
  readonly changesNothing?: true;
  readonly handler: (visit: Visit) => Promise<Reply>;
}

/**
 * A page, or the handler of a form. It runs only after the reader is signed in, is a member of the store and may do `action`; a
 * form must also come from a page of the same session.
 */
export function dashboardRoute(route: DashboardRoute): DashboardRoute {
  return route;
}

/** Redirects to a page that can be reloaded without resubmitting the form. @param done the message it shows. */
export function seeOther(to: string, done?: string): Extract<Reply, { kind: 'redirect' }> {
  return { kind: 'redirect', to, flash: done === undefined ? null : { kind: 'done', text: done } };
}

/** The same, with the reason of the failure. */
export function refused(to: string, why: string): Reply {
  return { kind: 'redirect', to, flash: { kind: 'refused', text: why } };
}

/** A CSV file. */
export function csvFile(name: string, body: string | Readable): Reply {
  return { kind: 'file', name, contentType: 'text/csv; charset=utf-8; header=present', body };
}

/** The reason for a link that signs in once, and was used or has expired. */
export const USED_LINK = 'dashboard.signIn.thisLinkHasBeenUsed' as const;

/** Ends a request with a page that states the reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly text: MessageKey;
  readonly values: MessageValues;
  /** Seconds until a retry may succeed; null if a retry does not help, or nobody knows. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    text: MessageKey,
    values: MessageValues = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(text);
    this.name = 'Refusal';
    this.status = status;
    this.text = text;
    this.values = values;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The same response whether the object does not exist or belongs to another store. */
export function nothingHere(): Refusal {
  return new Refusal(404, 'dashboard.error.routeNotFound');
}
