import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

/** A signal or update that a run has accepted. */
export interface Message {
  readonly name: string;
  /** Its first argument; undefined without one. */
  readonly argument: unknown;
  /** The number of the event. */
  readonly eventId: number;
}

/** What a run was given, as its history says. */
export interface Received {
  /** The workflow's input. */
  readonly input: unknown;
  readonly messages: readonly Message[];
  /** For each completed activity, the number of the event that scheduled it. */
  readonly completed: readonly number[];
}

type Events = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>;

/** Reads the history of a run, whatever code has written it. @throws if Temporal is unavailable. */
export async function receivedBy(client: Client, workflowId: string, runId: string): Promise<Received> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return receivedIn(events ?? []);
}

function receivedIn(events: Events): Received {
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  return {
    input: first(started?.input?.payloads),
    messages: events.flatMap((event) => {
      const eventId = Number(event.eventId);
      const signal = event.workflowExecutionSignaledEventAttributes;
      if (signal)
        return [{ name: signal.signalName ?? '', argument: first(signal.input?.payloads), eventId }];
      const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
      return update ? [{ name: update.name ?? '', argument: first(update.args?.payloads), eventId }] : [];
    }),
    completed: events.flatMap(({ activityTaskCompletedEventAttributes: completed }) =>
      completed ? [Number(completed.scheduledEventId)] : [],
    ),
  };
}

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

function first(payloads: Payload[] | null | undefined): unknown {
  const [payload] = payloads ?? [];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
}
