/** Lower case and without accents, to compare what people type: `Ávila` and `avila` are the same. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
