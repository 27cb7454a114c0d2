import type { ListedBead } from '../records/bead.ts'

/** The label of a bead that makes a project's base green: it may start while the checks fail on the base. */
export const MENDS_BASE = 'mends-base'

export const mendsBase = ({ labels }: Pick<ListedBead, 'labels'>): boolean => labels.includes(MENDS_BASE)
