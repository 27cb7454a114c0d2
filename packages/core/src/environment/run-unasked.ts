import type { CommandClaim, Family } from './found.ts'

/** Whose commands run unasked. Those of other families are proposed: nobody has tried them without a network yet. */
const FAMILIES: ReadonlySet<Family> = new Set<Family>(['node', 'python', 'go', 'rust', 'maven', 'make'])

export const runsUnasked = ({ family, confidence }: CommandClaim): boolean =>
  confidence !== 'hint' && FAMILIES.has(family)
