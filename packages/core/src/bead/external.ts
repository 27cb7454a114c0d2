import type { Bead, BeadDependency } from './bead.ts'

/** Something that a bead waits for in another project: `external:PROJECT:CAPABILITY`, as `bd` writes it. */
export type External = { project: string; capability: string }

const PREFIX = 'external:'
/** The label that `bd ship` gives the bead which provides something. */
const PROVIDES = 'provides:'

export const isExternal = (target: string): boolean => target.startsWith(PREFIX)

/** Null where it names no project or nothing of it: nobody can say then that it is there. */
export function externalIn(target: string): External | null {
  const [project = '', ...rest] = isExternal(target) ? target.slice(PREFIX.length).split(':') : []
  const capability = rest.join(':')
  return project === '' || capability === '' ? null : { project, capability }
}

export const provides = ({ status, labels }: Pick<Bead, 'status' | 'labels'>, capability: string): boolean =>
  status === 'done' && labels.includes(PROVIDES + capability)

const holding: ReadonlySet<string> = new Set(['blocks', 'conditional-blocks', 'waits-for'])

/** Unlike a bead that is not there, what nobody knows of another project holds its bead back. */
export const waitsOutside = ({ type, dependsOn, met }: BeadDependency): boolean =>
  met !== true && isExternal(dependsOn) && holding.has(type)
