import type { Bead, BeadDependency } from '../records/bead.ts'

/** A capability of another project that a bead waits for: `external:PROJECT:CAPABILITY`, as `bd` writes it. */
export type External = { project: string; capability: string }

const PREFIX = 'external:'
/** The prefix of the label that `bd ship` gives a bead that provides a capability. */
const PROVIDES = 'provides:'

export const isExternal = (target: string): boolean => target.startsWith(PREFIX)

/** Null if it names no project or no capability: then nobody can tell whether it exists. */
export function externalIn(target: string): External | null {
  const [project = '', ...rest] = isExternal(target) ? target.slice(PREFIX.length).split(':') : []
  const capability = rest.join(':')
  return project === '' || capability === '' ? null : { project, capability }
}

/** The capabilities that a bead provides for other projects: none before it is done, or once its tracker lacks it. */
export const providedBy = ({
  status,
  trackerStatus,
  labels,
}: Pick<Bead, 'status' | 'trackerStatus' | 'labels'>): string[] =>
  status === 'done' && trackerStatus !== 'tombstone'
    ? labels.filter((label) => label.startsWith(PROVIDES)).map((label) => label.slice(PROVIDES.length))
    : []

/**
 * Unlike a bead, a capability of another project has no status here: the tracker's reader notes in `met` whether it
 * exists.
 */
export const isMissingOutside = ({ dependsOn, met }: BeadDependency): boolean => met !== true && isExternal(dependsOn)
