import type { INodeProperties } from 'n8n-workflow';

const CREATES = { resource: ['payout'], operation: ['create'] };

/** The only operation of payouts, and its parameters. */
export const payoutProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['payout'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create a payout',
        description: "Send money from the balance to the store's own account",
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Amount in Cents',
    name: 'amount',
    type: 'number',
    typeOptions: { minValue: 350, numberPrecision: 0 },
    required: true,
    default: 350,
    description: 'Whole cents, at least 350: 25000 is R$ 250.00',
    displayOptions: { show: CREATES },
  },
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. week-47',
    description:
      'Your own ID of this payout. The same ID pays once, also if you run the workflow again. After a failed payout, use another one.',
    displayOptions: { show: CREATES },
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: CREATES },
    options: [{ displayName: 'Description', name: 'description', type: 'string', default: '' }],
  },
];
