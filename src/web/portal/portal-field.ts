import { type Html, html } from '../frame/html.ts';

/** An input of the portal with its label and problem, associated for screen readers. */
export function renderPortalField({
  name,
  label,
  problem,
  attributes,
}: {
  readonly name: string;
  readonly label: string;
  readonly problem: string | null;
  readonly attributes: Html;
}): Html {
  return html`<div class="portal__field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes}${problem !== null && html` aria-invalid="true" aria-describedby="${name}-problem"`}>
${problem !== null && html`<p class="portal__problem" id="${name}-problem" role="alert">${problem}</p>`}
</div>`;
}
