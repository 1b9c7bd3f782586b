import { type Html, html } from '../../frame/html.ts';

/** A form for people who are not signed in. There is no session to hold a token, so the server checks the request's origin. */
export function anonymousForm(given: {
  readonly action: string;
  readonly fields: Html;
  readonly submit: string;
  readonly problem?: string | null;
}): Html {
  const { action, fields, submit, problem = null } = given;
  return html`${problem !== null && html`<p class="flash flash--refused" role="alert">${problem}</p>`}
<form class="form" method="post" action="${action}">
${fields}
<button class="button">${submit}</button>
</form>`;
}
