import type { Language } from './library.ts';

type Word =
  | 'skip'
  | 'menu'
  | 'guides'
  | 'other'
  | 'reference'
  | 'background'
  | 'copy'
  | 'copied'
  | 'select'
  | 'previous'
  | 'next'
  | 'search'
  | 'found'
  | 'nothingFound'
  | 'diagramOf'
  | 'asText'
  | 'programs';

/** The texts around a page of the documentation. */
export const WORDS: Readonly<Record<Language, Readonly<Record<Word, string>>>> = {
  en: {
    skip: 'Skip to content',
    menu: 'Pages',
    guides: 'Guides',
    other: 'Português',
    reference: 'Reference',
    background: 'Background',
    copy: 'Copy',
    copied: 'Copied',
    select: 'Select and copy it',
    previous: 'Previous',
    next: 'Next',
    search: 'Search the documentation',
    found: 'Results:',
    nothingFound: 'Nothing found for',
    diagramOf: 'Diagram:',
    asText: 'Diagram as text',
    programs: 'Language of the example',
  },
  'pt-BR': {
    skip: 'Ir para o conteúdo',
    menu: 'Páginas',
    guides: 'Guias',
    other: 'English',
    reference: 'Referência',
    background: 'Mais a fundo',
    copy: 'Copiar',
    copied: 'Copiado',
    select: 'Selecione e copie',
    previous: 'Anterior',
    next: 'Próxima',
    search: 'Buscar na documentação',
    found: 'Resultados:',
    nothingFound: 'Nada encontrado para',
    diagramOf: 'Diagrama:',
    asText: 'Diagrama em texto',
    programs: 'Linguagem do exemplo',
  },
};
