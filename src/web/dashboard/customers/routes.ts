import { deleteCustomer, listCustomers } from '../../../api/customers/routes.ts';
import type { CustomerView } from '../../../api/customers/schema.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import { deleteSavedCard } from '../../../api/saved-cards/routes.ts';
import { customerSearchOf, type FoundCustomer, findCustomers } from '../../../customers/find-customers.ts';
import { textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { customersSheet } from '../exports/people-sheets.ts';
import { time } from '../frame/components.ts';
import { carryOut } from '../frame/operation.ts';
import { FormRefused } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { realMoneyStepUp, stepUpProblem } from '../frame/step-up.ts';
import { emptyState } from '../frame/table.ts';
import { formAction } from '../lists/form-action.ts';
import { dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { customerDetail, ERASE } from './detail.ts';
import { masked } from './masked.ts';

/** A search shows so many customers; more of the name narrows it. */
const MOST_FOUND = 30;

const list = dashboardRoute({
  method: 'GET',
  path: '/customers',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, query } = visit;
    const text = query.get('q')?.trim() ?? '';
    const found =
      text === '' ? null : await findCustomers(em, caller, customerSearchOf(text), MOST_FOUND + 1);
    const label = say('dashboard.customers.startOfTheNameE');
    return listPage(visit, {
      title: say('dashboard.customers'),
      active: 'customers',
      operation: listCustomers,
      ...(found === null ? { sheet: customersSheet } : { page: async () => pageOfFound(found) }),
      parameters: ['email', 'taxId', 'createdFrom', 'createdTo'],
      fields: html`${textField({ name: 'q', label, required: false, value: text })}${dayFields(visit)}`,
      headings: [
        say('dashboard.name'),
        say('dashboard.eMail'),
        say('dashboard.taxId'),
        text === '' ? sortHeading(visit, say('dashboard.created')) : say('dashboard.created'),
      ],
      above:
        found !== null && found.length > MOST_FOUND
          ? html`<p class="soft">${say('dashboard.customers.onlyTheFirstAreShown', { mostFound: MOST_FOUND })}</p>`
          : null,
      rows: (items) =>
        items.map(({ id, name, email, taxId, createdAt }) => ({
          href: visit.link(`/customers/${id}`),
          cells: [name || id, email, masked(taxId), time(visit, createdAt)],
        })),
      empty: emptyState({
        icon: 'users',
        title:
          visit.query.size === 0
            ? say('dashboard.customers.noCustomersYet')
            : say('dashboard.customers.noCustomersFound'),
        text: say('dashboard.customers.customersAreCreatedByThe'),
      }),
    });
  },
});

type ListedCustomer = Pick<CustomerView, 'id' | 'name' | 'email' | 'taxId' | 'createdAt'>;

function pageOfFound(found: readonly FoundCustomer[]): Page<ListedCustomer> {
  const items = found.slice(0, MOST_FOUND).map(({ id, name, email, taxId, createdAt }) => ({
    id,
    name: name ?? '',
    email: email ?? '',
    taxId: taxId ?? '',
    createdAt: createdAt.toISOString(),
  }));
  return { items, pagination: { hasMore: false, next: null, before: null } };
}

/** Requires the password in production: erased data cannot come back. */
const erase = formAction({
  path: '/customers/:id/erase',
  action: 'sell',
  back: ({ params }) => `/customers/${params.id}`,
  form: { name: ERASE, page: customerDetail.handler },
  async work(visit) {
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    await carryOut(visit, deleteCustomer, { query: { id: visit.params.id } });
    return seeOther(visit.link('/customers'), visit.say('dashboard.customers.thePersonalDataWasErased'));
  },
});

const removeCard = formAction({
  path: '/customers/:id/cards/:cardId/remove',
  action: 'sell',
  back: ({ params }) => `/customers/${params.id}`,
  async work(visit) {
    const { id, cardId } = visit.params;
    await carryOut(visit, deleteSavedCard, { body: { id: cardId } });
    return seeOther(visit.link(`/customers/${id}`), visit.say('dashboard.customers.cardRemoved'));
  },
});

export const customerPages: readonly DashboardRoute[] = [list, customerDetail, erase, removeCard];
