import type { INodeProperties } from 'n8n-workflow';

/** The operations of customers, and their parameters. */
export const customerProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['customer'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create a customer',
        description: 'Create a customer, or return the one with this tax ID',
      },
      { name: 'Get', value: 'get', action: 'Get a customer', description: 'Get a customer' },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many customers',
        description: 'Get many customers, newest first',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Customer ID',
    name: 'id',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
    displayOptions: { show: { resource: ['customer'], operation: ['get'] } },
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: { resource: ['customer'], operation: ['create'] } },
    options: [
      { displayName: 'Cellphone', name: 'cellphone', type: 'string', default: '' },
      {
        displayName: 'Email',
        name: 'email',
        type: 'string',
        placeholder: 'name@email.com',
        default: '',
      },
      {
        displayName: 'Metadata',
        name: 'metadata',
        type: 'json',
        default: '{}',
        description: 'A JSON object that Recebe stores and returns with the customer',
      },
      { displayName: 'Name', name: 'name', type: 'string', default: '' },
      {
        displayName: 'Tax ID',
        name: 'taxId',
        type: 'string',
        default: '',
        placeholder: 'e.g. 529.982.247-25',
        description: 'CPF or CNPJ. Without it, each call creates another customer.',
      },
      { displayName: 'Zip Code', name: 'zipCode', type: 'string', default: '', description: 'CEP' },
    ],
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show: { resource: ['customer'], operation: ['getAll'] } },
    options: [
      {
        displayName: 'Email',
        name: 'email',
        type: 'string',
        placeholder: 'name@email.com',
        default: '',
        description: 'The whole address',
      },
      {
        displayName: 'Tax ID',
        name: 'taxId',
        type: 'string',
        default: '',
        description: 'CPF or CNPJ',
      },
    ],
  },
];
