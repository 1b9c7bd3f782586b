import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../frame/html.ts';
import type { Visit } from './visit.ts';

interface Form {
  /** Referenced by buttons outside the form. */
  readonly id?: string;
  /** The path it posts to, relative to store and environment, such as `/webhooks/create`. */
  readonly action: string;
  readonly fields?: Html;
  /** The label of the button. */
  readonly submit: string;
  /** Beside the button, such as one that closes the form's dialog. */
  readonly beside?: Html;
  /** Whether the browser leaves the check of the fields to the server, which names all wrong fields at once. */
  readonly checkedByServer?: true;
  /** `danger` for actions that destroy something, or that nobody can undo and may regret, `quiet` beside a table's row, `link` within text. */
  readonly style?: 'plain' | 'danger' | 'quiet' | 'link';
  /** Whether it contains a file. */
  readonly hasFile?: true;
  /** Whether its fields need the width of the page. */
  readonly isWide?: boolean;
}

/** A form with the session's token and a submission id: the server accepts it only from this session, and once. */
export function form(visit: Visit, given: Form): Html {
  const {
    id,
    action,
    fields,
    submit,
    style = 'plain',
    beside,
    checkedByServer = false,
    isWide = false,
    hasFile = false,
  } = given;
  const button = html`<button class="button button--${style}">${submit}</button>`;
  return html`<form${id !== undefined && html` id="${id}"`} class="form form--${style}${isWide && html` form--wide`}" method="post" action="${visit.link(action)}"${hasFile && html` enctype="multipart/form-data"`}${checkedByServer && html` novalidate`}>
<input type="hidden" name="csrf" value="${visit.csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
${fields !== undefined && fields}
${beside === undefined ? button : html`<div class="form__buttons">${button}${beside}</div>`}
</form>`;
}
