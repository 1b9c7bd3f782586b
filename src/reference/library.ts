import { readdirSync, readFileSync } from 'node:fs';
import type { OpenApi } from './openapi.ts';
import { errorsMarkdown } from './refusals.ts';
import { sectionMarkdown } from './section.ts';

/** A page of the documentation, by its address below `/docs/`. */
export interface DocumentPage {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** The project's own documents lie where they are found in the repository, and are served as they are. */
const DOCS = new URL('../../docs/', import.meta.url);

/** Guides in the order in which they are read; the rest follows by name. */
const GUIDES = [
  'README',
  'quick-start',
  'charges',
  'checkouts',
  'subscriptions',
  'money',
  'webhooks',
  'command-line',
  'testing-with-the-clock',
  'api',
];

/** Every page of the documentation: guides, the reference made from the API's document, and what is behind both. */
export class Library {
  readonly guides: readonly DocumentPage[];
  readonly reference: readonly DocumentPage[];
  readonly background: readonly DocumentPage[];
  readonly #pages: ReadonlyMap<string, DocumentPage>;

  constructor(document: OpenApi) {
    const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.md'))
      .map(readPage);
    const isGuide = ({ path }: DocumentPage) => path.startsWith('guides/');
    this.guides = files.filter(isGuide).sort((one, other) => rank(one) - rank(other));
    this.background = files.filter((page) => !isGuide(page)).sort((a, b) => a.path.localeCompare(b.path));
    this.reference = [
      ...document.tags.map((tag) => sectionPage(tag.name, sectionMarkdown(document, tag))),
      sectionPage('errors', errorsMarkdown(document)),
    ];
    const all = [...this.guides, ...this.reference, ...this.background];
    this.#pages = new Map(all.map((page) => [page.path, page]));
  }

  page(path: string): DocumentPage | undefined {
    return this.#pages.get(path);
  }

  /** What language models are given to read: every guide and section by its address, in Markdown. */
  contents(publicUrl: string): string {
    const list = (pages: readonly DocumentPage[]) =>
      pages.map(({ title, path }) => `- [${title}](${publicUrl}/docs/${path}.md)`).join('\n');
    return [
      '# Recebe',
      '> Collects payments in Brazil: PIX, boleto and card charges, hosted checkouts, payment links, subscriptions and signed webhooks, over a REST API.',
      `The whole API as OpenAPI 3.1: ${publicUrl}/openapi.json`,
      `## Guides\n\n${list(this.guides)}`,
      `## Reference\n\n${list(this.reference)}`,
      `## Optional\n\n${list(this.background)}`,
      '',
    ].join('\n\n');
  }
}

function readPage(file: string): DocumentPage {
  const markdown = readFileSync(new URL(file, DOCS), 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
  return { path: file.replace(/\.md$/, ''), title, markdown };
}

function sectionPage(name: string, markdown: string): DocumentPage {
  return { path: `reference/${name}`, title: name, markdown };
}

function rank({ path }: DocumentPage): number {
  const index = GUIDES.indexOf(path.slice('guides/'.length));
  return index === -1 ? GUIDES.length : index;
}
