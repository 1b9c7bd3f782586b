import { loadAsset } from '../frame/asset-files.ts';
import { type Html, html } from '../frame/html.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { translate } from '../i18n/translate.ts';
import type { Language } from './library.ts';
import type { Trial, TrialQuery } from './trial.ts';

/** Sends the forms of operations. Without it they stay hidden. */
export const tryItScript = loadAsset('./browser/try-it.js', import.meta.url);

/** A body is shown whole up to this number of lines, and then scrolls. */
const LINES_LIMIT = 16;

/** The form that sends an operation to this service with a dev key. */
export function tryIt({ method, path, queries, body }: Trial, language: Language): Html {
  const say = (key: MessageKey) => translate(language, key);
  return html`<details class="try" hidden><summary>${say('docs.try')}</summary>
<form data-try data-method="${method}" data-path="${path}" autocomplete="off" novalidate>
<label>${say('docs.tryKey')}<input type="text" name="key" spellcheck="false" placeholder="abc_dev_…"><small>${say('docs.tryKeyHint')}</small></label>
${queries.length > 0 && html`<fieldset><legend>${say('docs.tryQuery')}</legend>${queries.map(queryField)}</fieldset>`}
${body !== null && bodyField(say('docs.tryBody'), body)}
<button type="submit">${say('docs.trySend')}</button>
<p role="status" data-status></p>
<div data-answer></div>
</form></details>
`;
}

function queryField({ name, isRequired, value }: TrialQuery): Html {
  return html`<label><code>${name}</code><input type="text" name="query.${name}" value="${value}" spellcheck="false"${isRequired && html` required`}></label>`;
}

function bodyField(label: string, body: string): Html {
  const rows = Math.min(body.split('\n').length, LINES_LIMIT);
  return html`<label>${label}<textarea name="body" rows="${rows}" spellcheck="false">${body}</textarea></label>`;
}

/** The texts that the script shows, once per page. */
export function tryItWords(language: Language): Html {
  const say = (key: MessageKey) => translate(language, key);
  return html`<div hidden data-try-words data-sending="${say('docs.trySending')}" data-no-key="${say('docs.tryNoKey')}" data-production-key="${say('docs.tryProductionKey')}" data-wrong-key="${say('docs.tryWrongKey')}" data-no-answer="${say('docs.tryNoAnswer')}" data-request-id="${say('docs.tryRequestId')}" data-headers="${say('docs.tryHeaders')}" data-wrong-fields="${say('docs.tryWrongFields')}" data-answer="${say('docs.tryAnswer')}"></div>`;
}
