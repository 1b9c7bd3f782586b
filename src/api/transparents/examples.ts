import type { z } from 'zod';
import type { createBody, ShownCharge } from './schema.ts';

/** The example of the API reference, with the codes of a sandbox boleto. */
export const exampleId = 'bole_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

export const exampleBoletoBody: z.input<typeof createBody> = {
  method: 'BOLETO',
  data: {
    amount: 25_000,
    description: 'Pedido 1042',
    externalId: 'order-1042',
    customer: { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' },
    interest: { value: 100 },
    fine: { value: 200, type: 'PERCENTAGE' },
    metadata: { orderId: 'A-1042' },
  },
};

const examplePix = {
  brCode:
    '00020126580014br.gov.bcb.pix01362f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f505204000053039865406250.005802BR5909Loja Demo6009SAO PAULO62290525AK0Y3PQ8V4T6R2W9ZB5XHMD6304ABCD',
  brCodeBase64: 'data:image/png;base64,iVBORw0KGgo…',
};

export const exampleCharge: Extract<ShownCharge, { method: 'BOLETO' }> = {
  method: 'BOLETO',
  id: exampleId,
  amount: 25_000,
  paidAmount: null,
  status: 'PENDING',
  devMode: true,
  externalId: 'order-1042',
  customerId: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  ...examplePix,
  platformFee: 250,
  receiptUrl: null,
  expiresAt: '2026-12-10T03:00:00.000Z',
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
  metadata: { orderId: 'A-1042' },
  barCode: '99990001171000000000100123456700512960000025000',
  voucherUrl: null,
  voucherPdfUrl: null,
  url: 'https://pay.example.com/boleto/bole_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  dueDate: '2026-12-10',
  interest: { value: 100 },
  fine: { value: 200, type: 'PERCENTAGE' },
  pix: examplePix,
};

/** The example after its payment. */
export const examplePaidCharge = {
  ...exampleCharge,
  status: 'PAID' as const,
  paidAmount: 25_000,
  receiptUrl: `https://pay.example.com/receipt/${exampleId}`,
  updatedAt: '2026-12-04T14:31:55.602Z',
};
