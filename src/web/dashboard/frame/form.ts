import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../frame/html.ts';
import type { Visit } from './visit.ts';

interface Form {
  /** The path it posts to, relative to store and environment, such as `/webhooks/create`. */
  readonly action: string;
  readonly fields?: Html;
  /** The label of the button. */
  readonly submit: string;
  /** `danger` for actions that cannot be undone, `quiet` beside a table's row, `link` within text. */
  readonly style?: 'plain' | 'danger' | 'quiet' | 'link';
}

/** A form with the session's token and a submission id: the server accepts it only from this session, and once. */
export function form(visit: Visit, { action, fields, submit, style = 'plain' }: Form): Html {
  return html`<form class="form form--${style}" method="post" action="${visit.link(action)}">
<input type="hidden" name="csrf" value="${visit.csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
${fields !== undefined && fields}
<button class="button button--${style}">${submit}</button>
</form>`;
}

/** The problems of a form by field name. */
export type Problems = Readonly<Record<string, string>>;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly problems?: Problems;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'date' | 'datetime-local' | 'color';
  /** Such as `current-password`. */
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
}

/** An input with its label, hint and problem, associated for screen readers. */
export function textField(field: Field): Html {
  const { name, value, type = 'text', autocomplete = 'off', required = true, maxLength = 200 } = field;
  return labelled(
    field,
    html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}"${
      value !== undefined && html` value="${value}"`
    }${required && html` required`}${describedBy(field)}>`,
  );
}

/** The same for a text of several lines. */
export function textArea(field: Omit<Field, 'type' | 'autocomplete'>): Html {
  const { name, value = '', required = true, maxLength = 2_000 } = field;
  return labelled(
    field,
    html`<textarea id="${name}" name="${name}" rows="3" spellcheck="false" maxlength="${maxLength}"${
      required && html` required`
    }${describedBy(field)}>${value}</textarea>`,
  );
}

/** A choice of one option. */
export function selectField(
  field: Omit<Field, 'type'> & { readonly options: readonly (readonly [value: string, label: string])[] },
): Html {
  const { name, value, options } = field;
  return labelled(
    field,
    html`<select id="${name}" name="${name}"${describedBy(field)}>${options.map(
      ([option, label]) =>
        html`<option value="${option}"${option === value && html` selected`}>${label}</option>`,
    )}</select>`,
  );
}

/** A choice of any number of options. */
export function checkboxes<Option extends string>(group: {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly Option[];
  /** The label of an option, if it differs from the option's name. */
  readonly labelOf?: (option: Option) => string;
  readonly chosen: readonly string[];
  readonly problems?: Problems;
}): Html {
  const { name, legend, options, labelOf = (option) => option, chosen, problems = {} } = group;
  return html`<fieldset class="choices"><legend>${legend}</legend>
${problemOf({ name, problems })}
<div class="choices__all">${options.map(
    (option) =>
      html`<label><input type="checkbox" name="${name}" value="${option}"${
        chosen.includes(option) && html` checked`
      }> ${labelOf(option)}</label>\n`,
  )}</div></fieldset>`;
}

function labelled(field: Field, input: Html): Html {
  const { name, label, hint } = field;
  return html`<div class="field"><label for="${name}">${label}</label>
${input}
${hint !== undefined && html`<p class="field__hint" id="${name}-hint">${hint}</p>`}
${problemOf(field)}</div>`;
}

function problemOf({ name, problems }: Pick<Field, 'name' | 'problems'>): Html | null {
  const problem = problems?.[name];
  return problem === undefined ? null : html`<p class="field__problem" id="${name}-problem">${problem}</p>`;
}

function describedBy({ name, hint, problems }: Pick<Field, 'name' | 'hint' | 'problems'>): Html | null {
  const isWrong = problems?.[name] !== undefined;
  const ids = [...(isWrong ? [`${name}-problem`] : []), ...(hint === undefined ? [] : [`${name}-hint`])];
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${isWrong && html` aria-invalid="true"`}`;
}
