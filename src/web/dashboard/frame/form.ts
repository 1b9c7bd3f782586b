import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../frame/html.ts';
import type { Problems } from './problems.ts';
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
  /** `danger` for actions that cannot be undone, `quiet` beside a table's row, `link` within text. */
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

export type { Problems } from './problems.ts';

export interface Field {
  readonly name: string;
  /** Of the element on the page; defaults to the name. A page with several forms needs one for each field. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly problems?: Problems;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'date' | 'datetime-local' | 'color';
  /** Such as `current-password`. */
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** Right of the input, such as a picker. */
  readonly beside?: Html;
}

/** An input with its label, hint and problem, associated for screen readers. */
export function textField(field: Field): Html {
  const { name, value, type = 'text', autocomplete = 'off', required = true, maxLength = 200 } = field;
  return labelled(
    field,
    html`<input id="${idOf(field)}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}"${
      value !== undefined && html` value="${value}"`
    }${required && html` required`}${describedBy(field)}>`,
  );
}

/** A choice of one file. The form needs `hasFile`. @param field its `accept` lists media types, as in HTML. */
export function fileField(field: Omit<Field, 'type' | 'value'> & { readonly accept: string }): Html {
  return labelled(
    field,
    html`<input id="${idOf(field)}" name="${field.name}" type="file" accept="${field.accept}"${(field.required ?? true) && html` required`}${describedBy(field)}>`,
  );
}

/** The same for a text of several lines. */
export function textArea(field: Omit<Field, 'type' | 'autocomplete'>): Html {
  const { name, value = '', required = true, maxLength = 2_000 } = field;
  return labelled(
    field,
    html`<textarea id="${idOf(field)}" name="${name}" rows="3" spellcheck="false" maxlength="${maxLength}"${
      required && html` required`
    }${describedBy(field)}>${value}</textarea>`,
  );
}

export type SelectField = Omit<Field, 'type'> & {
  readonly options: readonly (readonly [value: string, label: string])[];
};

/** A choice of one option. */
export function selectField(field: SelectField): Html {
  const { name, value, options } = field;
  return labelled(
    field,
    html`<select id="${idOf(field)}" name="${name}"${describedBy(field)}>${options.map(
      ([option, label]) =>
        html`<option value="${option}"${option === value && html` selected`}>${label}</option>`,
    )}</select>`,
  );
}

export interface Choices<Option extends string> {
  readonly name: string;
  readonly id?: string;
  readonly legend: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  /** The label of an option, if it differs from the option's name. */
  readonly labelOf?: (option: Option) => string;
  readonly chosen: readonly string[];
  readonly problems?: Problems;
}

/** A choice of any number of options. */
export function checkboxes<Option extends string>(group: Choices<Option>): Html {
  const { name, legend, hint, options, labelOf = (option) => option, chosen } = group;
  return html`<fieldset class="choices"><legend>${legend}</legend>
${problemOf(group)}
<div class="choices__all">${options.map(
    (option) =>
      html`<label><input type="checkbox" name="${name}" value="${option}"${
        chosen.includes(option) && html` checked`
      }> ${labelOf(option)}</label>\n`,
  )}</div>${hint !== undefined && html`<p class="field__hint">${hint}</p>`}</fieldset>`;
}

function idOf({ id, name }: Pick<Field, 'id' | 'name'>): string {
  return id ?? name;
}

function labelled(field: Field, input: Html): Html {
  const { label, hint, beside } = field;
  const id = idOf(field);
  return html`<div class="field"><label for="${id}">${label}</label>
${beside === undefined ? input : html`<div class="field__row">${input}${beside}</div>`}
${hint !== undefined && html`<p class="field__hint" id="${id}-hint">${hint}</p>`}
${problemOf(field)}</div>`;
}

type Checked = Pick<Field, 'id' | 'name' | 'problems'>;

function problemOf(field: Checked): Html | null {
  const problem = field.problems?.[field.name];
  return problem === undefined
    ? null
    : html`<p class="field__problem" id="${idOf(field)}-problem">${problem}</p>`;
}

function describedBy(field: Checked & Pick<Field, 'hint'>): Html | null {
  const id = idOf(field);
  const isWrong = field.problems?.[field.name] !== undefined;
  const ids = [...(isWrong ? [`${id}-problem`] : []), ...(field.hint === undefined ? [] : [`${id}-hint`])];
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${isWrong && html` aria-invalid="true"`}`;
}
