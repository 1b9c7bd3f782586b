import { deleteCustomer, getCustomer, listCustomers } from '../../../api/customers/routes.ts';
import { maskTaxId } from '../../../domain/tax-id.ts';
import { html } from '../../frame/html.ts';
import { copyChip, facts, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { dayFields, listPage } from '../lists/list-page.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/customers',
  action: 'read',
  handler(visit) {
    const { say, query } = visit;
    const field = (name: string, label: string) =>
      textField({ name, label, required: false, value: query.get(name) ?? '' });
    return listPage(visit, {
      title: say('Clientes', 'Customers'),
      active: 'customers',
      operation: listCustomers,
      parameters: ['email', 'taxId', 'createdFrom', 'createdTo'],
      fields: html`${field('email', say('E-mail', 'E-mail'))}${field('taxId', say('CPF ou CNPJ', 'Tax id'))}${dayFields(visit)}`,
      headings: [
        say('Nome', 'Name'),
        say('E-mail', 'E-mail'),
        say('CPF ou CNPJ', 'Tax id'),
        say('Criado', 'Created'),
      ],
      rows: (items) =>
        items.map(({ id, name, email, taxId, createdAt }) => ({
          href: visit.link(`/customers/${id}`),
          cells: [name === '' ? id : name, email, masked(taxId), time(visit, createdAt)],
        })),
      empty: emptyState({
        icon: 'users',
        title: say('Nenhum cliente aqui', 'No customers here'),
        text: say(
          'Clientes são cadastrados pela API ou quando pagam. Para procurar por nome, use a busca dos pagamentos.',
          'Customers are created by the API or when they pay. To search by name, use the search on the payments page.',
        ),
      }),
    });
  },
});

function masked(taxId: string): string {
  return taxId === '' ? '' : maskTaxId(taxId.replace(/[./-]/g, ''));
}

const detail = dashboardRoute({
  method: 'GET',
  path: '/customers/:id',
  action: 'read',
  async handler(visit) {
    const { say, params } = visit;
    const customer = await read(visit, getCustomer, { query: { id: params.id } });
    const { id, name, email, taxId, cellphone, zipCode, createdAt, typedByPayer } = customer;
    const body = html`${section(
      say('Dados', 'Details'),
      facts([
        ['Id', copyChip(visit, id)],
        [say('CPF ou CNPJ', 'Tax id'), visit.role === 'developer' ? masked(taxId) : taxId],
        [say('E-mail', 'E-mail'), email],
        [say('Telefone', 'Phone'), cellphone],
        ['CEP', zipCode],
        [say('Criado', 'Created'), time(visit, createdAt)],
        [
          say('De onde', 'Whence'),
          typedByPayer
            ? say('Digitado por quem pagou', 'Typed by a payer')
            : say('Cadastrado pela loja', 'Said by the store'),
        ],
      ]),
    )}
<p><a href="${visit.link('/payments', { customerId: id })}">${say('Pagamentos deste cliente', 'Payments of this customer')}</a></p>
${visit.can('sell') && erasure(visit, id)}`;
    return page(visit, { title: name === '' ? say('Cliente', 'Customer') : name, active: 'customers', body });
  },
});

function erasure(visit: Visit, id: string) {
  const { say } = visit;
  const warning = say(
    'Nome, CPF ou CNPJ, e-mail, telefone e CEP são apagados para sempre. Os pagamentos ficam.',
    'Name, tax id, e-mail, phone and postal code are erased for good. The payments stay.',
  );
  return formDialog(visit, {
    name: 'erase',
    button: say('Apagar os dados pessoais (LGPD)', 'Erase the personal data (LGPD)'),
    style: 'quiet',
    title: say('Apagar os dados pessoais?', 'Erase the personal data?'),
    text: warning,
    action: `/customers/${id}/erase`,
    submit: say('Apagar para sempre', 'Erase for good'),
    isDangerous: true,
  });
}

const erase = formAction({
  path: '/customers/:id/erase',
  action: 'sell',
  back: ({ params }) => `/customers/${params.id}`,
  async work(visit) {
    await carryOut(visit, deleteCustomer, { query: { id: visit.params.id } });
    return seeOther(
      visit.link('/customers'),
      visit.say('Os dados pessoais foram apagados.', 'The personal data was erased.'),
    );
  },
});

export const customerPages: readonly DashboardRoute[] = [list, detail, erase];
