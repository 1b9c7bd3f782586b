import type { Problems } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { FieldProblem } from './pay-form-data.ts';

/** What the script validates while the payer types. */
interface FieldCheck {
  /** The message if the field is required but empty, for one method or for any that shows it. */
  readonly missing?: string;
  /** Methods, separated by spaces. */
  readonly neededFor?: string;
  /** The message if the value is invalid. */
  readonly wrong?: string;
  readonly kind?: 'card-number' | 'card-expiry' | 'card-code' | 'email' | 'tax-id';
}

/** The attributes of a field that the script validates before the form is sent; the server validates the same afterwards. */
export function checkedBy({ missing, neededFor, wrong, kind }: FieldCheck, others?: Html): Html {
  const checks = { missing, 'needed-for': neededFor, wrong, check: kind };
  return html`${others ?? null}${Object.entries(checks).map(([name, text]) => text !== undefined && html` data-${name}="${text}"`)}`;
}

/** The first problem of each field, in words. */
export function problemsByField(problems: readonly FieldProblem[]): Problems {
  const words = problems.map(({ field, message }) => [field ?? '', say(message)] as const);
  return Object.fromEntries(words.reverse());
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
