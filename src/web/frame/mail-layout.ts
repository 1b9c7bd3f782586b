import { accentShades } from '../../domain/accent-color.ts';
import { type LogoFile, shownLogoSize } from '../../domain/store-logo.ts';
import type { Locale } from '../i18n/catalogs.ts';
import { type Html, html } from './html.ts';
import { as, mailStyles } from './mail-styles.ts';

/** A mail without its recipient. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  /** It shows the picture of {@link LOGO_CID}, if there is a logo, and loads nothing. */
  readonly html: string;
  /** The store's, which is sent inside the mail: mail programs do not load pictures from elsewhere by themselves. */
  readonly logoFile: LogoFile | null;
}

/** The name under which a mail shows the logo that it contains (RFC 2392). */
export const LOGO_CID = 'store-logo';

/** The store in whose name a mail is sent. */
export interface MailStore {
  readonly name: string;
  readonly logoFile: LogoFile | null;
  readonly accentColor: string | null;
}

interface Link {
  readonly text: string;
  readonly url: string;
}

/** What a mail says, from top to bottom. */
export interface MailContent {
  readonly locale: Locale;
  readonly store: MailStore;
  /** That nothing in it is real; null in production. */
  readonly notice?: string | null;
  /** Also the subject, before the store's name. */
  readonly heading: string;
  /** The amount that it is about. */
  readonly amount?: string | null;
  /** A paragraph each. Mail programs show the first one beside the subject. */
  readonly lines: readonly string[];
  /** A code to type. */
  readonly code?: string;
  /** Values may have several lines. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** The first one is a button. */
  readonly links?: readonly Link[];
  /** The same in another language. */
  readonly translation?: Pick<MailContent, 'locale' | 'lines'>;
  /** In small print. */
  readonly notes?: readonly (string | null)[];
  readonly unsubscribe?: Link;
}

/** A store's mail as text and as HTML. */
export function renderMail(content: MailContent): Mail {
  const { store, heading } = content;
  return {
    subject: breakable(`${heading} – ${store.name}`),
    text: breakable(`${textsOf(content).join('\n\n')}\n`),
    html: documentOf(content).markup,
    logoFile: store.logoFile,
  };
}

/** Plain text has the spaces that people type, so that a search of their mails finds an amount. */
function breakable(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

function textsOf(content: MailContent): readonly string[] {
  const { notice, lines, code, facts = [], links = [], translation, unsubscribe } = content;
  return [
    ...(notice ? [notice] : []),
    ...lines,
    ...(code === undefined ? [] : [code]),
    ...(facts.length === 0
      ? []
      : [facts.map(([name, value]) => `${name}: ${value.replaceAll('\n', ', ')}`).join('\n')]),
    ...(translation?.lines ?? []),
    ...links.map(linkText),
    ...notesOf(content),
    ...(unsubscribe === undefined ? [] : [linkText(unsubscribe)]),
  ];
}

function linkText({ text, url }: Link): string {
  return `${text}: ${url}`;
}

function notesOf({ notes = [] }: MailContent): readonly string[] {
  return notes.filter((note) => note !== null);
}

/** Tables and inline styles, which every mail program understands; the style sheet adds the dark colours to those that have them. */
function documentOf(content: MailContent): Html {
  const { locale, store, heading, notice = null, amount = null, lines, code, facts = [] } = content;
  const { links = [], translation } = content;
  const shades = store.accentColor === null ? DEFAULT_SHADES : accentShades(store.accentColor);
  const [button, ...others] = links;
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${heading}</title>${mailStyles(shades)}</head>
<body ${as('ground')}><div ${as('preheader')}>${lines[0] ?? ''}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${as('ground')}><tr><td align="center" ${as('margin')}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${as('paper')}><tr><td ${as('cell')}>
${storeHead(store, shades.light.brand)}
${notice !== null && html`<p ${as('notice')}>${notice}</p>`}
<h1 ${as('heading')}>${heading}</h1>
${amount !== null && html`<p ${as(amount.length > AMOUNT_LENGTH ? 'longAmount' : 'amount')}>${amount}</p>`}
${paragraphs(lines)}
${code !== undefined && html`<p ${as('code')}>${code}</p>`}
${facts.length > 0 && factTable(facts)}
${translation !== undefined && html`<div lang="${translation.locale}" ${as('part')}>${paragraphs(translation.lines)}</div>`}
${button !== undefined && buttonTo(button, shades.light.brand)}
${others.map((link) => html`<p ${as('line')}>${linkTo(link, shades.light.brand)}</p>`)}
${footOf(content)}
</td></tr></table></td></tr></table></body></html>`;
}

/** The longest amount that is as large as others: a phone has no room for more. */
const AMOUNT_LENGTH = 'R$ 1.234.567,89'.length;

/** Of pages without a colour of the store's own (tokens.css). */
const DEFAULT_SHADES = {
  light: { brand: '#0b5d46' },
  dark: { brand: '#6fd3b0', onBrand: '#0c1411' },
} as const;

function storeHead({ name, logoFile }: MailStore, brand: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td ${as('logo')}>${logoFile === null ? initial(name, brand) : logo(logoFile)}</td><td ${as('store')}>${name}</td></tr></table>`;
}

function logo(file: LogoFile): Html {
  const { width, height } = shownLogoSize(file);
  return html`<img src="cid:${LOGO_CID}" alt="" width="${width}" height="${height}" ${as('picture')}>`;
}

/** The first letter of its name, for a store without a logo. */
function initial(name: string, brand: string): Html {
  return html`<div aria-hidden="true" ${as('initial', brand)}>${[...name.trim()][0]?.toUpperCase() ?? ''}</div>`;
}

function paragraphs(lines: readonly string[]): Html {
  return html`${lines.map((line) => html`<p ${as('line')}>${line}</p>\n`)}`;
}

function factTable(facts: readonly (readonly [string, string])[]): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${as('facts')}>${facts.map(
    ([name, value]) => html`<tr><td ${as('name')}>${name}</td><td ${as('value')}>${value}</td></tr>\n`,
  )}</table>`;
}

/** Outlook ignores the padding of a link, but not the colour of a cell. */
function buttonTo({ text, url }: Link, brand: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" ${as('actions')}><tr><td ${as('button', brand)}><a href="${url}" ${as('press')}>${text}</a></td></tr></table>`;
}

function linkTo({ text, url }: Link, brand: string): Html {
  return html`<a href="${url}" ${as('link', brand)}>${text}</a>`;
}

function footOf(content: MailContent): Html | null {
  const { unsubscribe } = content;
  const notes = notesOf(content);
  if (notes.length === 0 && unsubscribe === undefined) return null;
  return html`<div ${as('part')}>${notes.map((note) => html`<p ${as('note')}>${note}</p>\n`)}
${unsubscribe !== undefined && html`<p ${as('note')}><a href="${unsubscribe.url}" ${as('quiet')}>${unsubscribe.text}</a></p>`}</div>`;
}
