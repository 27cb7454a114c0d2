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

/** The capabilities that a bead has brought about for other projects: none before it is done. */
export const providedBy = ({ status, labels }: Pick<Bead, 'status' | 'labels'>): string[] =>
  status === 'done'
    ? labels.filter((label) => label.startsWith(PROVIDES)).map((label) => label.slice(PROVIDES.length))
    : []

/** Unlike a bead, something of another project has no status here: who reads the tracker notes whether it is there. */
export const isMissingOutside = ({ dependsOn, met }: BeadDependency): boolean => met !== true && isExternal(dependsOn)
