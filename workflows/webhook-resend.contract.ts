import type { ResendId } from '../src/domain/ids.ts';

/** The workflow's type name. Every history contains it, so it must never be renamed. */
export const WEBHOOK_RESEND_WORKFLOW = 'webhookResend';

/** One workflow per requested range. */
export function resendWorkflowId(resendId: ResendId): string {
  return `resend/${resendId}`;
}

export interface WebhookResendInput {
  readonly resendId: ResendId;
}
