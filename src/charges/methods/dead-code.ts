/**
 * The provider has the charge already, and nobody can pay it any more: one with another id has to take its place. It
 * never leaves `newCharge`.
 */
export class DeadCode extends Error {}
