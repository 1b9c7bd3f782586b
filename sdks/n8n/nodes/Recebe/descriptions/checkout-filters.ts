import type { INodeProperties } from 'n8n-workflow';

/** The filters of checkouts, payment links and subscriptions: subscriptions are listed by their checkouts. */
export const checkoutFilters: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'collection',
  placeholder: 'Add Filter',
  default: {},
  displayOptions: {
    show: { resource: ['checkout', 'paymentLink', 'subscription'], operation: ['getAll'] },
  },
  options: [
    {
      displayName: 'Created From',
      name: 'createdFrom',
      type: 'string',
      default: '',
      placeholder: 'e.g. 2026-11-01',
      description: 'A day in São Paulo, or an instant',
    },
    {
      displayName: 'Created To',
      name: 'createdTo',
      type: 'string',
      default: '',
      placeholder: 'e.g. 2026-11-30',
      description: 'A day in São Paulo, which is included, or an instant, which is excluded',
    },
    { displayName: 'Customer ID', name: 'customerId', type: 'string', default: '' },
    { displayName: 'External ID', name: 'externalId', type: 'string', default: '' },
    {
      displayName: 'Status',
      name: 'status',
      type: 'options',
      options: [
        { name: 'Cancelled', value: 'CANCELLED' },
        { name: 'Expired', value: 'EXPIRED' },
        { name: 'Paid', value: 'PAID' },
        { name: 'Pending', value: 'PENDING' },
        { name: 'Refunded', value: 'REFUNDED' },
      ],
      default: 'PAID',
    },
  ],
};
