import type { INodeProperties } from 'n8n-workflow';
import { listFilters, methodOptions } from './list-filters.ts';

const CUSTOMER_FIELDS: INodeProperties[] = [
  {
    displayName: 'Customer Cellphone',
    name: 'customerCellphone',
    type: 'string',
    default: '',
    placeholder: 'e.g. +55 11 91234-5678',
  },
  {
    displayName: 'Customer Email',
    name: 'customerEmail',
    type: 'string',
    default: '',
    placeholder: 'e.g. ana@example.com',
  },
];

const SHARED_FIELDS: INodeProperties[] = [
  {
    displayName: 'Description',
    name: 'description',
    type: 'string',
    default: '',
    description: 'What the payer sees',
  },
  {
    displayName: 'Due Date',
    name: 'dueDate',
    type: 'string',
    default: '',
    placeholder: 'e.g. 2026-12-10',
    description:
      'A day in São Paulo, up to one year ahead. A PIX charge with a due date needs name and tax ID.',
  },
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    default: '',
    placeholder: 'e.g. order-1042',
    description:
      'Your own ID. The same ID with the same content returns the existing charge, also in another execution.',
  },
];

const METADATA: INodeProperties = {
  displayName: 'Metadata',
  name: 'metadata',
  type: 'json',
  default: '{}',
  description: 'A JSON object that Recebe stores and returns with the charge',
};

/** The parameters of charges. */
export const chargeFields: INodeProperties[] = [
  {
    displayName: 'Charge ID',
    name: 'id',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
    displayOptions: {
      show: { resource: ['charge'], operation: ['cancel', 'get', 'refund', 'simulatePayment'] },
    },
  },
  {
    displayName: 'Amount in Cents',
    name: 'amount',
    type: 'number',
    typeOptions: { minValue: 1, numberPrecision: 0 },
    required: true,
    default: 100,
    description: 'Whole cents: 2500 is R$ 25.00',
    displayOptions: { show: { resource: ['charge'], operation: ['createBoleto', 'createPix'] } },
  },
  {
    displayName: 'Customer Name',
    name: 'customerName',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. Ana Souza',
    displayOptions: { show: { resource: ['charge'], operation: ['createBoleto'] } },
  },
  {
    displayName: 'Customer Tax ID',
    name: 'customerTaxId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. 529.982.247-25',
    description: 'CPF or CNPJ of the payer',
    displayOptions: { show: { resource: ['charge'], operation: ['createBoleto'] } },
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: { resource: ['charge'], operation: ['createBoleto'] } },
    options: [...CUSTOMER_FIELDS, ...SHARED_FIELDS, METADATA],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: { resource: ['charge'], operation: ['createPix'] } },
    options: [
      ...CUSTOMER_FIELDS,
      { displayName: 'Customer Name', name: 'customerName', type: 'string', default: '' },
      {
        displayName: 'Customer Tax ID',
        name: 'customerTaxId',
        type: 'string',
        default: '',
        description: 'CPF or CNPJ of the payer',
      },
      ...SHARED_FIELDS,
      {
        displayName: 'Expires In',
        name: 'expiresIn',
        type: 'number',
        typeOptions: { minValue: 1, numberPrecision: 0 },
        default: 86400,
        description: 'Seconds until the charge expires. Not together with a due date.',
      },
      METADATA,
    ],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: { resource: ['charge'], operation: ['refund'] } },
    options: [
      {
        displayName: 'Amount in Cents',
        name: 'amount',
        type: 'number',
        typeOptions: { minValue: 1, numberPrecision: 0 },
        default: 100,
        description: 'Whole cents to refund. Without it, everything that remains is refunded.',
      },
      {
        displayName: 'Reason',
        name: 'reason',
        type: 'string',
        default: '',
        description: 'The event of the refund includes it',
      },
    ],
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show: { resource: ['charge'], operation: ['getAll'] } },
    options: [
      ...listFilters,
      {
        displayName: 'Method',
        name: 'method',
        type: 'options',
        options: methodOptions,
        default: 'PIX',
      },
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Cancelled', value: 'CANCELLED' },
          { name: 'Expired', value: 'EXPIRED' },
          { name: 'Failed', value: 'FAILED' },
          { name: 'Paid', value: 'PAID' },
          { name: 'Pending', value: 'PENDING' },
          { name: 'Refunded', value: 'REFUNDED' },
          { name: 'Under Dispute', value: 'UNDER_DISPUTE' },
        ],
        default: 'PAID',
      },
    ],
  },
];
