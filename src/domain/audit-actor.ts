import type { ApiKeyId, StoreId, UserId } from './ids.ts';
import type { Role } from './role.ts';

/**
 * The kinds of actors in the audit log: a person in the dashboard, an API key, someone at the command line, the
 * service itself, or a payer in the customer portal.
 */
export const ACTOR_KINDS = ['PERSON', 'API_KEY', 'CLI', 'SYSTEM', 'PAYER'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who acts, on which store, and from where. */
export type Actor = PersonActor | KeyActor | RequestActor | CliActor | SystemActor | PayerActor;

export interface PersonActor {
  readonly kind: 'PERSON';
  readonly userId: UserId;
  readonly role: Role;
  readonly storeId: StoreId;
  /** The IP address, shortened. */
  readonly address: string;
  /** The id of the submitted form; null without one. Unique for a person. */
  readonly submission: string | null;
}

export interface KeyActor {
  readonly kind: 'API_KEY';
  readonly keyId: ApiKeyId;
  readonly storeId: StoreId;
  /** The IP address, shortened. */
  readonly address: string;
}

/** An API key whose request waits for another system. */
export interface RequestActor extends KeyActor {
  /** The same for each try of one request. */
  readonly submission: string;
}

export interface CliActor {
  readonly kind: 'CLI';
  /** The account of the operating system, or what `RECEBE_OPERATOR` says. */
  readonly operator: string;
  /** Null for an action on the whole service, such as a rotation of the encryption keys. */
  readonly storeId: StoreId | null;
}

export interface SystemActor {
  readonly kind: 'SYSTEM';
  readonly storeId: StoreId | null;
  /** The IP address, shortened, of a refused client. */
  readonly address?: string;
}

/** A customer who is signed in to the portal. The line has nothing that identifies them: its subject leads to the customer. */
export interface PayerActor {
  readonly kind: 'PAYER';
  readonly storeId: StoreId;
  /** The id of the submitted form, unique in the store. */
  readonly submission: string;
}
