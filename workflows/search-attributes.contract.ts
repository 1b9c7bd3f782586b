import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * What operators filter workflows by in the Temporal UI. The server knows them by these names. Never add a tax id:
 * search attributes are not encrypted and outlive an erasure.
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
  /** Set on a run that met something that needs a person (src/domain/attention.ts); never unset. */
  needsAttention: defineSearchAttributeKey('NeedsAttention', 'BOOL'),
};
