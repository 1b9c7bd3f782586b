import type { INodeProperties } from 'n8n-workflow';
import { chargeFields } from './charge-fields.ts';

/** The operations of charges. */
export const chargeProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['charge'] } },
    options: [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel a charge',
        description: 'Cancel an unpaid charge',
      },
      {
        name: 'Create Boleto',
        value: 'createBoleto',
        action: 'Create a boleto',
        description: 'Create a boleto with its barcode and page',
      },
      {
        name: 'Create PIX',
        value: 'createPix',
        action: 'Create a PIX charge',
        description: 'Create a PIX charge with its copy-and-paste code and QR code',
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get a charge',
        description: 'Get a charge with its current status',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many charges',
        description: 'Get many charges, newest first',
      },
      {
        name: 'Refund',
        value: 'refund',
        action: 'Refund a charge',
        description: 'Refund a paid charge, in full or in part',
      },
      {
        name: 'Simulate Payment',
        value: 'simulatePayment',
        action: 'Simulate the payment of a charge',
        description: 'Pay a charge in dev mode. A production key is refused.',
      },
    ],
    default: 'createPix',
  },
  ...chargeFields,
];
