import type { INodeProperties } from 'n8n-workflow';
import { listFilters } from './list-filters.ts';

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
    ...listFilters,
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
