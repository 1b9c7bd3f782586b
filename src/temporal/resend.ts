import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  resendWorkflowId,
  WEBHOOK_RESEND_WORKFLOW,
  type WebhookResendInput,
} from '../../workflows/webhook-resend.contract.ts';
import type { Resend } from '../database/entities/resend.ts';
import { AT_ONCE, type WorkflowStart } from './workflow-start.ts';

/** How to start the workflow of a resend range: at once, from its stored position. */
export function resendStart({
  id,
  storeId,
  devMode,
  webhookId,
  fromAt,
  toAt,
  deliveryStatus,
}: Resend): WorkflowStart {
  const input: WebhookResendInput = { resendId: id };
  return {
    table: 'resends',
    id,
    workflowType: WEBHOOK_RESEND_WORKFLOW,
    storeId,
    devMode,
    sleepsUntil: AT_ONCE,
    options: {
      workflowId: resendWorkflowId(id),
      args: [input],
      staticSummary: `${deliveryStatus} deliveries to ${webhookId} again`,
      staticDetails: `Those from **${fromAt.toISOString()}** to **${toAt.toISOString()}**.`,
      typedSearchAttributes: [
        { key: searchAttribute.storeId, value: storeId },
        { key: searchAttribute.devMode, value: devMode },
        { key: searchAttribute.status, value: 'RUNNING' },
        { key: searchAttribute.webhookId, value: webhookId },
      ],
    },
  };
}
