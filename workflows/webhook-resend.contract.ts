import type { ResendId } from '../src/domain/ids.ts';

/** The workflow's type name; it stands in every history and is never renamed. */
export const WEBHOOK_RESEND_WORKFLOW = 'webhookResend';

/** One workflow per range that was asked for. */
export function resendWorkflowId(resendId: ResendId): string {
  return `resend/${resendId}`;
}

export interface WebhookResendInput {
  readonly resendId: ResendId;
}
