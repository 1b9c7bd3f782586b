import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The filters that every list has. */
export const listFilters: INodeProperties[] = [
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
];

/** How payers pay. */
export const methodOptions: INodePropertyOptions[] = [
  { name: 'Boleto', value: 'BOLETO' },
  { name: 'Card', value: 'CARD' },
  { name: 'PIX', value: 'PIX' },
];
