import type { TimeWindow } from '../ports/pages.ts';

const ITEMS_PER_PAGE = 100;

/** The query of a page of a bank's list (Bacen's document, `inicio`, `fim` and `paginacao`). */
export function pageQuery({ from, until }: TimeWindow, page: number): Record<string, string> {
  return {
    inicio: wholeSecond(Math.floor(from.getTime() / 1_000)),
    fim: wholeSecond(Math.ceil(until.getTime() / 1_000)),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(ITEMS_PER_PAGE),
  };
}

/** Without milliseconds, which some banks reject. */
function wholeSecond(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
