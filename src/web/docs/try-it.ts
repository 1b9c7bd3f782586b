import { loadAsset } from '../frame/asset-files.ts';
import { textArea, textField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { translate } from '../i18n/translate.ts';
import type { Language } from './library.ts';
import type { KeyKind } from './openapi.ts';
import type { Trial } from './trial.ts';

/** Sends the forms of operations. Without it they stay hidden. */
export const tryItScript = loadAsset('./browser/try-it.js', import.meta.url);

/** A body is shown whole up to this number of lines, and then scrolls. */
const LINES_LIMIT = 16;

/** The form that sends an operation to this service with a dev key. */
export function tryIt({ method, path, key, queries, body }: Trial, language: Language): Html {
  const say = (key: MessageKey) => translate(language, key);
  const id = (name: string) => `${method}${path}-${name}`;
  const fields = queries.map(({ name, isRequired, value }) =>
    textField({
      name: `query.${name}`,
      id: id(name),
      label: html`<code>${name}</code>`,
      value,
      required: isRequired,
      attributes: html` spellcheck="false"`,
    }),
  );
  return html`<details class="try" hidden><summary class="folds">${say('docs.try')}</summary>
<form data-try data-method="${method}" data-path="${path}" autocomplete="off" novalidate>
${key !== null && keyField(key, id('key'), say)}
${fields.length > 0 && html`<fieldset><legend>${say('docs.tryQuery')}</legend>${fields}</fieldset>`}
${body !== null && bodyField(id('body'), say('docs.tryBody'), body)}
<button class="button" type="submit">${say('docs.trySend')}</button>
<p role="status" data-status></p>
<div data-answer></div>
</form></details>
`;
}

const KEY_FIELDS = {
  secret: { label: 'docs.tryKey', hint: 'docs.tryKeyHint', prefix: 'abc_dev_' },
  public: { label: 'docs.tryPublicKey', hint: 'docs.tryPublicKeyHint', prefix: 'pk_dev_' },
} as const;

function keyField(kind: KeyKind, id: string, say: (key: MessageKey) => string): Html {
  const { label, hint, prefix } = KEY_FIELDS[kind];
  return textField({
    name: 'key',
    id,
    label: say(label),
    hint: say(hint),
    attributes: html` spellcheck="false" placeholder="${prefix}…" data-prefix="${prefix}"`,
  });
}

function bodyField(id: string, label: string, body: string): Html {
  const rows = Math.min(body.split('\n').length, LINES_LIMIT);
  return textArea({ name: 'body', id, label, rows, value: body, maxLength: 1_000_000 });
}

/** The texts that the script shows, once per page. */
export function tryItWords(language: Language): Html {
  const say = (key: MessageKey) => translate(language, key);
  return html`<div hidden data-try-words data-sending="${say('docs.trySending')}" data-no-key="${say('docs.tryNoKey')}" data-production-key="${say('docs.tryProductionKey')}" data-wrong-key="${say('docs.tryWrongKey')}" data-wrong-public-key="${say('docs.tryWrongPublicKey')}" data-no-answer="${say('docs.tryNoAnswer')}" data-request-id="${say('docs.tryRequestId')}" data-headers="${say('docs.tryHeaders')}" data-wrong-fields="${say('docs.tryWrongFields')}" data-answer="${say('docs.tryAnswer')}"></div>`;
}
