import { type Html, html } from './html.ts';

/** The problems of a form by field name. */
export type Problems = Readonly<Record<string, string>>;

export interface Field {
  readonly name: string;
  /** Of the element on the page; defaults to the name. A page with several forms needs one for each field. */
  readonly id?: string;
  readonly label: string | Html;
  readonly value?: string;
  readonly hint?: string | Html;
  /** Those of the whole form; the field shows its own. */
  readonly problems?: Problems;
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'url' | 'date' | 'datetime-local' | 'color';
  /** Such as `current-password`. */
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** Further attributes of the input, such as its keyboard. They start with a space. */
  readonly attributes?: Html | undefined;
  /** Right of the input, such as a picker. */
  readonly beside?: Html;
  /** Whether it shares its line with the next field, in a form of two columns. */
  readonly isHalf?: boolean;
}

/** An input with its label, hint and problem, associated for screen readers. */
export function textField(field: Field): Html {
  const { name, value, type = 'text', autocomplete = 'off', maxLength = 200 } = field;
  return labelled(
    field,
    html`<input id="${idOf(field)}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}"${
      value !== undefined && html` value="${value}"`
    }${common(field)}>`,
  );
}

/** A choice of one file. The form needs `hasFile`. @param field its `accept` lists media types, as in HTML. */
export function fileField(field: Omit<Field, 'type' | 'value'> & { readonly accept: string }): Html {
  return labelled(
    field,
    html`<input id="${idOf(field)}" name="${field.name}" type="file" accept="${field.accept}"${common(field)}>`,
  );
}

/** The same for a text of several lines. */
export function textArea(field: Omit<Field, 'type' | 'autocomplete'> & { readonly rows?: number }): Html {
  const { name, value = '', rows = 3, maxLength = 2_000 } = field;
  return labelled(
    field,
    html`<textarea id="${idOf(field)}" name="${name}" rows="${rows}" spellcheck="false" maxlength="${maxLength}"${common(field)}>${value}</textarea>`,
  );
}

export type SelectField = Omit<Field, 'type' | 'required'> & {
  readonly options: readonly SelectOption[];
};

/** Its attributes start with a space. */
export type SelectOption = readonly [value: string, label: string, attributes?: Html | undefined];

/** A choice of one option. */
export function selectField(field: SelectField): Html {
  const { name, value, options } = field;
  return labelled(
    field,
    html`<select id="${idOf(field)}" name="${name}"${common({ ...field, required: false })}>${options.map(
      ([option, label, attributes]) =>
        html`<option value="${option}"${attributes ?? null}${option === value && html` selected`}>${label}</option>`,
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
<div class="choices__all">${options.map((option) =>
    checkbox({ name, value: option, label: labelOf(option), isChecked: chosen.includes(option) }),
  )}</div>${hint !== undefined && html`<p class="field__hint">${hint}</p>`}</fieldset>`;
}

/** One box with its label. @param given its `class` is that of the label, its `attributes` start with a space. */
export function checkbox(given: {
  readonly name: string;
  readonly value: string;
  readonly label: string | Html;
  readonly isChecked?: boolean;
  readonly type?: 'checkbox' | 'radio';
  readonly class?: string;
  readonly attributes?: Html;
}): Html {
  const { name, value, label, isChecked = false, type = 'checkbox', attributes } = given;
  return html`<label${given.class !== undefined && html` class="${given.class}"`}><input type="${type}" name="${name}" value="${value}"${
    isChecked && html` checked`
  }${attributes ?? null}> ${label}</label>\n`;
}

/** The problem of a field or of a group of fields. */
export function problemOf({ id, name, problems }: Checked): Html | null {
  const problem = problems?.[name];
  if (problem === undefined) return null;
  return html`<p class="field__problem" id="${id ?? name}-problem">${problem}</p>`;
}

type Checked = Pick<Field, 'id' | 'name' | 'problems'>;

function idOf({ id, name }: Pick<Field, 'id' | 'name'>): string {
  return id ?? name;
}

function labelled(field: Field, input: Html): Html {
  const { label, hint, beside, isHalf = false } = field;
  const id = idOf(field);
  return html`<div class="field${isHalf && ' field--half'}"><label for="${id}">${label}</label>
${beside === undefined ? input : html`<div class="field__row">${input}${beside}</div>`}
${hint !== undefined && html`<p class="field__hint" id="${id}-hint">${hint}</p>`}
${problemOf(field)}</div>`;
}

/** The attributes of every input. They associate it with its hint and problem. */
function common(field: Checked & Pick<Field, 'hint' | 'required' | 'attributes'>): Html {
  const { required = true, attributes, hint, problems } = field;
  const id = idOf(field);
  const isWrong = problems?.[field.name] !== undefined;
  const ids = [...(isWrong ? [`${id}-problem`] : []), ...(hint === undefined ? [] : [`${id}-hint`])];
  return html`${required && html` required`}${attributes ?? null}${
    ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`
  }${isWrong && html` aria-invalid="true"`}`;
}
