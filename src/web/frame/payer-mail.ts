import type { LogoFile } from '../../domain/store-logo.ts';
import { html } from './html.ts';
import { currentLanguage, localeOf } from './language.ts';
import { logoInMail } from './store-logo.ts';

/** A mail without its recipient. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface MailContent {
  readonly subject: string;
  /** A paragraph each. */
  readonly lines: readonly string[];
  /** Below them. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** Of the store; null without a logo. */
  readonly logoFile: LogoFile | null;
}

/** A store's mail to a payer, in the current language, as text and as HTML. */
export function payerMail({ subject, lines, links, logoFile }: MailContent, publicUrl: string): Mail {
  const body = html`<!doctype html>
<html lang="${localeOf(currentLanguage())}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
${links.map(({ text, url }) => html`<p><a href="${url}">${text}</a></p>\n`)}
</body></html>`;
  const texts = [...lines, ...links.map(({ text, url }) => `${text}: ${url}`)];
  return { subject, text: `${texts.join('\n\n')}\n`, html: body.markup };
}
