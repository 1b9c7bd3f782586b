import { type Html, html } from '../../frame/html.ts';
import { type Icon, icon } from '../../frame/icons.ts';
import { form } from './form.ts';
import { reasonsOf } from './refusals.ts';
import type { Shown } from './table.ts';
import type { ReopenedForm, Visit } from './visit.ts';

interface FormDialog {
  /** Unique on the page; also the `form` of `fieldsOf` and the `name` in `formAction`. */
  readonly name: string;
  /** The button on the page that opens the dialog. */
  readonly button: string;
  /** Before the button's text. */
  readonly buttonIcon?: Icon;
  /** Dangerous dialogs have a red button. */
  readonly style?: 'plain' | 'quiet';
  /** The heading: what will happen, as a question or a command. */
  readonly title: string;
  /** Above the fields: what happens and whether it can be undone. */
  readonly text?: Shown;
  /** The path the form posts to, relative to store and environment. */
  readonly action: string;
  /** Made with `fieldsOf(visit, name)`; left out to ask for confirmation only. */
  readonly fields?: Html;
  /** The label of the button that sends the form, if it differs from `button`. */
  readonly submit?: string;
  /** Whether it destroys something, or does what nobody can undo and may regret. Sending money is no such thing. */
  readonly isDangerous?: true;
  /** A second button: the path of a `formPreview`, and its label. */
  readonly preview?: { readonly action: string; readonly button: string };
}

type DialogAfterForm = Omit<FormDialog, 'button' | 'buttonIcon' | 'style'> &
  Required<Pick<FormDialog, 'submit'>>;

/** The URL parameter with the name of the dialog that is open. */
const OPEN = 'dialog';

/**
 * A button and the dialog that it opens: to confirm something, or to create or change something.
 *
 * The button is a link to the same page with the dialog open, so it works without JavaScript and in a new tab; the script opens the
 * dialog in place. Escape, a click outside and Cancel close it, and the focus returns to the button. The server checks the fields. If
 * the route is a `formAction` with `form`, a refused form is shown again with the dialog open, the values kept and all problems.
 *
 * ```ts
 * const fields = fieldsOf(visit, 'refund');
 * formDialog(visit, {
 *   name: 'refund', button: say('Reembolsar', 'Refund'), title: …, action: `/payments/${id}/refund`,
 *   fields: fields.text({ name: 'amount', label: … }), submit: …, isDangerous: true,
 * });
 * formAction({ path: '/payments/:id/refund', form: { name: 'refund', page: paymentDetail.handler }, … });
 * ```
 *
 * For a password, add `stepUpFields(visit, stepUp, fields.problems, 'refund')`, and throw `FormRefused` with the problems.
 */
export function formDialog(visit: Visit, dialog: FormDialog): Html {
  const { name, button, buttonIcon, submit = button, isDangerous = false } = dialog;
  const { style = isDangerous ? 'danger' : 'plain' } = dialog;
  const opened = new URLSearchParams([...closedQuery(visit), [OPEN, name]]);
  return html`<a class="button button--${style}" role="button" aria-haspopup="dialog" data-opens="${name}" href="?${opened.toString()}">${buttonIcon !== undefined && icon(buttonIcon)}${button}</a>
${dialogAfterForm(visit, { ...dialog, submit })}`;
}

/** The dialog without its button: another form's action opens it by redirecting to {@link openDialog}. */
export function dialogAfterForm(visit: Visit, dialog: DialogAfterForm): Html {
  const { say, query, path, reopenedForm } = visit;
  const { name, title, text, action, fields, submit, isDangerous, preview } = dialog;
  const reopened = reopenedForm?.form === name ? reopenedForm : null;
  const isOpen = reopened !== null || (reopenedForm === null && query.get(OPEN) === name);
  const closed = closedQuery(visit);
  // Someone who has only to confirm must not do it by pressing Enter twice.
  const cancel = html`<button class="button button--quiet" formmethod="dialog" formnovalidate${fields === undefined && html` autofocus`}>${say('dashboard.cancel')}</button>`;
  return html`<dialog class="dialog" id="${name}" aria-labelledby="${name}-title" closedby="any" data-closed="${path}${closed.size > 0 && `?${closed.toString()}`}"${isOpen && html` open`}>
<h2 id="${name}-title">${title}</h2>
${reopened !== null && unplaced(reopened, fields)}
${text !== undefined && html`<div class="dialog__text">${text}</div>`}
${form(visit, {
  action,
  fields: html`${fields ?? null}${reopened?.preview ?? null}`,
  submit,
  style: isDangerous ? 'danger' : 'plain',
  checkedByServer: true,
  beside: html`${preview !== undefined && html`<button class="button button--quiet" formaction="${visit.link(preview.action)}">${preview.button}</button>`}${cancel}`,
})}
</dialog>`;
}

/** The address of a page with this dialog open. */
export function openDialog(path: `/${string}`, name: string): `/${string}` {
  return `${path}?${OPEN}=${name}`;
}

function closedQuery({ query }: Visit): URLSearchParams {
  const closed = new URLSearchParams(query);
  closed.delete(OPEN);
  return closed;
}

/** The reasons that no field shows. */
function unplaced({ problems, text }: ReopenedForm, fields: Html | undefined): Html | null {
  const others = Object.entries(problems).filter(([name]) => !fields?.markup.includes(`name="${name}"`));
  const reasons = reasonsOf({ problems: Object.fromEntries(others), text });
  if (reasons.length === 0) return null;
  return html`<div class="flash flash--refused" role="alert">${reasons.map((reason) => html`<p>${reason}</p>`)}</div>`;
}
