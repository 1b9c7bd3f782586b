import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { FieldName, FieldProblem } from './pay-form-data.ts';

/** What the script validates while the payer types. */
export interface FieldCheck {
  /** The message if the field is required but empty, for one method or for any that shows it. */
  readonly missing?: string;
  /** Methods, separated by spaces. */
  readonly neededFor?: string;
  /** The message if the value is invalid. */
  readonly wrong?: string;
  readonly kind?: 'card-number' | 'card-expiry' | 'card-code' | 'email' | 'tax-id';
}

interface TextField {
  readonly name: FieldName;
  readonly label: string | Html;
  /** The initial value. Omitted for card data, which is never sent back. */
  readonly value?: string;
  readonly hint?: string | Html;
  /** The form's problems; only one of this field is shown here. */
  readonly problems: readonly FieldProblem[];
  /** Validation by the script before the form is sent; the server validates the same afterwards. */
  readonly check?: FieldCheck;
  /** Further attributes of the input: keyboard, autofill, length. */
  readonly attributes: Html;
  /** `half` shares its line with the next field. */
  readonly width?: 'whole' | 'half';
}

/** An input with its label, hint and problem, associated for screen readers. */
export function renderTextField(field: TextField): Html {
  const { name, label, value, hint, problems, attributes, check = {}, width = 'whole' } = field;
  const own = problemOf(problems, name);
  return html`<div class="field field--${width}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}"${value !== undefined && html` value="${value}"`} ${attributes}${checkAttributes(check)}${describedBy(name, hint !== undefined, own)}>
${hint !== undefined && html`<p class="field__hint" id="${name}-hint">${hint}</p>`}
${renderProblem(name, own)}
</div>`;
}

function checkAttributes({ missing, neededFor, wrong, kind }: FieldCheck): Html {
  const attributes = { missing, 'needed-for': neededFor, wrong, check: kind };
  return html`${Object.entries(attributes).map(([name, text]) => text !== undefined && html` data-${name}="${text}"`)}`;
}

/** The attributes that associate an input with its hint and problem. */
export function describedBy(name: FieldName, hasHint: boolean, problem: FieldProblem | null): Html | null {
  const ids = [...(problem === null ? [] : [`${name}-problem`]), ...(hasHint ? [`${name}-hint`] : [])];
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${problem !== null && html` aria-invalid="true"`}`;
}

/** The message under a field. */
export function renderProblem(name: FieldName, problem: FieldProblem | null): Html | null {
  return problem && html`<p class="field__problem" id="${name}-problem">${say(problem.message)}</p>`;
}

/** The first problem of a field. */
export function problemOf(problems: readonly FieldProblem[], name: FieldName): FieldProblem | null {
  return problems.find(({ field }) => field === name) ?? null;
}

/**
 * All problems, above the form, each with a link to its field. Screen readers announce them when the page loads.
 * @param note what the payer also has to know.
 */
export function renderProblemSummary(problems: readonly FieldProblem[], note: string | null): Html | null {
  if (problems.length === 0) return null;
  const lines = problems.map(({ field, message }) =>
    field === null ? html`${say(message)}` : html`<a href="#${field}">${say(message)}</a>`,
  );
  return html`<div class="alert" role="alert">
${lines.length === 1 ? html`<p>${lines}</p>` : html`<ul class="alert__list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}
${note !== null && html`<p>${note}</p>`}
</div>`;
}
