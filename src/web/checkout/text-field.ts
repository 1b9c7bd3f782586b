import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { FieldName, FieldProblem } from './pay-form-data.ts';

/** What the script validates while the payer types. */
export interface FieldCheck {
  /** The message if the field is required but empty, for one method or for any that shows it. */
  readonly missing?: string;
  readonly neededFor?: 'BOLETO';
  /** The message if the value is invalid. */
  readonly wrong?: string;
  readonly kind?: 'card-number' | 'card-expiry' | 'card-code' | 'email';
}

interface TextField {
  readonly name: FieldName;
  readonly label: string | Html;
  /** The initial value. Omitted for card data, which is never sent back. */
  readonly value?: string;
  readonly hint?: string | Html;
  /** The form's problem; shown here only if it concerns this field. */
  readonly problem: FieldProblem | null;
  /** Validation by the script before the form is sent; the server validates the same afterwards. */
  readonly check?: FieldCheck;
  /** Further attributes of the input: keyboard, autofill, length. */
  readonly attributes: Html;
  /** `half` shares its line with the next field. */
  readonly width?: 'whole' | 'half';
}

/** An input with its label, hint and problem, associated for screen readers. */
export function renderTextField(field: TextField): Html {
  const { name, label, value, hint, problem, attributes, check = {}, width = 'whole' } = field;
  const own = problem?.field === name ? problem : null;
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

/** The problem, above the form, with a link to its field. Screen readers announce it when the page loads. */
export function renderProblemSummary(problem: FieldProblem | null): Html | null {
  if (problem === null) return null;
  const { field } = problem;
  const message = say(problem.message);
  return html`<div class="alert" role="alert">
<p>${field === null ? message : html`<a href="#${field}">${message}</a>`}</p>
</div>`;
}
