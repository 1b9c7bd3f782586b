import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGS, type Locale, type MessageKey } from './catalogs.ts';

/** What replaces the placeholders of a message. Numbers also choose its plural. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Each message is parsed once per language, when it is first shown. */
const parsed = new Map<string, IntlMessageFormat>();

function messageOf(locale: Locale, key: MessageKey): IntlMessageFormat {
  const id = `${locale} ${key}`;
  const known = parsed.get(id);
  if (known !== undefined) return known;
  // Tags are text: markup only comes in as a value, already escaped.
  const message = new IntlMessageFormat(unbroken(CATALOGS[locale][key]), locale, undefined, {
    ignoreTag: true,
  });
  parsed.set(id, message);
  return message;
}

/** Lines do not end within the name NFS-e: a word joiner follows its hyphen, because fonts lack U+2011. */
function unbroken(message: string): string {
  return message.replaceAll('NFS-e', 'NFS-\u2060e');
}

/** The text of a key in a language. @throws if a placeholder has no value; a test checks every call. */
export function translate(locale: Locale, key: MessageKey, values: MessageValues = {}): string {
  return String(messageOf(locale, key).format(values));
}

/** The same in parts, for values that are more than text, such as links. */
export function translatedParts<Value>(
  locale: Locale,
  key: MessageKey,
  values: Readonly<Record<string, string | number | Value>>,
): readonly (string | Value)[] {
  return messageOf(locale, key)
    .formatToParts<Value>(values)
    .map(({ value }) => value as string | Value);
}
