import { expect, it } from '@jest/globals';
import { emptyState, table } from '../../../src/web/dashboard/frame/table.ts';
import { html } from '../../../src/web/frame/html.ts';

const list = (rows: Parameters<typeof table>[0]['rows']) =>
  table({
    caption: 'Payments',
    headings: ['Created', html`<span class="amount">Amount</span>`, ''],
    rows,
    empty: emptyState({ icon: 'credit-card', title: 'No payments', text: 'Create a charge.' }),
  }).markup;

it('links a row by the text of its first cell and leaves its other cells alone', () => {
  const markup = list([{ href: '/payments/1', cells: ['today', 'R$ 1,00', html`<button>Pay</button>`] }]);
  expect(markup).toContain('<tr role="row" class="row--linked">');
  expect(markup).toContain('<a class="row__link" href="/payments/1">today</a>');
  expect(markup.match(/<a /g)).toHaveLength(1);
});

it('names the column of each value, as text, for rows that are cards', () => {
  const markup = list([['<today>', 'R$ 1,00', '']]);
  expect(markup).toContain('<td role="cell" data-label="Created"><div>&lt;today&gt;</div></td>');
  expect(markup).toContain('<td role="cell" data-label="Amount"><div>R$ 1,00</div></td>');
  // Without a value there is nothing to name.
  expect(markup).toContain('<td role="cell"></td></tr>');
});

it('lets long words break, and cuts a long text whose page has all of it', () => {
  const products = 'Caneca esmaltada, '.repeat(10);
  const word = 'Eletromecanicoshidraulicosepneumaticos';
  const classesOf = (rows: Parameters<typeof list>[0]) =>
    [...list(rows).matchAll(/<div( class="[^"]*")?>/g)].map(([, given = '']) => given);
  expect(classesOf([['today', word, '']])).toEqual(['', ' class="long"']);
  expect(classesOf([{ href: '/1', cells: [word, products, ''] }])).toEqual([
    ' class="long"',
    ' class="long long--cut"',
  ]);
  expect(classesOf([['today', products, '']])).toEqual(['', '']);
});

it('shows a dash where a row has nothing', () => {
  expect(list([['today', '', '']])).toContain('<td role="cell" data-label="Amount"><div>–</div></td>');
});

it('shows what to do next instead of a table without rows', () => {
  const markup = list([]);
  expect(markup).not.toContain('<table');
  expect(markup).toContain('<p class="empty__title">No payments</p>');
});
