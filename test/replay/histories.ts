import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/**
 * The folder of the golden histories: one file per scenario, as a server wrote it on the day it was recorded.
 */
const FOLDER = new URL('histories/', import.meta.url);

/**
 * Histories are kept in the format that Temporal's UI and command line download, with unknown fields left
 * alone.
 */
const { fromJson, toJson, historyType } = protoJson();

/** The names of the histories that are kept, in alphabetical order. */
export function keptHistories(): string[] {
  return readdirSync(FOLDER)
    .map((file) => file.replace(/\.json$/, ''))
    .sort((one, other) => one.localeCompare(other));
}

export function isKept(name: string): boolean {
  return existsSync(fileOf(name));
}

export function readHistory(name: string): History {
  return fromJson(historyType, JSON.parse(readFileSync(fileOf(name), 'utf8')), { ignoreUnknownFields: true });
}

/**
 * Keeps the history of a run. @throws where one is kept already: a promise to runs in flight is not
 * rewritten.
 */
export async function keepHistory(name: string, workflow: WorkflowHandle): Promise<void> {
  const json = toJson(historyType, await workflow.fetchHistory());
  writeFileSync(fileOf(name), `${JSON.stringify(json, null, 2)}\n`, { flag: 'wx' });
}

function fileOf(name: string): URL {
  return new URL(`${name}.json`, FOLDER);
}

interface ProtoJson {
  fromJson(type: unknown, json: unknown, options: { ignoreUnknownFields: boolean }): History;
  toJson(type: unknown, message: History): unknown;
}

/**
 * The SDK's own `historyFromJSON` and `historyToJSON` refuse their types where npm has installed two copies
 * of protobufjs, as it does here: one beside the types, one beside the converters. So the types' own copy is
 * asked.
 */
function protoJson(): ProtoJson & { historyType: unknown } {
  const requireHere = createRequire(import.meta.url);
  const protoPath = requireHere.resolve('@temporalio/proto');
  const { patchProtobufRoot } = requireHere('@temporalio/proto/lib/patch-protobuf-root');
  const converters: ProtoJson = createRequire(protoPath)('protobufjs/ext/protojson');
  const root = patchProtobufRoot(requireHere(protoPath));
  return { ...converters, historyType: root.lookupType('temporal.api.history.v1.History') };
}
