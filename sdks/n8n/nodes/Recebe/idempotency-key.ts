import { createHash } from 'node:crypto';

/** Which request of which execution this is. */
export interface Cause {
  /** Of the n8n installation: ids of executions are only unique within one. */
  readonly instanceId: string;
  readonly workflowId: string;
  readonly executionId: string;
  readonly nodeId: string;
  /** A loop runs a node several times in one execution, always with items from 0. */
  readonly runIndex: number;
  readonly itemIndex: number;
  /** Whether an agent calls the node as a tool. */
  readonly isTool: boolean;
}

/**
 * The `Idempotency-Key` of a request, so that n8n's retries charge or pay once. A retry of n8n keeps execution, node, run
 * and item. If an agent calls the node as a tool, a retry is a new run, and a model may repeat a call that it believes has
 * failed. The body then takes the place of the run: equal calls in one execution are one.
 */
export function idempotencyKeyOf(
  cause: Cause,
  request: { readonly path: string; readonly body?: unknown },
): string {
  const { instanceId, workflowId, executionId, nodeId, runIndex, itemIndex, isTool } = cause;
  const repetition = isTool ? request.body : runIndex;
  const parts = [instanceId, workflowId, executionId, nodeId, itemIndex, request.path, isTool, repetition];
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
