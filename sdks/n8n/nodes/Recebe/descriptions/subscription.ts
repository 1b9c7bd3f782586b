import type { INodeProperties } from 'n8n-workflow';

/** The operations of subscriptions, and their parameters. Their filters are those of checkouts. */
export const subscriptionProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['subscription'] } },
    options: [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel a subscription',
        description: 'Cancel a subscription at once, or at the end of its cycle',
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get a subscription',
        description: 'Get a subscription with its current cycle',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many subscriptions',
        description: 'Get many checkouts of subscriptions, newest first',
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Subscription ID',
    name: 'id',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. subs_01KAK12F6T8V0X2Z4B6D8G0J2M',
    displayOptions: { show: { resource: ['subscription'], operation: ['cancel', 'get'] } },
  },
  {
    displayName: 'At Period End',
    name: 'atPeriodEnd',
    type: 'boolean',
    default: false,
    description: 'Whether it ends with its current cycle instead of at once',
    displayOptions: { show: { resource: ['subscription'], operation: ['cancel'] } },
  },
];
