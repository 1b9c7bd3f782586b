/**
 * Requests of API Pix and of the banks' own APIs for transfers, by method and kind of resource. A plural is a list. `qrcode` is
 * a transfer that pays a BR Code.
 */
const API_OPERATIONS = [
  'PUT cob',
  'POST cob',
  'GET cob',
  'PATCH cob',
  'GET cobs',
  'PUT cobv',
  'GET cobv',
  'PATCH cobv',
  'GET cobvs',
  'GET pix',
  'GET pixs',
  'PUT refund',
  'GET refund',
  'POST rec',
  'GET rec',
  'PATCH rec',
  'GET recs',
  'POST locrec',
  'PUT cobr',
  'GET cobr',
  'PATCH cobr',
  'GET cobrs',
  'POST retry',
  'PUT webhook',
  'GET webhook',
  'DELETE webhook',
  'GET webhooks',
  'PUT transfer',
  'PUT qrcode',
  'GET transfer',
  'GET transfers',
] as const;

/** Requests with an answer: those of the API, and the token endpoint. */
export const REQUESTS = [...API_OPERATIONS, 'POST token'] as const;

/** Everything that a fault can happen to: requests, notifications that the bank sends, and payments that payers make. */
export const OPERATIONS = [...REQUESTS, 'webhook', 'payment'] as const;
export type Operation = (typeof OPERATIONS)[number];
