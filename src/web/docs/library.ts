import { readdirSync, readFileSync } from 'node:fs';
import type { Code } from './highlighter.ts';
import type { OpenApi } from './openapi.ts';
import { programsFor, programsForShell } from './programs.ts';
import { errorsMarkdown } from './refusals.ts';
import { sectionMarkdown } from './section.ts';
import { type Trial, trialOf } from './trial.ts';

/** A page of the documentation, by its path below `/docs/`. */
export interface DocumentPage {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  readonly language: Language;
  /** Programs for an operation that a block of code names, in the reference. */
  readonly programsFor?: (operation: string) => readonly Code[];
  /** Programs that do the same as an example in the guides' shell. */
  readonly programsForShell?: (shell: string) => readonly Code[];
  /** The form that sends an operation, in the reference. */
  readonly trialOf?: (operation: string) => Trial | null;
}

/** Guides exist in both languages; everything else is in English. */
export type Language = 'en' | 'pt-BR';

/** The folder of each language's guides. */
export const FOLDERS: Readonly<Record<Language, string>> = { en: 'guides/', 'pt-BR': 'pt/guides/' };

/** The repository's documents are served from where they are. */
const DOCS = new URL('../../../docs/', import.meta.url);

/** Guides in reading order; the rest follows by name. */
const GUIDES = [
  'README',
  'quick-start',
  'charges',
  'cards',
  'checkouts',
  'subscriptions',
  'money',
  'webhooks',
  'command-line',
  'mcp',
  'testing-with-the-clock',
  'test-data',
  'api',
  'sdks',
  'better-auth-and-nextjs',
  'n8n',
  'amounts-and-time',
  'glossary',
];

/** All pages of the documentation: guides, the reference generated from the API's document, and background documents. */
export class Library {
  readonly guides: Readonly<Record<Language, readonly DocumentPage[]>>;
  readonly reference: readonly DocumentPage[];
  readonly background: readonly DocumentPage[];
  readonly #pages: ReadonlyMap<string, DocumentPage>;

  /** @param publicUrl the address of this service, which examples then use. */
  constructor(document: OpenApi, publicUrl: string) {
    const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => readPage(file, publicUrl));
    const guidesIn = (language: Language) =>
      files
        .filter(({ path }) => path.startsWith(FOLDERS[language]))
        .sort((one, other) => rank(one) - rank(other));
    this.guides = { en: guidesIn('en'), 'pt-BR': guidesIn('pt-BR') };
    const guides = Object.values(this.guides).flat();
    this.background = files
      .filter((page) => !guides.includes(page))
      .sort((a, b) => a.path.localeCompare(b.path));
    this.reference = [
      ...document.tags.map((tag) => ({
        ...sectionPage(tag.name, sectionMarkdown(document, tag, titleOf(tag.name))),
        programsFor: (operation: string) => programsFor(document, operation, publicUrl),
        trialOf: (operation: string) => trialOf(document, operation),
      })),
      sectionPage('errors', errorsMarkdown(document)),
    ];
    const all = [...guides, ...this.reference, ...this.background];
    this.#pages = new Map(all.map((page) => [page.path, page]));
  }

  page(path: string): DocumentPage | undefined {
    return this.#pages.get(path);
  }

  pages(): Iterable<DocumentPage> {
    return this.#pages.values();
  }

  /** The same guide in the other language, if there is one. */
  translation({ path, language }: DocumentPage): DocumentPage | undefined {
    const other = language === 'en' ? 'pt-BR' : 'en';
    const [from, to] = [FOLDERS[language], FOLDERS[other]];
    return path.startsWith(from) ? this.page(to + path.slice(from.length)) : undefined;
  }

  /** The pages before and after a page, within its group. */
  neighbours(page: DocumentPage): readonly [DocumentPage | undefined, DocumentPage | undefined] {
    const groups = [...Object.values(this.guides), this.reference, this.background];
    const group = groups.find((pages) => pages.includes(page)) ?? [];
    const index = group.indexOf(page);
    return index === -1 ? [undefined, undefined] : [group[index - 1], group[index + 1]];
  }

  /** A table of contents for language models: every guide and section with its URL, in Markdown. */
  contents(publicUrl: string): string {
    const list = (pages: readonly DocumentPage[]) =>
      pages.map(({ title, path }) => `- [${title}](${publicUrl}/docs/${path}.md)`).join('\n');
    return [
      '# Recebe',
      '> Collects payments in Brazil: PIX, boleto and card charges, hosted checkouts, payment links, subscriptions and signed webhooks, over a REST API.',
      `The whole API as OpenAPI 3.1: ${publicUrl}/openapi.json`,
      `## Guides\n\n${list(this.guides.en)}`,
      `## Reference\n\n${list(this.reference)}`,
      `## Guias em português\n\n${list(this.guides['pt-BR'])}`,
      `## Optional\n\n${list(this.background)}`,
      '',
    ].join('\n\n');
  }
}

/** The address in the documents as they are in the repository. */
const EXAMPLE_URL = 'http://localhost:3000';

/** A page whose examples can be pasted: they name the service that shows them. */
function readPage(file: string, publicUrl: string): DocumentPage {
  const markdown = readFileSync(new URL(file, DOCS), 'utf8').replaceAll(EXAMPLE_URL, publicUrl);
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
  const language = file.startsWith('pt/') ? 'pt-BR' : 'en';
  const path = file.replace(/\.md$/, '');
  return { path, title, markdown, language, programsForShell: (shell) => programsForShell(shell, publicUrl) };
}

function sectionPage(name: string, markdown: string): DocumentPage {
  return { path: `reference/${name}`, title: titleOf(name), markdown, language: 'en' };
}

/** Sections whose name is no phrase for people. */
const TITLES: Readonly<Record<string, string>> = {
  dev: 'Dev mode',
  'public-mrr': 'Public MRR',
  v1: 'API v1',
  'v1-event-payloads': 'Event payloads of API v1',
};

/** `Payment links` for `payment-links`. */
function titleOf(name: string): string {
  return TITLES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

function rank({ path }: DocumentPage): number {
  const index = GUIDES.indexOf(path.slice(path.lastIndexOf('/') + 1));
  return index === -1 ? GUIDES.length : index;
}

/** Below a guide's title, for readers of the repository. The header of the page has the same link. */
const TRANSLATION_LINK = /^\*\[(?:English|Português)\]\([^()]+\)\*\n/m;

/** The Markdown that readers of the page see. */
export function textOfPage({ markdown }: Pick<DocumentPage, 'markdown'>): string {
  return markdown.replace(TRANSLATION_LINK, '');
}
