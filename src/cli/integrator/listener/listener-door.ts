import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { Forwarded } from '../forward.ts';

/** How other commands of the same person reach a running listener. */
const door = z.object({ port: z.int(), token: z.string() });
type Door = z.output<typeof door>;

const PREFIX = 'door-';
const LONGEST_ID = 200;
/** Longer than an attempt takes. */
const PATIENCE_MS = 40_000;

export interface OpenDoor {
  close(): Promise<void>;
}

/**
 * Lets `events resend --to listener` ask this listener to forward an event again. Listens on loopback, and takes requests that know a
 * token, which only files of this person contain.
 * @returns null if there is no folder for the file.
 */
export async function openDoor(
  folder: string | null,
  forward: (eventId: string) => Promise<Forwarded>,
): Promise<OpenDoor | null> {
  if (folder === null) return null;
  const token = randomBytes(32).toString('base64url');
  const server = createServer(async (request, response) => {
    try {
      if (!isKnown(request, token)) return void response.writeHead(404).end();
      const result = await forward(await textOf(request));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const file = join(folder, `${PREFIX}${process.pid}-${port}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ port, token }), { mode: 0o600 });
  return {
    async close() {
      rmSync(file, { force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isKnown({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > LONGEST_ID) throw new Error('the request is too long');
  }
  return text;
}

/**
 * Asks every running listener of the folder to forward an event. Removes the doors of listeners that were killed.
 * @returns one result per listener; empty if none runs. @throws Error with the listener's reason if it cannot.
 */
export async function askListeners(folder: string | null, eventId: string): Promise<Forwarded[]> {
  const results: Forwarded[] = [];
  for (const file of doorsIn(folder)) {
    const found = readDoor(file);
    const response = found && (await knock(found, eventId));
    if (!response) rmSync(file, { force: true });
    else if (response.ok) results.push((await response.json()) as Forwarded);
    else throw new Error(await response.text());
  }
  return results;
}

function doorsIn(folder: string | null): string[] {
  if (folder === null) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readDoor(file: string): Door | null {
  try {
    return door.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** @returns null if nobody answers, or another program does. */
async function knock({ port, token }: Door, eventId: string): Promise<Response | null> {
  const request = {
    method: 'POST',
    body: eventId,
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  const response = await fetch(`http://127.0.0.1:${port}/`, request).catch(() => null);
  return response?.status === 404 ? null : response;
}
