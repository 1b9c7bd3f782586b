import type { INodeProperties } from 'n8n-workflow';
import { checkoutFilters } from './checkout-filters.ts';
import { methodOptions } from './list-filters.ts';

const CREATES = { resource: ['checkout', 'paymentLink'], operation: ['create'] };

/** The operations of checkouts and payment links, and their parameters. */
export const checkoutProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['checkout'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create a checkout',
        description: 'Create a page that is paid once. Send the payer to its URL.',
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get a checkout',
        description: 'Get a checkout or payment link',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many checkouts',
        description: 'Get many checkouts and payment links, newest first',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['paymentLink'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create a payment link',
        description: 'Create a page that can be paid many times and does not expire',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many payment links',
        description: 'Get many payment links, newest first',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Checkout ID',
    name: 'id',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
    displayOptions: { show: { resource: ['checkout'], operation: ['get'] } },
  },
  {
    displayName: 'Items',
    name: 'items',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    required: true,
    placeholder: 'Add Item',
    default: {},
    displayOptions: { show: CREATES },
    options: [
      {
        displayName: 'Item',
        name: 'item',
        values: [
          {
            displayName: 'Product ID',
            name: 'id',
            type: 'string',
            default: '',
            placeholder: 'e.g. prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W',
            description: 'The ID of a product, or its external ID',
          },
          {
            displayName: 'Quantity',
            name: 'quantity',
            type: 'number',
            typeOptions: { minValue: 1, numberPrecision: 0 },
            default: 1,
          },
        ],
      },
    ],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: CREATES },
    options: [
      {
        displayName: 'Completion URL',
        name: 'completionUrl',
        type: 'string',
        default: '',
        description: 'Where the payer is redirected after paying',
      },
      {
        displayName: 'Coupons',
        name: 'coupons',
        type: 'string',
        default: '',
        description: 'Codes that the payer may use, separated by commas',
      },
      {
        displayName: 'Customer ID',
        name: 'customerId',
        type: 'string',
        default: '',
        description: 'Whose data the page shows',
      },
      {
        displayName: 'External ID',
        name: 'externalId',
        type: 'string',
        default: '',
        placeholder: 'e.g. order-1042',
        description:
          'Your own ID. A checkout that already has it is returned, whatever else you send. Payment links need no unique one.',
      },
      {
        displayName: 'Max Installments',
        name: 'maxInstallments',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 12, numberPrecision: 0 },
        default: 1,
        description: 'Into how many parts a card payment can be divided',
      },
      {
        displayName: 'Metadata',
        name: 'metadata',
        type: 'json',
        default: '{}',
        description: 'A JSON object that Recebe stores and returns with the checkout',
      },
      {
        displayName: 'Methods',
        name: 'methods',
        type: 'multiOptions',
        options: methodOptions,
        default: ['PIX'],
      },
      {
        displayName: 'Return URL',
        name: 'returnUrl',
        type: 'string',
        default: '',
        description: 'The target of the back link of the page',
      },
    ],
  },
  checkoutFilters,
];
