import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * What operators filter workflows by in the Temporal UI. Registered on the server by these names; never a tax
 * id, since search attributes are not encrypted and outlive an erasure.
 */
export const searchAttribute = {
  storeId: defineSearchAttributeKey('StoreId', 'KEYWORD'),
  devMode: defineSearchAttributeKey('DevMode', 'BOOL'),
  status: defineSearchAttributeKey('Status', 'KEYWORD'),
  method: defineSearchAttributeKey('Method', 'KEYWORD'),
  customerId: defineSearchAttributeKey('CustomerId', 'KEYWORD'),
  externalId: defineSearchAttributeKey('ExternalId', 'KEYWORD'),
  amountCents: defineSearchAttributeKey('AmountCents', 'INT'),
  eventName: defineSearchAttributeKey('EventName', 'KEYWORD'),
  nextChargeAt: defineSearchAttributeKey('NextChargeAt', 'DATETIME'),
  cycleNumber: defineSearchAttributeKey('CycleNumber', 'INT'),
  failedAttempts: defineSearchAttributeKey('FailedAttempts', 'INT'),
  lastFailure: defineSearchAttributeKey('LastFailure', 'KEYWORD'),
  webhookId: defineSearchAttributeKey('WebhookId', 'KEYWORD'),
  /** Set on a run that met something it cannot end by itself (src/domain/attention.ts), and never unset. */
  needsAttention: defineSearchAttributeKey('NeedsAttention', 'BOOL'),
};
