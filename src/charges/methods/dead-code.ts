/**
 * The provider already has the charge, and nobody can pay it any more: a charge with another id must replace it.
 * Never leaves `newCharge`.
 */
export class DeadCode extends Error {}
